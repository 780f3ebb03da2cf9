//! The levels of a model look alike, so that the change from one to the next hardly shows.

use orogeny_models::{Model, grow};

#[path = "../examples/contact_sheet/appearance.rs"]
mod appearance;

use appearance::Appearance;

/// Samples across the picture of a mesh. Thin tips need more.
fn resolution(model: &Model) -> usize {
    match model {
        Model::Grass | Model::Flower | Model::Reed | Model::Deadwood => 240,
        _ => 64,
    }
}

fn compare(model: &Model) {
    for seed in 0..8 {
        let levels = grow(model, seed).unwrap();
        let appearance = |mesh| Appearance::of(mesh, &levels, resolution(model));
        let seen: Vec<Appearance> = levels.levels.iter().map(appearance).collect();
        for (level, own) in seen.iter().enumerate().skip(1) {
            let name = format!("{model:?}, seed {seed}, level {level}");
            let area = own.area / seen[0].area;
            assert!((0.7..1.3).contains(&area), "{name}: the area changes by a factor of {area}");
            let top = own.top / seen[0].top;
            assert!((0.95..1.05).contains(&top), "{name}: the height changes by {top}");
            let difference = (own.encoded() - seen[0].encoded()).abs();
            assert!(difference.max_element() < 0.06, "{name}: the colour changes by {difference}");
        }
    }
}

macro_rules! tests {
    ($($name:ident: $model:ident,)*) => {
        $(
            #[test]
            fn $name() {
                compare(&Model::$model);
            }
        )*
    };
}

tests! {
    spruces: Spruce,
    pines: Pine,
    broadleaf_trees: Broadleaf,
    birches: Birch,
    bushes: Bush,
    ferns: Fern,
    grass: Grass,
    reed: Reed,
    deadwood: Deadwood,
    boulders: Boulder,
    stones: Stone,
    flowers: Flower,
}
