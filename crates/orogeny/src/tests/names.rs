//! Fields with a name, of a recipe.

use crate::cover::{CoverKind, CoverLayer};
use crate::drainage::Drainage;
use crate::node::{Land, Lands, MAX_DEPTH, Piece};
use crate::scatter::{Scatter, ScatterKind};
use crate::{Band, Climate, Cover, DataError, Field, Grid, Node, Recipe, Region, Samples};

fn named(name: &str) -> Node {
    Node::Named(name.into())
}

fn hills() -> Node {
    Node::<2>::noise(3).fbm(4).frequency(1e-3)
}

fn recipe(field: Node) -> Recipe {
    Recipe { fields: [("hills".into(), hills())].into(), ..Recipe::new(5, 100.0, field) }
}

fn fault(recipe: &Recipe) -> DataError {
    recipe.build().unwrap_err()
}

#[test]
fn a_name_is_its_field() {
    let by_name = recipe(named("hills") + named("hills")).build().unwrap();
    let written_out = Recipe::new(5, 100.0, hills() + hills()).build().unwrap();
    for i in 0..50 {
        let p = [f64::from(i) * 373.0, f64::from(i) * -91.5];
        assert_eq!(by_name.sample(p), written_out.sample(p));
    }
    assert_eq!(by_name.bounds(), written_out.bounds());
}

/// Wherever a recipe has nodes.
#[test]
fn rivers_and_the_climate_use_names() {
    let mut recipe = recipe(named("hills"));
    recipe.rivers = Some(Drainage {
        relief: Some(named("hills")),
        detail: Some(named("moisture") * 3.0),
        ..Drainage::default()
    });
    recipe.climate.temperature_field = Some(named("hills") * 20.0);
    recipe.climate.moisture_field = Some(named("temperature") * 0.01);
    let ground = recipe.build().unwrap();
    let climate = ground.climate();
    for i in 0..20 {
        let p = [f64::from(i) * 1373.0, 8e4];
        let [t, m] = [climate.temperature(), climate.moisture()].map(|field| field.value(p));
        assert!((t * 0.01 - m).abs() < 1e-6, "{t} {m}");
    }
}

/// Lands that lie where a climate puts them, whether it has fields or numbers.
#[test]
fn lands_follow_the_climate() {
    let cold = Band { max: 8.0, soft: 0.5, ..Band::default() };
    let of = vec![Piece::new([], 0.0), Piece::new([cold], 1.0)];
    let along = vec![named("temperature"), named("moisture")];
    let climates = [
        Climate { warm_patches: 6.0, patch_size: 5e3, ..Climate::default() },
        Climate { temperature_field: Some(hills() * 5.0 + 8.0), ..Climate::default() },
    ];
    for climate in climates {
        let field = Node::Blend { of: of.clone(), along: along.clone() };
        let ground = Recipe { climate, ..recipe(field) }.build().unwrap();
        let mut counts = [0; 2];
        for i in 0..900 {
            let p = [f64::from(i % 30) * 999.0, f64::from(i / 30) * 888.0];
            let temperature = ground.climate().temperature().value(p);
            let height = ground.value(p);
            if (temperature - 8.0).abs() > 0.26 {
                let is_cold = temperature < 8.0;
                assert_eq!(height, if is_cold { 100.0 } else { 0.0 }, "{temperature} at {p:?}");
                counts[usize::from(is_cold)] += 1;
            }
        }
        assert!(counts.iter().all(|&count| count > 100), "{counts:?}");
    }
}

/// Three lands along two fields, and a recipe with a field for two of them.
fn with_lands(of: [(&str, Node); 2]) -> Recipe {
    let cold = Band { max: 0.1, soft: 0.3, ..Band::default() };
    let high = Band { min: -0.1, soft: 0.2, ..Band::default() };
    let land = |name: &str, within| Land { name: name.into(), within, ..Land::default() };
    let lands = Lands {
        along: vec![named("hills"), Node::<2>::noise(9).frequency(2e-3)],
        of: vec![land("plain", vec![]), land("moor", vec![cold]), land("peaks", vec![cold, high])],
    };
    let of = of.map(|(name, node)| (name.to_owned(), node));
    Recipe { lands, ..recipe(Node::Lands(of.into())) }
}

/// A field for each land is a blend of them. A land without one shows what lies below.
#[test]
fn lands_blend_their_fields() {
    let fields = || [1.0f32, 2.0].map(|height| hills() * height + height);
    let [plain, peaks] = fields();
    let own = with_lands([("plain", plain), ("peaks", peaks)]);
    let ground = own.build().unwrap();
    let [plain, peaks] = fields();
    let Lands { along, of } = own.lands.clone();
    let of = vec![Piece::new([], plain), Piece::new(of[2].within.clone(), peaks)];
    let blend = recipe(Node::Blend { of, along }).build().unwrap();
    let grid = Grid::new([-3e4, 1e4], 300.0, [64, 64]);
    let mut samples = Samples::new();
    ground.sample_grid(&grid, &mut samples);
    let (mut sums, mut mixed) = (0, 0);
    ground.lands().each_weights(&grid, |i, weights| {
        let p = grid.points().nth(i).unwrap();
        assert_eq!(weights, ground.lands().weights(p));
        assert!((weights.iter().sum::<f32>() - 1.0).abs() < 1e-6, "{weights:?}");
        assert_eq!(samples.get(i), ground.sample(p));
        assert_eq!(samples.get(i), blend.sample(p));
        sums += 1;
        mixed += usize::from(weights.iter().all(|&weight| weight < 0.9));
    });
    assert!(sums == 4096 && mixed > 100, "{sums} {mixed}");
}

#[test]
fn wrong_lands_are_errors() {
    let one = || Node::Constant(1.0);
    let error = fault(&with_lands([("plain", one()), ("bog", one())]));
    assert_eq!(error.path, "field.Lands.bog");
    assert!(error.problem.contains("plain, moor, peaks"), "{error}");
    let error = fault(&with_lands([("moor", one()), ("peaks", one())]));
    assert_eq!(error.path, "field.Lands.plain");
    let error = fault(&with_lands([("plain", one()), ("moor", Node::Constant(f32::NAN))]));
    assert_eq!(error.path, "field.Lands.moor.Constant");
    let error = Node::<2>::Lands([("plain".to_owned(), one())].into()).build().unwrap_err();
    assert!(error.problem.contains("recipe"), "{error}");
    let mut wrong = with_lands([("plain", one()), ("moor", one())]);
    wrong.lands.along[1] = Node::Constant(f32::NAN);
    assert_eq!(fault(&wrong).path, "lands.along[1].Constant");
}

/// A season changes cover, but nothing that grows.
#[test]
fn trees_stay_where_they_are_in_winter() {
    let kind = |seed, coldest| ScatterKind {
        seed,
        grass: 1.0,
        forest: 1.0,
        temperature: ScatterKind::TEMPERATURE.above(coldest),
        ..ScatterKind::default()
    };
    let snow = CoverLayer {
        temperature: CoverLayer::TEMPERATURE.below(4.0),
        ..CoverLayer::of(CoverKind::Snow)
    };
    let cover = Cover { layers: vec![CoverLayer::of(CoverKind::Grass), snow] };
    let climate = Climate { warm_patches: 5.0, patch_size: 400.0, ..Climate::default() };
    let scatter = Scatter { kinds: vec![kind(1, -50.0), kind(2, 9.0)], ..Scatter::default() };
    let own = Recipe { cover, climate, scatter, ..recipe(hills()) };
    let trees = |season| {
        let climate = Climate { season, ..own.climate.clone() };
        let ground = Recipe { climate, ..own.clone() }.build().unwrap();
        ground.placement().in_region(Region::around([0.0; 2], [300.0; 2]), |_| true).unwrap()
    };
    let autumn = trees(0.0);
    assert!(autumn.len() > 500, "{}", autumn.len());
    assert_eq!(trees(-1.0), autumn);
    assert_eq!(trees(1.0), autumn);
}

#[test]
fn wrong_names_are_errors() {
    let error = fault(&recipe(named("hils") + 1.0));
    assert_eq!(error.path, "field.Add[0].Named");
    assert_eq!(error.problem, "is \"hils\", but must be one of hills, moisture, temperature");
    let error = named("hills").build().unwrap_err();
    assert_eq!(error.problem, "is \"hills\", but only a recipe has names for fields");

    let mut taken = recipe(1.0.into());
    taken.fields.insert("moisture".into(), 1.0.into());
    assert_eq!(fault(&taken).path, "fields.moisture");

    // Fields that are not used are checked as well.
    let mut wrong = recipe(1.0.into());
    wrong.fields.insert("rough".into(), Node::Constant(f32::NAN));
    assert_eq!(fault(&wrong).path, "fields.rough.Constant");
    let too_many = (0..=Recipe::MAX_FIELDS).map(|i| (format!("f{i}"), Node::Constant(0.0)));
    assert_eq!(fault(&Recipe { fields: too_many.collect(), ..recipe(1.0.into()) }).path, "fields");
}

#[test]
fn a_field_cannot_contain_itself() {
    let mut own = recipe(named("a"));
    own.fields = [("a", named("b") + 1.0), ("b", named("a"))]
        .map(|(name, node)| (name.to_owned(), node))
        .into();
    let error = fault(&own);
    assert!(error.problem.contains("would contain itself"), "{error}");
    own.climate.temperature_field = Some(named("temperature"));
    own.fields.clear();
    assert!(fault(&own).problem.contains("would contain itself"));
    // Or make a tree of any size out of a few names.
    let name = |i: u32| format!("f{i}");
    let many = |i| Node::Add(vec![named(&name(i)); 16]);
    let mut wide = recipe(named(&name(3)));
    wide.fields = (1..4).map(|i| (name(i), many(i - 1))).collect();
    wide.fields.insert(name(0), hills());
    assert!(fault(&wide).problem.contains("nodes"), "{}", fault(&wide));
    let mut deep = recipe(named(&name(MAX_DEPTH as u32)));
    deep.fields = (1..=MAX_DEPTH as u32).map(|i| (name(i), named(&name(i - 1)))).collect();
    deep.fields.insert(name(0), hills());
    assert!(fault(&deep).problem.contains("deeper"), "{}", fault(&deep));
}

#[cfg(feature = "ron")]
#[test]
fn files_have_names() {
    let text = "(
        fields: {\"continents\": Fractal(noise: Gradient(seed: 1), frequency: 0.0001)},
        field: Named(\"continents\"),
        climate: (temperature_field: Multiply([Named(\"continents\"), Constant(30)])),
    )";
    let recipe = Recipe::from_ron(text).unwrap();
    assert_eq!(recipe.field, named("continents"));
    assert_eq!(recipe.scatter, Scatter::default());
    assert_eq!(Recipe::from_ron(&recipe.to_ron().unwrap()).unwrap(), recipe);
    let twice = text.replace("fields: {", "fields: {\"continents\": Constant(1), ");
    assert!(Recipe::from_ron(&twice).is_err());
    let error = Recipe::from_ron(&text.replace("Named(\"c", "Named(\"C")).unwrap_err();
    assert!(
        error.to_string().starts_with("climate.temperature_field.Multiply[0].Named"),
        "{error}"
    );
}
