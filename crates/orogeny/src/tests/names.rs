//! Fields with a name, of a recipe.

use crate::drainage::Drainage;
use crate::node::{Band, MAX_DEPTH, Piece};
use crate::scatter::Scatter;
use crate::{Climate, DataError, Field, Node, Recipe};

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
    let error = Recipe::from_ron(&text.replace("Named(\"c", "Named(\"C")).unwrap_err();
    assert!(
        error.to_string().starts_with("climate.temperature_field.Multiply[0].Named"),
        "{error}"
    );
}
