//! What a tile draws: batches of instances of one shape.

use bevy_camera::primitives::Aabb;
use bevy_log::warn_once;
use bevy_math::Vec3;
use bevy_platform::collections::HashMap;
use orogeny::Samples;
use orogeny::scatter::{Instance, Placement, ScatterKind};

use super::axis;
use super::copies::Copies;
use super::models::{Shape, shape};
use super::record::{Record, Standing};
use super::tiers::{Class, TileKey};
use crate::chunk::height_field::normal;

/// A tile, in a box from (0, 0, 0) to (1, 1, 1).
pub struct Tile {
    /// The height of the bottom of the box in metres, and how high the box is.
    pub bottom: f32,
    pub rise: f32,
    pub batches: Vec<Batch>,
}

/// Instances of one shape.
pub struct Batch {
    pub copies: Copies,
    /// One for each instance, at most as many as there are copies.
    pub records: Vec<Record>,
    /// Contains all of them, in the box of the tile.
    pub aabb: Aabb,
}

/// A tile; `None` if nothing stands there.
pub fn build(placement: &Placement, key: TileKey) -> Option<Tile> {
    let tier = key.tier();
    let square = key.square();
    let is_drawn = |kind: &ScatterKind| Class::of(kind) == Some(tier.class);
    let mut instances: Vec<Instance> = Vec::new();
    let add = |instance| instances.push(instance);
    if let Err(error) = placement.each_in_region(square, tier.keep[0], is_drawn, add) {
        warn_once!("some tiles of plants are not drawn: {error}");
        return None;
    }
    let points: Vec<[f64; 2]> = instances.iter().map(|instance| instance.position).collect();
    let mut ground = Samples::new();
    placement.ground().field().sample_points(&points, &mut ground);

    let heights = ground.values().iter().copied().filter(|height| height.is_finite());
    let [low, high] = heights.fold([f32::INFINITY, f32::NEG_INFINITY], |[low, high], height| {
        [low.min(height), high.max(height)]
    });
    if low > high {
        return None;
    }
    let rise = (high - low).max(1.0);
    let mut by_shape: HashMap<Shape, Vec<Standing>> = HashMap::default();
    for (instance, sample) in instances.iter().zip(ground.iter()) {
        let Some(kind) = placement.kind(instance.kind) else { continue };
        let tint = instance.tint;
        let shape = shape(&kind.model, tint, tier.level).filter(|_| sample.value.is_finite());
        let Some((shape, stretch)) = shape else { continue };
        let [x, z] = [0, 1].map(|k| (instance.position[k] - square.min[k]) / tier.width);
        by_shape.entry(shape).or_default().push(Standing {
            base: [x, f64::from((sample.value - low) / rise), z],
            rank: instance.rank,
            size: instance.size * stretch,
            turn: instance.turn,
            variant: 0.5 + (tint - 0.5) * kind.tint,
            axis: axis(instance, kind, normal(sample)),
            colour: [kind.red, kind.green, kind.blue],
        });
    }
    let mut batches = Vec::new();
    for (shape, all) in by_shape {
        let batch = |some: &[Standing]| Batch {
            copies: Copies::fitting(shape, some.len()),
            records: some.iter().map(Standing::record).collect(),
            aabb: around(shape, some, [tier.width as f32, rise]),
        };
        batches.extend(all.chunks(Copies::largest(shape)).map(batch));
    }
    (!batches.is_empty()).then_some(Tile { bottom: low, rise, batches })
}

/// A box around instances of a shape, however they lean, sway and are widened.
fn around(shape: Shape, instances: &[Standing], [width, rise]: [f32; 2]) -> Aabb {
    let levels = shape.levels();
    let (mut min, mut max) = (Vec3::MAX, Vec3::MIN);
    for Standing { base, size, .. } in instances {
        let base = Vec3::from(base.map(|x| x as f32));
        let top = 1.1 * levels.height * size;
        let reach = (2.5 * levels.radius * size + 0.3 * top) / width;
        min = min.min(base - Vec3::new(reach, 2.0 / rise, reach));
        max = max.max(base + Vec3::new(reach, 1.5 * top / rise, reach));
    }
    Aabb::from_min_max(min, max)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scatter::tiers::TIERS;
    use crate::terrain::Terrain;
    use orogeny::Recipe;
    use orogeny::scatter::{Model, Scatter};

    fn forest() -> Placement {
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
            kind(Model::Stone, 2, 6.0),
            kind(Model::Grass, 3, 0.4),
        ];
        let scatter = Scatter { kinds, ..Scatter::default() };
        Recipe { scatter, ..recipe }.build_scatter(Default::default()).unwrap()
    }

    fn parts(record: Record) -> [f64; 4] {
        [record[0] & 0xffff, record[0] >> 16, record[1] & 0xffff, record[1] >> 16]
            .map(|part| f64::from(part) / 65_535.0)
    }

    #[test]
    fn instances_stand_on_the_ground() {
        let forest = forest();
        for tier in 0..TIERS.len() as u8 {
            let mut keys = (0..9).map(|x| TileKey { tier, index: [x - 3, 5] });
            let found = keys.find_map(|key| Some((key, build(&forest, key)?)));
            let (key, tile) = found.expect("something stands in one of them");
            let square = key.square();
            let width = key.tier().width;
            let all: Vec<Record> =
                tile.batches.iter().flat_map(|batch| &batch.records).copied().collect();
            let is_wanted = |kind: &ScatterKind| Class::of(kind) == Some(key.tier().class);
            let mut expected = forest.in_region(square, is_wanted).unwrap();
            expected.retain(|instance| instance.rank < key.tier().keep[0]);
            assert_eq!(all.len(), expected.len());
            for record in all.into_iter().step_by(7) {
                let [x, y, z, rank] = parts(record);
                let p = [square.min[0] + x * width, square.min[1] + z * width];
                let ground = f64::from(forest.ground().field().value(p));
                let found = f64::from(tile.bottom) + y * f64::from(tile.rise);
                // The grid of positions is coarse in wide tiles.
                let slack = 0.02 + width / 65_535.0 * 8.0;
                assert!((found - ground).abs() < slack, "tier {tier}: {found} over {ground}");
                assert!(rank <= f64::from(key.tier().keep[0]) + 1e-4);
            }
        }
    }

    #[test]
    fn batches_have_copies_and_boxes_for_all_their_instances() {
        let forest = forest();
        for (tier, index) in [(0, [8, 3]), (6, [2, 2]), (9, [0, 1])] {
            let key = TileKey { tier, index };
            let tile = build(&forest, key).unwrap();
            for batch in &tile.batches {
                assert!(batch.records.len() <= usize::from(batch.copies.count));
                let scale = Vec3::new(key.tier().width as f32, tile.rise, key.tier().width as f32);
                let (low, high) = (batch.aabb.min(), batch.aabb.max());
                for &record in &batch.records {
                    let base = Vec3::from_slice(&parts(record).map(|x| x as f32)[..3]);
                    let size = half::f16::from_bits(record[2] as u16).to_f32();
                    for vertex in &batch.copies.shape.mesh().vertices {
                        let [x, y, z] = vertex.position.map(|x| x * size);
                        // However it is turned.
                        let reach = Vec3::new(x.hypot(z), y, x.hypot(z));
                        let [near, far] = [-1.0, 1.0]
                            .map(|sign| base * scale + reach * Vec3::new(sign, 1.0, sign));
                        let slack = Vec3::splat(0.02);
                        assert!((near + slack).cmpge(Vec3::from(low) * scale).all());
                        assert!((far - slack).cmple(Vec3::from(high) * scale).all());
                    }
                }
            }
        }
    }
}
