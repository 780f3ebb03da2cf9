//! The mesh of a tile.

use bevy_asset::RenderAssetUsages;
use bevy_camera::primitives::Aabb;
use bevy_math::{Mat3, Vec3};
use bevy_mesh::{Indices, Mesh, PrimitiveTopology, VertexAttributeValues};
use orogeny::Samples;
use orogeny::scatter::{Instance, ScatterKind, Scattered};

use super::models::models;
use super::tiers::{Class, TileKey};
use super::vertex::{
    ATTRIBUTE_PLANT_BASE, ATTRIBUTE_PLANT_OFFSET, ATTRIBUTE_PLANT_SURFACE, Vertices, byte, unorm,
};
use crate::chunk::height_field::normal;

/// The mesh of a tile, in a box from (0, 0, 0) to (1, 1, 1).
pub struct TileMesh {
    pub mesh: Mesh,
    pub aabb: Aabb,
    /// The height of the bottom of the box in metres, and how high the box is.
    pub bottom: f32,
    pub rise: f32,
    pub instances: usize,
    pub bytes: usize,
}

/// How deep instances sink into the ground, over their size, in metres. Ground between vertices may
/// be that much lower than the field.
const SINK: f32 = 0.03;

/// The mesh of a tile; `None` if nothing stands there.
pub fn build(scattered: &Scattered, key: TileKey) -> Option<TileMesh> {
    let tier = key.tier();
    let [min, max] = key.square();
    let kinds: Vec<&ScatterKind> = scattered.kinds().collect();
    let is_drawn = |kind: usize| Class::of(kinds[kind]) == Some(tier.class);
    let mut instances = Vec::new();
    scattered.place([min, max], is_drawn, &mut instances);
    instances.retain(|instance| instance.rank < tier.keep[0]);
    let points: Vec<[f64; 2]> = instances.iter().map(|instance| instance.position).collect();
    let mut ground = Samples::new();
    scattered.ground().field().sample_points(&points, &mut ground);

    let heights = ground.values().iter().copied().filter(|height| height.is_finite());
    let [low, high] = heights.fold([f32::INFINITY, f32::NEG_INFINITY], |[low, high], height| {
        [low.min(height), high.max(height)]
    });
    if low > high {
        return None;
    }
    let rise = (high - low).max(1.0);
    let mut vertices = Vertices::default();
    let mut indices = Vec::new();
    let (mut reach, mut top) = (0f32, 0f32);
    for (instance, sample) in instances.iter().zip(ground.iter()) {
        let kind = kinds[instance.kind];
        let grown = models(&kind.model);
        if !sample.value.is_finite() || grown.is_empty() {
            continue;
        }
        let tint = instance.tint;
        let model = &grown[((tint * 97.0) as usize) % grown.len()];
        let mesh = &model.levels[tier.level.min(model.levels.len() - 1)];
        let (turned, up) = (turned(instance), up(instance, kind, normal(sample)));
        let [x, z] = [0, 1].map(|k| unorm((instance.position[k] - min[k]) / tier.width));
        let height = unorm(f64::from((sample.value - low) / rise));
        let base = [x, height, z, unorm(instance.rank.into())];
        let variant = byte(0.5 + (tint - 0.5) * kind.tint);
        let sink = Vec3::new(0.0, SINK * instance.size, 0.0);
        let first = vertices.bases.len() as u32;
        for vertex in &mesh.vertices {
            let local = turned * Vec3::from(vertex.position) * instance.size;
            let offset = Vec3::new(local.x, 0.0, local.z) + up * local.y - sink;
            let normal = turned * Vec3::from(vertex.normal);
            vertices.push(base, vertex, offset, normal, variant);
        }
        indices.extend(mesh.indices.iter().map(|index| first + index));
        reach = reach.max(model.radius * instance.size);
        top = top.max(model.height * instance.size * 1.1);
    }
    if indices.is_empty() {
        return None;
    }
    // Leaning, wind and widening.
    let reach = (2.5 * reach + 0.3 * top) / tier.width as f32;
    let aabb = Aabb::from_min_max(
        Vec3::new(-reach, -2.0 / rise, -reach),
        Vec3::new(1.0 + reach, 1.0 + 1.5 * top / rise, 1.0 + reach),
    );
    let bytes = 24 * vertices.bases.len() + 4 * indices.len();
    let Vertices { bases, offsets, surfaces } = vertices;
    let mesh = Mesh::new(PrimitiveTopology::TriangleList, RenderAssetUsages::RENDER_WORLD)
        .with_inserted_attribute(ATTRIBUTE_PLANT_BASE, VertexAttributeValues::Unorm16x4(bases))
        .with_inserted_attribute(ATTRIBUTE_PLANT_OFFSET, VertexAttributeValues::Snorm16x4(offsets))
        .with_inserted_attribute(ATTRIBUTE_PLANT_SURFACE, VertexAttributeValues::Uint32x2(surfaces))
        .with_inserted_indices(Indices::U32(indices));
    Some(TileMesh { mesh, aabb, bottom: low, rise, instances: instances.len(), bytes })
}

fn turned(instance: &Instance) -> Mat3 {
    Mat3::from_rotation_y(-core::f32::consts::TAU * instance.turn)
}

/// The axis of an instance: upright, leaning, and as far along the normal of the ground as its kind
/// follows it. Its y is 1 for upright kinds, so that they keep their height.
fn up(instance: &Instance, kind: &ScatterKind, normal: Vec3) -> Vec3 {
    let [x, z] = instance.lean;
    Vec3::new(x, 1.0, z).lerp(normal, kind.align)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scatter::tiers::TIERS;
    use crate::scatter::vertex::OFFSET;
    use crate::terrain::Terrain;
    use orogeny::Recipe;
    use orogeny::scatter::{Model, Scatter};

    fn forest() -> Scattered {
        let Terrain { ground: crate::Ground::Recipe(recipe), .. } = Terrain::default() else {
            panic!()
        };
        let kind = |model, seed, radius| ScatterKind {
            model,
            seed,
            radius,
            grass: 1.0,
            forest: 1.0,
            scree: 1.0,
            rock: 1.0,
            snow: 1.0,
            slope_max: 10.0,
            ..ScatterKind::default()
        };
        let kinds = vec![
            kind(Model::Spruce, 1, 3.0),
            kind(Model::Boulder, 2, 6.0),
            kind(Model::Grass, 3, 0.4),
        ];
        let scatter = Scatter { kinds, ..Scatter::default() };
        Recipe { scatter, ..recipe }.build_scatter(Default::default()).unwrap()
    }

    #[test]
    fn instances_stand_on_the_ground() {
        let forest = forest();
        for tier in 0..TIERS.len() as u8 {
            let mut keys = (0..9).map(|x| TileKey { tier, index: [x - 3, 5] });
            let found = keys.find_map(|key| Some((key, build(&forest, key)?)));
            let (key, tile) = found.expect("something stands in one of them");
            let Some(VertexAttributeValues::Unorm16x4(bases)) =
                tile.mesh.attribute(ATTRIBUTE_PLANT_BASE)
            else {
                panic!()
            };
            let [min, _] = key.square();
            let width = key.tier().width;
            for &[x, y, z, rank] in bases.iter().step_by(97) {
                let [x, y, z] = [x, y, z].map(|part| f64::from(part) / 65_535.0);
                let p = [min[0] + x * width, min[1] + z * width];
                let ground = f64::from(forest.ground().field().value(p));
                let found = f64::from(tile.bottom) + y * f64::from(tile.rise);
                // The grid of positions is coarse in wide tiles.
                let slack = 0.02 + width / 65_535.0 * 8.0;
                assert!((found - ground).abs() < slack, "tier {tier}: {found} over {ground}");
                assert!(f32::from(rank) / 65_535.0 <= key.tier().keep[0] + 1e-4);
            }
            assert!(tile.bytes > 24 * bases.len() && tile.instances > 0);
        }
    }

    #[test]
    fn boxes_contain_all_vertices() {
        let forest = forest();
        let key = TileKey { tier: 6, index: [2, 2] };
        let tile = build(&forest, key).unwrap();
        let Some(VertexAttributeValues::Snorm16x4(offsets)) =
            tile.mesh.attribute(ATTRIBUTE_PLANT_OFFSET)
        else {
            panic!()
        };
        let largest = |axis: usize| {
            let along = offsets.iter().map(|offset| f32::from(offset[axis]) / 32_767.0 * OFFSET);
            along.map(f32::abs).fold(0.0, f32::max)
        };
        let [x, top, z] = [0, 1, 2].map(largest);
        assert!((8.0..30.0).contains(&top) && x > 1.0 && z > 1.0, "{x} {top} {z}");
        // Instances may stand at every border of the tile.
        let (min, max) = (tile.aabb.min(), tile.aabb.max());
        let width = key.tier().width as f32;
        assert!(max.y * tile.rise >= tile.rise + top);
        for (k, reach) in [(0, x), (2, z)] {
            assert!(max[k] * width >= width + reach && min[k] * width <= -reach);
        }
    }
}
