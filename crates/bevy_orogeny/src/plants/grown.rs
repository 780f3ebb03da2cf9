//! The plugin's own models, grown when they are first drawn, in parts of one material each.

use std::sync::OnceLock;

use bevy_mesh::{Indices, Mesh};
use orogeny::scatter::Model;
use orogeny_models::{ImpostorBounds, Levels, Vertex, grow};

use super::packed::{packed, position, quad, surface};
use super::textures::Textures;
use super::tiers::Class;

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
            Self::Solid | Self::Leaves => Textures::Patterns,
            Self::Impostor(model) => Textures::Impostors(model),
        }
    }
}

/// The number of models of each kind that are seen from near.
pub const SEEDS: usize = 4;
/// From this level on, all instances of a model without impostors have the mesh of one seed,
/// stretched to their heights. Nobody can tell them apart by then.
const FAR: usize = 2;
/// How far wind moves the tops of trees.
const SWAY: f32 = 0.3;
/// The level in whose place trees have impostors.
const IMPOSTORS: usize = 3;

static GROWN: [OnceLock<Vec<Levels>>; Model::GROWN.len()] =
    [const { OnceLock::new() }; Model::GROWN.len()];

/// Whether a model has impostors: it is seen from afar, and meshes of few triangles do not look
/// like it.
fn has_impostors(model: u8) -> bool {
    let is_leafy = |mesh: &orogeny_models::Mesh| {
        mesh.vertices.iter().any(|vertex| !vertex.pattern.is_opaque())
    };
    Class::of(&Model::GROWN[usize::from(model)]) == Some(Class::Large)
        && is_leafy(&levels(model, 0).levels[0])
}

/// The seed and the level that are drawn in the place of a level, which may be beyond the last
/// one.
pub fn drawn(model: u8, seed: u8, level: usize) -> (u8, u8) {
    let last = levels(model, seed).levels.len() - 1;
    let seed = if level < FAR || has_impostors(model) { seed } else { 0 };
    (seed, level.min(last) as u8)
}

/// The meshes of a level, with their parts.
pub fn meshes(model: u8, seed: u8, level: u8) -> Vec<(Part, Mesh)> {
    let all = levels(model, seed);
    if usize::from(level) >= IMPOSTORS && has_impostors(model) {
        let positions = all.levels[0].vertices.iter().map(|vertex| vertex.position);
        let bounds = ImpostorBounds::new(positions);
        return vec![(Part::Impostor(model), quad(bounds, seed.into(), SWAY))];
    }
    let Some(level) = all.levels.get(usize::from(level)) else { return Vec::new() };
    let part = |part| Some((part, mesh(level, part)?));
    Part::OF_MESHES.into_iter().filter_map(part).collect()
}

/// The model with an index in [`Model::GROWN`] and a seed below [`SEEDS`]. This grows it, if
/// nobody has.
pub fn levels(model: u8, seed: u8) -> &'static Levels {
    let grow_all = || {
        let model = &Model::GROWN[usize::from(model)];
        (0..SEEDS as u64).filter_map(|seed| grow(model, seed)).collect()
    };
    &GROWN[usize::from(model)].get_or_init(grow_all)[usize::from(seed)]
}

/// The mesh of a part; `None` if the level has no such part.
fn mesh(all: &orogeny_models::Mesh, part: Part) -> Option<Mesh> {
    let is_in = |vertex: &Vertex| vertex.pattern.is_opaque() == (part == Part::Solid);
    // The number of each vertex among those of the part.
    let mut numbers = Vec::with_capacity(all.vertices.len());
    let mut count = 0;
    for vertex in &all.vertices {
        numbers.push(count);
        count += u16::from(is_in(vertex));
    }
    let vertices = || all.vertices.iter().filter(|vertex| is_in(vertex));
    let indices = all.indices.iter().map(|&index| index as usize);
    let indices = indices.filter(|&index| is_in(&all.vertices[index])).map(|index| numbers[index]);
    let indices: Vec<u16> = indices.collect();
    let positions = vertices().map(|vertex| position(vertex.position, vertex.sway)).collect();
    let surface = |vertex: &Vertex| {
        let layer = vertex.pattern as u8;
        surface(vertex.uv, vertex.normal.into(), layer, vertex.tone)
    };
    (!indices.is_empty()).then(|| {
        let surfaces = vertices().map(surface).collect();
        packed(positions, surfaces, Indices::U16(indices))
    })
}

#[cfg(test)]
mod tests {
    use crate::plants::packed::EXTENT;

    use super::*;

    #[test]
    fn parts_have_all_triangles_of_all_levels() {
        for model in 0..Model::GROWN.len() as u8 {
            for seed in 0..SEEDS as u8 {
                for all in &levels(model, seed).levels {
                    let meshes = Part::OF_MESHES.map(|part| mesh(all, part));
                    let count = |mesh: &Mesh| {
                        [mesh.count_vertices(), mesh.indices().expect("it has some").len()]
                    };
                    let counts = meshes.iter().flatten().map(count);
                    let sum = counts.fold([0; 2], |sum, more| [sum[0] + more[0], sum[1] + more[1]]);
                    assert_eq!(sum, [all.vertices.len(), all.indices.len()]);
                    let far = all.vertices.iter().flat_map(|vertex| vertex.position);
                    assert!(far.map(f32::abs).fold(0.0, f32::max) < EXTENT, "model {model}");
                }
            }
        }
    }
}
