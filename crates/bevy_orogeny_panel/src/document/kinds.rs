//! New kinds of plants and rocks.

use orogeny::scatter::{Model, Scatter, ScatterKind};

/// A new kind with this model, dense enough to be seen. Its seed is unused.
pub fn new_kind(model: Model, scatter: &Scatter) -> ScatterKind {
    let radius = match model {
        Model::Spruce | Model::Pine | Model::Broadleaf | Model::Birch | Model::Custom(_) => 3.0,
        Model::Bush => 2.0,
        Model::Fern => 0.9,
        Model::Grass => 0.25,
        Model::Reed => 0.4,
        Model::Deadwood => 12.0,
        Model::Boulder => 9.0,
        Model::Stone => 1.2,
    };
    let kind = ScatterKind { radius, seed: unused_seed(scatter), ..ScatterKind::default() };
    match model {
        Model::Boulder | Model::Stone => ScatterKind {
            rock: 0.4,
            scree: 0.6,
            grass: 0.1,
            slope: ScatterKind::SLOPE.below(1.6),
            model,
            ..kind
        },
        Model::Reed => ScatterKind {
            scree: 1.0,
            grass: 1.0,
            sand: 1.0,
            bank: ScatterKind::BANK.above(-1.0).below(2.0),
            depth: ScatterKind::DEPTH.below(0.5),
            model,
            ..kind
        },
        Model::Deadwood => ScatterKind { forest: 0.5, model, ..kind },
        _ => ScatterKind { forest: 1.0, grass: 0.3, model, ..kind },
    }
}

/// The smallest seed from 1 that no kind has.
pub fn unused_seed(scatter: &Scatter) -> u64 {
    let is_unused = |seed: &u64| scatter.kinds.iter().all(|kind| kind.seed != *seed);
    (1..).find(is_unused).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use strum::IntoEnumIterator;

    use super::*;

    #[test]
    fn a_kind_of_each_model_is_valid_beside_the_others() {
        let mut scatter = Scatter::default();
        for model in Model::iter() {
            let kind = new_kind(model.clone(), &scatter);
            assert_eq!(kind.model, model);
            scatter.kinds.push(kind);
        }
        assert_eq!(scatter.check(), Ok(()));
        scatter.kinds.remove(2);
        assert_eq!(unused_seed(&scatter), 3);
    }
}
