//! The models of all kinds, grown when they are first drawn.

use std::sync::OnceLock;

use bevy_asset::RenderAssetUsages;
use bevy_mesh::{Indices, Mesh, PrimitiveTopology, VertexAttributeValues};
use orogeny::scatter::{Model, ScatterKind};
use orogeny_models::{Levels, Vertex, grow};

use super::vertex::{ATTRIBUTE_PLANT_POSITION, ATTRIBUTE_PLANT_SURFACE, position, surface};

/// The number of models of each kind that are seen from near.
const VARIANTS: usize = 4;
/// From this level on, all instances have the mesh of one model, stretched to their heights. Nobody
/// can tell them apart by then.
const FAR: usize = 2;

static GROWN: [OnceLock<Vec<Levels>>; Model::GROWN.len()] =
    [const { OnceLock::new() }; Model::GROWN.len()];

/// What an instance looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Look {
    /// The index of the model in [`Model::GROWN`].
    model: u8,
    variant: u8,
    /// Over that of the model: red, green and blue with 5, 6 and 5 bits.
    pub colour: u16,
}

/// A level of a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Shape {
    model: u8,
    variant: u8,
    level: u8,
}

/// The part of a shape with one material.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Part {
    /// All that covers its triangles: bark, stone, blades.
    Solid,
    /// Leaves and needles, between which one sees through.
    Leaves,
}

impl Part {
    pub const ALL: [Self; 2] = [Self::Solid, Self::Leaves];
}

impl Look {
    /// That of an instance with a tint; `None` for models that the game provides.
    pub fn of(kind: &ScatterKind, tint: f32) -> Option<Self> {
        let model = Model::GROWN.iter().position(|grown| *grown == kind.model)? as u8;
        let variant = ((tint * 97.0) as usize % VARIANTS) as u8;
        Some(Self { model, variant, colour: colour([kind.red, kind.green, kind.blue]) })
    }

    /// The model that is seen from near. This grows it, if nobody has.
    pub fn levels(self) -> &'static Levels {
        &models(self.model)[usize::from(self.variant)]
    }

    /// The shape at a level, which may be beyond the last one, and by how much the look is larger.
    pub fn shape(self, level: usize) -> (Shape, f32) {
        let variant = if level < FAR { self.variant } else { 0 };
        let models = models(self.model);
        let drawn = &models[usize::from(variant)];
        let level = level.min(drawn.levels.len() - 1) as u8;
        let stretch = self.levels().height / drawn.height;
        (Shape { model: self.model, variant, level }, stretch)
    }
}

impl Shape {
    /// The mesh of a part; `None` if the shape has no such part.
    pub fn mesh(self, part: Part) -> Option<Mesh> {
        let levels = &models(self.model)[usize::from(self.variant)];
        let all = &levels.levels[usize::from(self.level)];
        let is_in = |vertex: &Vertex| vertex.surface.is_opaque() == (part == Part::Solid);
        // The number of each vertex among those of the part.
        let mut numbers = Vec::with_capacity(all.vertices.len());
        let mut count = 0;
        for vertex in &all.vertices {
            numbers.push(count);
            count += u16::from(is_in(vertex));
        }
        let vertices = || all.vertices.iter().filter(|vertex| is_in(vertex));
        let indices = all.indices.iter().map(|&index| index as usize);
        let indices: Vec<u16> = indices
            .filter(|&index| is_in(&all.vertices[index]))
            .map(|index| numbers[index])
            .collect();
        let positions = vertices().map(position).collect();
        let surfaces = vertices().map(surface).collect();
        let mesh = Mesh::new(PrimitiveTopology::TriangleList, RenderAssetUsages::RENDER_WORLD)
            .with_inserted_attribute(
                ATTRIBUTE_PLANT_POSITION,
                VertexAttributeValues::Snorm16x4(positions),
            )
            .with_inserted_attribute(
                ATTRIBUTE_PLANT_SURFACE,
                VertexAttributeValues::Uint32x2(surfaces),
            );
        (!indices.is_empty()).then(|| mesh.with_inserted_indices(Indices::U16(indices)))
    }
}

/// All variants of a model, by its index.
fn models(model: u8) -> &'static [Levels] {
    let model = usize::from(model);
    let grow_all =
        || (0..VARIANTS as u64).filter_map(|seed| grow(&Model::GROWN[model], seed)).collect();
    GROWN[model].get_or_init(grow_all)
}

/// Parts of 1 / 16, 1 / 32 and 1 / 16, so that the model's own colour is exact.
fn colour([red, green, blue]: [f32; 3]) -> u16 {
    let part = |x: f32, one: f32, max: u16| ((x * one + 0.5) as u16).min(max);
    part(red, 16.0, 31) << 11 | part(green, 32.0, 63) << 5 | part(blue, 16.0, 31)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plants::vertex::EXTENT;

    #[test]
    fn parts_have_all_triangles_of_all_shapes() {
        for model in Model::GROWN {
            let kind = ScatterKind { model: model.clone(), ..ScatterKind::default() };
            for tint in [0.0, 0.3, 0.6, 0.9] {
                let look = Look::of(&kind, tint).unwrap();
                for level in 0..5 {
                    let (shape, stretch) = look.shape(level);
                    assert!((0.5..2.0).contains(&stretch), "{shape:?}");
                    let meshes = Part::ALL.map(|part| shape.mesh(part));
                    let count =
                        |mesh: &Mesh| (mesh.count_vertices(), mesh.indices().unwrap().len());
                    let counts = meshes.iter().flatten().map(count);
                    let [vertices, indices] =
                        counts.fold([0, 0], |[v, i], (more, and)| [v + more, i + and]);
                    let levels = &models(shape.model)[usize::from(shape.variant)];
                    let all = &levels.levels[usize::from(shape.level)];
                    assert_eq!([vertices, indices], [all.vertices.len(), all.indices.len()]);
                    let far = all.vertices.iter().flat_map(|vertex| vertex.position);
                    assert!(far.map(f32::abs).fold(0.0, f32::max) < EXTENT, "{shape:?}");
                }
            }
        }
    }

    #[test]
    fn colours_of_models_are_exact_and_limits_fit() {
        let read = |packed: u16| {
            let [red, green, blue] = [packed >> 11, packed >> 5 & 63, packed & 31].map(f32::from);
            [red / 16.0, green / 32.0, blue / 16.0]
        };
        assert_eq!(read(colour([1.0; 3])), [1.0; 3]);
        assert_eq!(read(colour([0.0, 1.9, 9.0])), [0.0, 61.0 / 32.0, 31.0 / 16.0]);
        for i in 0..190 {
            let x = i as f32 * 0.01;
            let read = read(colour([x, 1.9 - x, 0.5 * x]));
            let errors = [read[0] - x, read[1] - 1.9 + x, read[2] - 0.5 * x];
            assert!(errors[0].abs() < 0.032 && errors[1].abs() < 0.016 && errors[2].abs() < 0.032);
        }
    }
}
