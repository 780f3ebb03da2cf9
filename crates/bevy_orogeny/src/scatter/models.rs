//! The models of all kinds, grown when they are first drawn.

use std::sync::OnceLock;

use orogeny::scatter::Model;
use orogeny_models::{Levels, Mesh, grow};

/// The number of models of each kind that are seen from near.
const VARIANTS: usize = 4;
/// From this level on, all instances have the mesh of one model, stretched to their heights. Nobody
/// can tell them apart by then.
const FAR: usize = 2;

/// The kinds of models that are grown.
const COUNT: usize = orogeny_models::Model::ALL.len();

static GROWN: [OnceLock<Vec<Levels>>; COUNT] = [const { OnceLock::new() }; COUNT];

/// A mesh of a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Shape {
    pub model: orogeny_models::Model,
    pub variant: u8,
    pub level: u8,
}

impl Shape {
    pub fn mesh(self) -> &'static Mesh {
        &self.levels().levels[usize::from(self.level)]
    }

    pub fn levels(self) -> &'static Levels {
        &models(self.model)[usize::from(self.variant)]
    }
}

/// The shape of an instance with a tint at a level, and by how much it is larger than that shape.
pub fn shape(model: orogeny_models::Model, tint: f32, level: usize) -> (Shape, f32) {
    let own = (tint * 97.0) as usize % VARIANTS;
    let variant = if level < FAR { own } else { 0 };
    let models = models(model);
    let level = level.min(models[variant].levels.len() - 1);
    let stretch = models[own].height / models[variant].height;
    (Shape { model, variant: variant as u8, level: level as u8 }, stretch)
}

/// The model of a kind that is grown; none for one that the game provides.
pub fn grown(model: &Model) -> Option<orogeny_models::Model> {
    use orogeny_models::Model as Grown;
    Some(match model {
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
        Model::Custom(_) => return None,
    })
}

fn models(model: orogeny_models::Model) -> &'static [Levels] {
    let grow_all = || (0..VARIANTS as u64).map(|seed| grow(model, seed)).collect();
    GROWN[model as usize].get_or_init(grow_all)
}
