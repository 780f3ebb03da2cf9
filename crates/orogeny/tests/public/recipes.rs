//! Recipe files: round trips, and the errors for invalid ones.
#![cfg(feature = "ron")]

use orogeny::cover::{CoverKind, CoverLayer};
use orogeny::node::{MAX_DEPTH, MAX_NODES};
use orogeny::scatter::ScatterKind;
use orogeny::{Band, Fractal, GradientNoise, Node, Recipe};

const TEXT: &str = "(
    seed: 7,
    height: 800.0,
    field: Add([
        Fractal(frequency: 0.0005, octaves: 10),
        Multiply([Constant(0.25), Fractal(noise: Gradient(seed: 1), frequency: 0.01, gain: 0.4)]),
    ]),
    cover: [(kind: Sand), (kind: Rock, colour: (0.5, 0.4, 0.3), slope: (min: 0.6), strata: 1)],
    sea_level: -12.5,
)";

fn refused(text: &str) -> (String, String) {
    let error = Recipe::from_ron(text).unwrap_err();
    (error.path, error.problem)
}

#[test]
fn reads_and_writes() {
    let recipe = Recipe::from_ron(TEXT).unwrap();
    assert_eq!((recipe.seed, recipe.height, recipe.sea_level), (7, 800.0, Some(-12.5)));
    assert_eq!(recipe.cover.layers[0].colour(), CoverKind::Sand.colour());
    assert_eq!(recipe.cover.layers[1].colour(), [0.5, 0.4, 0.3]);
    let again = Recipe::from_ron(&recipe.to_ron().unwrap()).unwrap();
    assert_eq!(recipe, again);
    let json = serde_json::to_string(&recipe).unwrap();
    assert_eq!(recipe, serde_json::from_str(&json).unwrap());
}

/// A recipe of a layer and a kind, in the spelling of today and in that from before bands.
fn with_bands(layer: &str, kind: &str) -> String {
    format!(
        "(field: Constant(0), cover: [(kind: Grass), (kind: Rock{layer})],
          scatter: (kinds: [(model: Birch{kind})]))"
    )
}

#[test]
fn parts_of_bands_that_are_left_out_have_the_defaults_of_their_field() {
    let text = with_bands(", slope: (min: 0.6), bank: (max: 9)", ", slope: (), depth: (max: 2)");
    let recipe = Recipe::from_ron(&text).unwrap();
    let (layer, kind) = (&recipe.cover.layers[1], &recipe.scatter.kinds[0]);
    assert_eq!(layer.slope, CoverLayer::SLOPE.above(0.6));
    assert_eq!(layer.bank, CoverLayer::BANK.below(9.0));
    assert_eq!(layer.height, CoverLayer::HEIGHT);
    assert_eq!(kind.slope, Band { min: 0.0, max: 1.0, soft: 0.3 });
    assert_eq!(kind.depth, ScatterKind::DEPTH.below(2.0));
}

#[test]
fn bands_are_read_in_their_old_spelling_and_written_in_the_new_one() {
    let old = with_bands(
        ", slope_min: 0.6, height_max: 90, height_soft: 4, bank_max: 9, bank_soft: 2",
        ", edit_min: 3, depth_max: 2, temperature_soft: 1.5, slope_max: 0.7, size_min: 0.5",
    );
    let new = with_bands(
        ", slope: (min: 0.6), height: (max: 90, soft: 4), bank: (max: 9, soft: 2)",
        ", edit: (min: 3), depth: (max: 2), temperature: (soft: 1.5), slope: (max: 0.7),
          size_min: 0.5",
    );
    let recipe = Recipe::from_ron(&old).unwrap();
    assert_eq!(recipe, Recipe::from_ron(&new).unwrap());
    let (ron, json) = (recipe.to_ron().unwrap(), serde_json::to_string(&recipe).unwrap());
    for written in [&ron, &json] {
        let old_names = ["slope_", "height_", "bank_", "edit_", "depth_", "temperature_max"];
        assert!(old_names.iter().all(|name| !written.contains(name)), "{written}");
    }
    assert_eq!(recipe, Recipe::from_ron(&ron).unwrap());
    assert_eq!(recipe, serde_json::from_str(&json).unwrap());
    // Both spellings in one band.
    let mixed = with_bands("", ", slope: (max: 0.7), slope_soft: 0.1");
    let kind = &Recipe::from_ron(&mixed).unwrap().scatter.kinds[0];
    assert_eq!(kind.slope, Band { min: 0.0, max: 0.7, soft: 0.1 });
}

/// Formats without names, by which games send layers and kinds.
#[cfg(feature = "checksum")]
#[test]
fn bands_are_read_in_their_order() {
    let text = with_bands(
        ", slope: (min: 0.6), bank: (max: 9)",
        ", height: (max: 90, soft: 4), size_min: 0.5, custom: {\"lava\": 0.25}",
    );
    let Recipe { cover, scatter, .. } = Recipe::from_ron(&text).unwrap();
    let bytes = postcard::to_allocvec(&(&cover, &scatter)).unwrap();
    assert_eq!(postcard::from_bytes(&bytes), Ok((cover.clone(), scatter)));
    assert!(postcard::from_bytes::<CoverLayer>(&bytes[..9]).is_err());
    let json = serde_json::json!([cover.layers[1]]).to_string();
    assert!(serde_json::from_str::<CoverLayer>(&json).is_err());
}

#[test]
fn bands_refuse_what_they_do_not_know() {
    for (layer, path, problem) in [
        (", slope_mid: 1", "cover[1]", "slope_mid"),
        (", slope: (mid: 1)", "cover[1].slope", "mid"),
        (", slope: (min: \"low\")", "cover[1].slope.min", ""),
        (", slope_min: 0.1, slope: (min: 0.2)", "cover[1].slope", "slope.min"),
        (", slope: (), slope: ()", "cover[1]", "slope"),
        (", strata: 1, strata: 1", "cover[1]", "strata"),
        (", kind: Sand", "cover[1]", "kind"),
        (", slope: (min: 0.7, max: 0.2)", "cover[1].slope.max", "at least `slope.min`, 0.7"),
        (", slope_soft: 11", "cover[1].slope.soft", "between 0 and 10"),
        // A layer has no minimum distance from water.
        (", bank: (min: 1)", "cover[1].bank.min", "but must be"),
    ] {
        let (found, text) = refused(&with_bands(layer, ""));
        assert!(found.starts_with(path) && text.contains(problem), "{layer}: {found}: {text}");
    }
    // The ends of these are sharp.
    for band in ["bank", "depth", "edit"] {
        let (path, problem) = refused(&with_bands("", &format!(", {band}: (soft: 1)")));
        assert_eq!(path, format!("scatter.kinds[0].{band}.soft"));
        assert!(problem.ends_with("must be between 0 and 0"), "{problem}");
    }
}

#[test]
fn names_the_faulty_field() {
    let cases = [
        // (replacement, path in the error, text in the error)
        (
            "octaves: 10",
            "octaves: 99",
            "field.Add[0].Fractal.octaves",
            "octaves is 99, but must be between 1 and 24",
        ),
        ("(min: 0.6)", "(min: -1)", "cover[1].slope.min", "between 0 and 1000"),
        ("(min: 0.6)", "1", "cover[1].slope", "Band"),
        ("(min: 0.6)", "(mim: 0.6)", "cover[1].slope", "did you mean `min`?"),
        ("slope: (min: 0.6)", "slop: (min: 0.6)", "cover[1]", "did you mean `slope`?"),
        ("kind: Sand", "kind: Mud", "cover[0].kind", "Mud"),
        ("-12.5", "1e9", "sea_level", "between"),
        ("octaves: 10", "octaves: -1", "field.Add[0].Fractal.octaves", ""),
        ("octaves: 10", "octave: 10", "field.Add[0].Fractal", "octave"),
        ("0.0005", "0.0", "field.Add[0].Fractal.frequency", "between"),
        ("0.0005", "NaN", "field.Add[0].Fractal.frequency", "NaN"),
        ("0.0005", "\"fast\"", "field.Add[0].Fractal.frequency", ""),
        ("gain: 0.4", "gain: 1.5", "field.Add[1].Multiply[1].Fractal.gain", "between 0 and 1"),
        (
            "gain: 0.4",
            "octaves: 24, lacunarity: 8.0",
            "field.Add[1].Multiply[1].Fractal",
            "the frequency of the last octave is",
        ),
        ("Constant(0.25)", "Constant(inf)", "field.Add[1].Multiply[0].Constant", "inf"),
        ("height: 800.0", "height: -1.0", "height", "between"),
        ("height: 800.0", "heigth: 800.0", "heigth", "did you mean `height`?"),
        (
            "[Constant(0.25), Fractal(noise: Gradient(seed: 1), frequency: 0.01, gain: 0.4)]",
            "[]",
            "field.Add[1].Multiply",
            "at least one",
        ),
        ("Constant(0.25)", "Constant(1e6)", "field", "height"),
        (
            "Constant(0.25)",
            "Noise(Cellular(output: CellValue, ramp: 0))",
            "field.Add[1].Multiply[0].Noise.Cellular.ramp",
            "between 0.01 and 0.5",
        ),
        (
            "gain: 0.4",
            "kind: PingPong(strength: 17)",
            "field.Add[1].Multiply[1].Fractal.kind.PingPong.strength",
            "between 0 and 16",
        ),
        (
            "gain: 0.4",
            "kind: Hybrid(offset: -1)",
            "field.Add[1].Multiply[1].Fractal.kind.Hybrid.offset",
            "between 0 and 4",
        ),
        ("Constant", "Canstont", "field", "Canstont"),
    ];
    for (old, new, path, words) in cases {
        let text = TEXT.replace(old, new);
        assert_ne!(text, TEXT);
        let (found, problem) = refused(&text);
        assert!(found.starts_with(path), "{new}: named {found}, not {path} ({problem})");
        assert!(problem.contains(words), "{new}: {problem}");
    }
}

#[test]
fn refuses_other_text_without_panic() {
    for text in ["", "(", "()", "[]", "nonsense", "(field: Constant(1.0)) more"] {
        let (path, problem) = refused(text);
        assert!(!path.is_empty() && !problem.is_empty(), "{text}");
    }
    // Syntax errors have the line.
    assert!(refused("(\n  seed: 1\n  height: 2.0)").1.contains("3:"));
}

#[test]
fn refuses_trees_too_deep_or_large() {
    let nest = |depth: usize| {
        let mut node = Node::Constant(1.0);
        for _ in 1..depth {
            node = Node::Add(vec![node]);
        }
        Recipe::new(0, 1.0, node)
    };
    assert!(nest(MAX_DEPTH).build().is_ok());
    let error = nest(MAX_DEPTH + 1).build().unwrap_err();
    assert!(error.problem.contains("deeper than 16"), "{error}");

    // Nesting far deeper than the stack is an error, not a crash.
    let text = format!("(field: {}{})", "Add([".repeat(100_000), "])".repeat(100_000));
    assert!(Recipe::from_ron(&text).is_err());

    let wide = Recipe::new(0, 1.0, Node::Add(vec![Node::Constant(0.0); MAX_NODES + 1]));
    assert!(wide.build().unwrap_err().problem.contains("more than 1024"));
}

#[test]
fn seeds_choose_worlds_and_layers() {
    let layer = |seed| Node::from(Fractal::fbm(8.0, GradientNoise::seeded(seed)));
    let value = |seed, field| Recipe::new(seed, 1.0, field).build().unwrap().value([10.3, -4.2]);
    assert_ne!(value(1, layer(0)), value(2, layer(0)));
    assert_ne!(value(1, layer(0)), value(1, layer(1)));
    // Two equal layers are the same noise, so their product is its square.
    let once = value(1, layer(0));
    assert_eq!(value(1, Node::Multiply(vec![layer(0), layer(0)])), once * once);
}

/// Ranges that f32 cannot represent are refused, with the path where they arise.
#[test]
fn refuses_trees_that_would_overflow() {
    let noise = "Noise(Gradient())";
    let list = |item: &str, n: usize| vec![item; n].join(", ");
    let huge = format!("Multiply([{}])", list("Constant(1e6)", 7));
    let scales = list("Scale(1e9, 1e9)", 3);
    let shrinks = list("Scale(1e-9, 1e-9)", 3);
    for (field, path) in [
        (format!("Multiply([{}, Constant(0.0)])", list("Constant(1e6)", 7)), "field.Multiply[2]"),
        (format!("Lerp(from: {huge}, to: Constant(1.0), mask: Constant(1.0))"), "field.Lerp.from"),
        (format!("Shape(field: Multiply([{huge}, {noise}]), by: [Clamp()])"), "field.Shape.field"),
        (format!("Domain(field: {noise}, by: [{scales}])"), "field.Domain.by[1]"),
        (format!("Domain(field: {noise}, by: [{shrinks}])"), "field.Domain.by[1]"),
        (
            format!("Domain(field: {noise}, by: [Translate(1e15, 0.0), Scale(10.0, 1.0)])"),
            "field.Domain.field",
        ),
        (format!("Warp(field: {noise}, by: [{huge}, Constant(0.0)])"), "field.Warp.by[0]"),
        (
            "Warp(field: Fractal(frequency: 1e3), \
             by: [Multiply([Constant(1e6), Constant(1e6)]), Constant(0.0)])"
                .into(),
            "field.Warp.field",
        ),
        (
            format!(
                "Shape(field: Add([Constant(1e6), Multiply([Constant(1e-3), {noise}])]), \
                 by: [Normalize()])"
            ),
            "field.Shape.by[0]",
        ),
        (format!("Shape(field: {noise}, by: [{}])", list("Abs", MAX_NODES + 1)), "field.Shape.by"),
    ] {
        let error = Recipe::from_ron(&format!("(field: {field})")).unwrap_err();
        assert!(error.path.starts_with(path), "{field}: {error}");
    }
}

/// A hand-written file with every kind of node.
#[test]
fn every_kind_can_be_written_by_hand() {
    let text = "(field: Min(smooth: 0.1, of: [
        Warp(
            field: Domain(
                field: Shape(
                    field: Fractal(
                        noise: Gradient(
                            lattice: Permutation(table: Shuffled),
                            gradients: Table([(1.0, 0.5), (-1.0, 0.2)]),
                            fade: Cubic,
                            values: Added,
                            period: (4, 4),
                        ),
                        kind: Ridged(offset: 0.9),
                    ),
                    by: [
                        Curve([(0.0, 1.0), (1.0, 2.0)]),
                        Normalize(min: 0.0),
                        Clamp(max: 0.9, smooth: 0.1),
                        Terraces(step: 0.2),
                        Abs,
                        Square,
                    ],
                ),
                by: [Translate(1.0, 2.0), Rotate(degrees: 30.0), Scale(2.0, 0.5)],
            ),
            by: [Constant(0.5), Noise(Gradient(gradients: Square))],
        ),
        Lerp(
            from: Add([
                Noise(Simplex(seed: 3)),
                Noise(Cellular(output: F2MinusF1)),
                Noise(Cellular(output: CellValue, metric: Manhattan, ramp: 0.1)),
                Fractal(noise: Cellular(metric: Chebyshev), kind: Hybrid(offset: 0.8)),
                Fractal(kind: PingPong(strength: 1.5)),
            ]),
            to: Multiply([
                Constant(0.1),
                Noise(Gradient(lattice: Grid(size: (2, 1), values: [0.0, 1.0]), values: Alone)),
            ]),
            mask: Max(of: [Fractal(kind: Turbulence), Fractal(kind: Billow, octaves: 2.5)]),
        ),
    ]))";
    let recipe = Recipe::from_ron(text).unwrap();
    assert_eq!(Recipe::from_ron(&recipe.to_ron().unwrap()).unwrap(), recipe);
    assert_eq!(Recipe::from_json(&recipe.to_json().unwrap()).unwrap(), recipe);
    assert!(!recipe.to_ron().unwrap().contains('#'));
}

#[test]
fn syntax_errors_name_the_last_known_path() {
    let path = |text: &str| Recipe::from_ron(text).unwrap_err().path;
    assert_eq!(path("(field: Constant(1.0), 7)"), "recipe");
    assert_eq!(path("(%: 1)"), "recipe");
    for text in ["(field: Fractal(%))", "(field: Add([Constant(1), %]))", "(field: %)", "%", ""] {
        let error = Recipe::from_ron(text).unwrap_err();
        assert!(!error.path.contains('?') && !error.path.is_empty(), "{text}: {error}");
    }
    let error = Recipe::from_json("{\"field\": {\"Constant\": }}").unwrap_err();
    assert!(!error.path.contains('?'), "{error}");
}

#[test]
fn a_byte_order_mark_is_skipped() {
    let recipe = Recipe::new(7, 1.0, 0.5);
    let mark = |text: String| format!("\u{feff}{text}");
    assert_eq!(Recipe::from_ron(&mark(recipe.to_ron().unwrap())).unwrap(), recipe);
    assert_eq!(Recipe::from_json(&mark(recipe.to_json().unwrap())).unwrap(), recipe);
}

#[test]
fn json_recipes_are_objects() {
    let text = r#" [7, 1.0, {"Constant": 0.5}]"#;
    let error = Recipe::from_json(text).unwrap_err();
    assert_eq!(error.to_string(), "recipe: must be an object, not a list");
}

/// The text after the first item too many is not read: here it is not valid RON.
#[test]
fn long_lists_are_refused_at_their_limit() {
    let items = "Constant(1.0), ".repeat(MAX_NODES + 44);
    let list_of = |item: &str, n: usize| format!("[{} %%%", format!("{item}, ").repeat(n));
    let lattice = "(field: Noise(Gradient(lattice:";
    for (list, max, path) in [
        (
            format!("(field: Shape(field: Constant(0), by: [Curve({}", list_of("(0, 0)", 65)),
            64,
            "field",
        ),
        (format!("{lattice} Grid(size: (9, 9), values: {}", list_of("0", 65_537)), 65_536, "field"),
        (
            format!("{lattice} Grid(size: (9, 9), gradients: {}", list_of("(0, 0)", 65_537)),
            65_536,
            "field",
        ),
        (format!("{lattice} Permutation(table: Given({}", list_of("0", 257)), 256, "field"),
        (
            format!("(field: Noise(Gradient(gradients: Table({}", list_of("(0, 0)", 65_537)),
            65_536,
            "field",
        ),
        (format!("(cover: {}", list_of("()", 17)), 16, "cover"),
    ] {
        let error = Recipe::from_ron(&list).unwrap_err();
        let problem = format!("the list has more than {max} items");
        assert!(error.problem.contains(&problem), "{error}");
        assert!(error.path.starts_with(path), "{error}");
    }
    for list in [
        format!("(field: Add([{items} %%%"),
        format!("(field: Multiply([{items} %%%"),
        format!("(field: Min(of: [{items} %%%"),
        format!("(field: Warp(field: Constant(1.0), by: [{items} %%%"),
        format!("(field: Shape(field: Constant(1.0), by: [{} %%%", "Abs, ".repeat(MAX_NODES + 44)),
    ] {
        let error = Recipe::from_ron(&list).unwrap_err();
        assert!(error.problem.contains("the list has more than 1024 items"), "{error}");
        assert!(error.path.starts_with("field"), "{error}");
    }
}

#[test]
fn reading_returns_the_field_too() {
    let recipe = Recipe::new(7, 300.0, Node::noise(1).fbm(3).frequency(0.01));
    let (read, field) = Recipe::build_ron(&recipe.to_ron().unwrap()).unwrap();
    assert_eq!(read, recipe);
    assert_eq!(field.sample([3.0, 4.0]), recipe.build().unwrap().sample([3.0, 4.0]));
    let (read, _) = Recipe::build_json(&recipe.to_json().unwrap()).unwrap();
    assert_eq!(read, recipe);
}

/// A recipe with rivers, all of whose parts can be at fault.
const RIVERS: &str = "(
    seed: 3, height: 500.0,
    field: Fractal(frequency: 2e-5, octaves: 3),
    rivers: (
        spacing: 5000, levels: 2, lakes: 0.5,
        relief: Constant(0.7),
        detail: Fractal(frequency: 0.002, octaves: 4, amplitude: 9),
    ),
    sea_level: 0.0,
)";

#[test]
fn rivers_are_read_written_and_built() {
    let recipe = Recipe::from_ron(RIVERS).unwrap();
    let rivers = recipe.rivers.as_ref().unwrap();
    assert_eq!((rivers.spacing, rivers.levels, rivers.lakes), (5000.0, 2.0, 0.5));
    assert_eq!(recipe, Recipe::from_ron(&recipe.to_ron().unwrap()).unwrap());
    let json = serde_json::to_string(&recipe).unwrap();
    assert_eq!(recipe, serde_json::from_str(&json).unwrap());
    let land = recipe.build().unwrap();
    assert!(land.rivers().is_some());
    // The seed of the world is mixed into that of the rivers.
    let other = Recipe { seed: 4, ..recipe.clone() }.build().unwrap();
    let points = (0..50).map(|i| [173.0 * f64::from(i), 91.0 * f64::from(i)]);
    assert!(points.clone().all(|p| land.value(p).is_finite()));
    assert!(points.clone().any(|p| land.value(p) != other.value(p)));
    let dry = Recipe { rivers: None, ..recipe }.build().unwrap();
    assert!(dry.rivers().is_none() && points.clone().any(|p| land.value(p) != dry.value(p)));
}

#[test]
fn faults_of_rivers_are_named() {
    for (from, to, path, problem) in [
        ("spacing: 5000", "spacing: 1", "rivers.spacing", "between 10 and"),
        ("lakes: 0.5", "lakes: NaN", "rivers.lakes", "NaN"),
        ("levels: 2", "level: 2", "rivers.level", "did you mean `levels`?"),
        ("Constant(0.7)", "Constant(1e99)", "rivers.relief.Constant", ""),
        ("octaves: 4", "octaves: 99", "rivers.detail.Fractal.octaves", "99"),
    ] {
        let text = RIVERS.replace(from, to);
        assert_ne!(text, RIVERS);
        let (found, message) = match Recipe::build_ron(&text) {
            Ok(_) => panic!("{to} was accepted"),
            Err(error) => (error.path, error.problem),
        };
        assert_eq!(found, path, "{message}");
        assert!(message.contains(problem), "{message}");
    }
}
