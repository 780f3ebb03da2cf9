//! The models of all kinds, grown when they are first drawn.

use std::sync::OnceLock;

use orogeny::scatter::Model;
use orogeny_models::{Levels, Mesh, grow};

/// The number of models of each kind that are seen from near.
const VARIANTS: usize = 4;
/// From this level on, all instances have the mesh of one model, stretched to their heights. Nobody
/// can tell them apart by then.
const FAR: usize = 2;

static GROWN: [OnceLock<Vec<Levels>>; Model::GROWN.len()] =
    [const { OnceLock::new() }; Model::GROWN.len()];

/// A mesh of a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Shape {
    /// The index of the model in [`Model::GROWN`].
    model: u8,
    variant: u8,
    level: u8,
}

impl Shape {
    pub fn mesh(self) -> &'static Mesh {
        &self.levels().levels[usize::from(self.level)]
    }

    pub fn levels(self) -> &'static Levels {
        &models(usize::from(self.model))[usize::from(self.variant)]
    }
}

/// The shape of an instance with a tint at a level, and by how much it is larger than that shape.
/// `None` for models that the game provides.
pub fn shape(model: &Model, tint: f32, level: usize) -> Option<(Shape, f32)> {
    let model = Model::GROWN.iter().position(|grown| grown == model)?;
    let own = (tint * 97.0) as usize % VARIANTS;
    let variant = if level < FAR { own } else { 0 };
    let models = models(model);
    let level = level.min(models[variant].levels.len() - 1);
    let stretch = models[own].height / models[variant].height;
    Some((Shape { model: model as u8, variant: variant as u8, level: level as u8 }, stretch))
}

/// All variants of a model, by its index.
fn models(model: usize) -> &'static [Levels] {
    let grow_all =
        || (0..VARIANTS as u64).filter_map(|seed| grow(&Model::GROWN[model], seed)).collect();
    GROWN[model].get_or_init(grow_all)
}
