//! The parts of which grown models are drawn, and the textures of these.

/// The part of a level with one material.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Part {
    /// All that covers its triangles: bark, stone, blades.
    Solid,
    /// Leaves and needles, between which one sees through.
    Leaves,
    /// The impostor of the model with an index in
    /// [`Model::GROWN`](orogeny::scatter::Model::GROWN).
    Impostor(u8),
}

impl Part {
    pub const OF_MESHES: [Self; 2] = [Self::Solid, Self::Leaves];

    /// What it is drawn with.
    pub fn textures(self) -> Textures {
        match self {
            Self::Solid | Self::Leaves => Textures::Surfaces,
            Self::Impostor(model) => Textures::Impostors(model),
        }
    }
}

/// Textures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Textures {
    /// Those of meshes.
    Surfaces,
    /// Those of the impostors of a model, by its index in
    /// [`Model::GROWN`](orogeny::scatter::Model::GROWN).
    Impostors(u8),
}
