//! The models of all kinds, grown when they are first drawn.

use std::sync::OnceLock;

use orogeny::scatter::Model;
use orogeny_models::{Levels, grow};

/// The number of models of each kind.
const VARIANTS: usize = 4;

/// The kinds of models that are grown.
const COUNT: usize = orogeny_models::Model::ALL.len();

static GROWN: [OnceLock<Vec<Levels>>; COUNT] = [const { OnceLock::new() }; COUNT];

/// The models of a kind; none for a kind whose model the game provides.
pub fn models(model: &Model) -> &'static [Levels] {
    use orogeny_models::Model as Grown;
    let grown = match model {
        Model::Spruce => Grown::Spruce,
        Model::Pine => Grown::Pine,
        Model::Broadleaf => Grown::Broadleaf,
        Model::Birch => Grown::Birch,
        Model::Bush => Grown::Bush,
        Model::Fern => Grown::Fern,
        Model::Grass => Grown::Grass,
        Model::Reed => Grown::Reed,
        Model::Deadwood => Grown::Deadwood,
        Model::Boulder => Grown::Boulder,
        Model::Stone => Grown::Stone,
        Model::Custom(_) => return &[],
    };
    GROWN[grown as usize].get_or_init(|| (0..VARIANTS as u64).map(|i| grow(grown, i)).collect())
}
