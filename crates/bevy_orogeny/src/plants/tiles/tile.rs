//! A tile: records of the instances that stand in it, and the entity that has them.

use bevy_camera::visibility::Visibility;
use bevy_ecs::prelude::*;
use bevy_log::warn_once;
use bevy_math::Vec3;
use orogeny::scatter::{Instance, Placement, ScatterKind};
use orogeny::{Region, Samples};

use super::ground_tiles::{Built, Placed};
use super::rings::TileKey;
use crate::base::anchor::Anchor;
use crate::base::derived::derived;
use crate::base::drawn_for::DrawnFor;
use crate::base::origin::TerrainOrigin;
use crate::chunk::height_field::normal;
use crate::plants::library::{Library, Variant};
use crate::plants::packed::{Record, Standing};
use crate::plants::store::Plants;
use crate::plants::tiers::Class;
use crate::scatter::{ScatterTile, axis};
use crate::slices::{Pace, sample_points, turn};

/// The instances of a tile, in a box from (0, 0, 0) to (1, 1, 1).
pub struct Tile {
    /// The height of the bottom of the box in metres, and how high the box is.
    pub bottom: f32,
    pub rise: f32,
    /// The number of the model in a record is an index of `variants`.
    pub records: Vec<Record>,
    pub variants: Vec<Variant>,
    /// How far instances reach out of the box in metres, along each axis.
    pub reach: f32,
}

/// A tile; `None` if nothing stands there.
pub async fn build(placement: &Placement, key: TileKey, library: &Library) -> Option<Tile> {
    let (ring, square) = (key.ring(), key.square());
    let is_drawn = |kind: &ScatterKind| library.class_of(kind) == Some(ring.class);
    let mut instances: Vec<Instance> = Vec::new();
    for part in parts(square, side(ring.class)) {
        Pace::InTurns.warm_up(placement, part, is_drawn).await;
        turn().await;
        let add = |instance| instances.push(instance);
        if let Err(error) = placement.each_in_region(part, ring.ranks.clone(), is_drawn, add) {
            warn_once!("some tiles of plants are not drawn: {error}");
            return None;
        }
    }
    let points: Vec<[f64; 2]> = instances.iter().map(|instance| instance.position).collect();
    let mut ground = Samples::new();
    sample_points(placement.field(), &points, &mut ground).await;

    turn().await;
    let heights = ground.values().iter().copied().filter(|height| height.is_finite());
    let [low, high] = heights.fold([f32::INFINITY, f32::NEG_INFINITY], |[low, high], height| {
        [low.min(height), high.max(height)]
    });
    if low > high {
        return None;
    }
    let rise = (high - low).max(1.0);
    let mut tile =
        Tile { bottom: low, rise, records: Vec::new(), variants: Vec::new(), reach: 0.0 };
    for (instance, sample) in instances.iter().zip(ground.iter()) {
        let Some(kind) = placement.kind(instance.kind) else { continue };
        let variant = library.variant(kind, instance.tint).filter(|_| sample.value.is_finite());
        let Some(variant) = variant else { continue };
        let known = tile.variants.iter().position(|known| *known == variant);
        let model = known.unwrap_or_else(|| {
            tile.variants.push(variant);
            tile.variants.len() - 1
        });
        let [x, z] = [0, 1].map(|k| (instance.position[k] - square.min[k]) / ring.width);
        let [height, radius] = library.size(variant);
        tile.reach = tile.reach.max(instance.size * (1.5 * height + 2.5 * radius));
        let standing = Standing {
            base: [x, f64::from((sample.value - low) / rise), z],
            rank: instance.rank,
            size: instance.size,
            turn: instance.turn,
            shade: 0.5 + (instance.tint - 0.5) * kind.tint,
            axis: axis(instance, kind, normal(sample)),
            // At most four for each of at most 32 kinds.
            model: model as u16,
        };
        tile.records.push(standing.record());
    }
    (!tile.records.is_empty()).then_some(tile)
}

/// The side of what is searched between two turns, in metres; more where tasks have threads.
fn side(class: Class) -> f64 {
    match class {
        _ if !cfg!(target_family = "wasm") => f64::INFINITY,
        // Of blades there are many.
        Class::Grass => 16.0,
        Class::Shrub | Class::Large => 64.0,
    }
}

/// The parts of a square whose sides are at most so long.
fn parts(square: Region, longest: f64) -> impl Iterator<Item = Region> {
    let side = ((square.max[0] - square.min[0]) / longest).ceil().max(1.0) as usize;
    let edge = move |axis: usize, k: usize| {
        let (min, max) = (square.min[axis], square.max[axis]);
        if k == side { max } else { min + (max - min) * (k as f64 / side as f64) }
    };
    (0..side * side).map(move |k| {
        let at = [k % side, k / side];
        let corner = |add: usize| [0, 1].map(|axis| edge(axis, at[axis] + add));
        Region { min: corner(0), max: corner(1) }
    })
}

/// On the entity of a tile: which one it is.
#[derive(Component, Clone, Copy, Debug)]
#[component(immutable)]
pub(crate) struct TileOf {
    pub terrain: Entity,
    pub key: TileKey,
}

/// Spawns the hidden entity of a tile, unless nothing stands there.
pub(super) fn spawn(
    Built { tile, time }: Built,
    terrain: Entity,
    key: TileKey,
    origin: &TerrainOrigin,
    plants: &mut Plants,
    library: &Library,
    commands: &mut Commands,
) -> Option<Placed> {
    let tile = tile?;
    let parts = ScatterTile { instances: tile.records.len() as u32, build_time: time };
    let ring = key.ring();
    let number = plants.add(terrain, ring.class, tile.reach, tile.records, &tile.variants, library);
    let Some(number) = number else {
        warn_once!("some tiles of plants are not drawn: there are more than eight million plants");
        return None;
    };
    let (anchor, mut place) = Anchor::new(origin, key.square().min);
    place.translation.y = tile.bottom;
    place.scale = Vec3::new(ring.width as f32, tile.rise, ring.width as f32);
    let owner = (TileOf { terrain, key }, DrawnFor(terrain), ChildOf(terrain), derived("Plants"));
    let entity = commands.spawn((parts, number, place, anchor, Visibility::Hidden, owner)).id();
    let heights = [tile.bottom, tile.bottom + tile.rise].map(f64::from);
    Some(Placed { entity, heights, is_drawn: false, is_settled: false })
}

#[cfg(test)]
mod tests {
    use bevy_tasks::block_on;
    use orogeny::Recipe;
    use orogeny::scatter::{Model, Scatter};

    use crate::plants::tiles::rings::RINGS;
    use crate::terrain::Terrain;

    use super::*;

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
            slope: ScatterKind::SLOPE.below(10.0),
            ..ScatterKind::default()
        };
        let kinds = vec![
            kind(Model::Spruce, 1, 3.0),
            kind(Model::Stone, 2, 6.0),
            kind(Model::Grass, 3, 0.4),
        ];
        let scatter = Scatter { kinds, ..Scatter::default() };
        Placement::clone(Recipe { scatter, ..recipe }.build().unwrap().placement())
    }

    fn parts(record: Record) -> [f64; 4] {
        [record[0] & 0xffff, record[0] >> 16, record[1] & 0xffff, record[1] >> 16]
            .map(|part| f64::from(part) / 65_535.0)
    }

    #[test]
    fn instances_stand_on_the_ground_and_within_reach() {
        let (forest, library) = (forest(), Library::default());
        for ring in 0..RINGS.len() as u8 {
            let mut keys = (0..9).map(|x| TileKey { ring, index: [x - 3, 5] });
            let found = keys.find_map(|key| Some((key, block_on(build(&forest, key, &library))?)));
            let (key, tile) = found.expect("something stands in one of them");
            let square = key.square();
            let (width, ranks) = (key.ring().width, &key.ring().ranks);
            let is_wanted = |kind: &ScatterKind| library.class_of(kind) == Some(key.ring().class);
            let mut expected = forest.in_region(square, is_wanted).unwrap();
            expected.retain(|instance| ranks.contains(&instance.rank));
            assert_eq!(tile.records.len(), expected.len());
            for &record in tile.records.iter().step_by(7) {
                let [x, y, z, rank] = parts(record);
                let p = [square.min[0] + x * width, square.min[1] + z * width];
                let ground = f64::from(forest.field().value(p));
                let found = f64::from(tile.bottom) + y * f64::from(tile.rise);
                // The grid of positions is coarse in wide tiles.
                let slack = 0.02 + width / 65_535.0 * 8.0;
                assert!((found - ground).abs() < slack, "ring {ring}: {found} over {ground}");
                let off = f64::from(ranks.start) - 1e-4..f64::from(ranks.end) + 1e-4;
                assert!(off.contains(&rank));
                let variant = tile.variants[usize::from(crate::plants::packed::model(record))];
                let size = half::f16::from_bits(record[2] as u16).to_f32();
                let [height, radius] = library.size(variant).map(|x| x * size);
                assert!(height > 0.0 && height.max(radius) < tile.reach + 0.02);
            }
        }
    }
}
