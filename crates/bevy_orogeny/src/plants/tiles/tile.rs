//! What stands in a tile: records of its instances.

use bevy_log::warn_once;
use orogeny::scatter::{Instance, Placement, ScatterKind};
use orogeny::{Region, Samples};

use super::bands::TileKey;
use crate::chunk::height_field::normal;
use crate::plants::library::{Library, Look};
use crate::plants::record::{Record, Standing};
use crate::plants::tiers::Class;
use crate::scatter::axis;
use crate::slices::{Pace, sample_points, turn};

/// The instances of a tile, in a box from (0, 0, 0) to (1, 1, 1).
pub struct Tile {
    /// The height of the bottom of the box in metres, and how high the box is.
    pub bottom: f32,
    pub rise: f32,
    /// The number of the model in a record is an index of `looks`.
    pub records: Vec<Record>,
    pub looks: Vec<Look>,
    /// How far instances reach out of the box in metres, along each axis.
    pub reach: f32,
}

/// A tile; `None` if nothing stands there.
pub async fn build(placement: &Placement, key: TileKey, library: &Library) -> Option<Tile> {
    let (band, square) = (key.band(), key.square());
    let is_drawn = |kind: &ScatterKind| library.class_of(kind) == Some(band.class);
    let mut instances: Vec<Instance> = Vec::new();
    for part in parts(square, side(band.class)) {
        Pace::InTurns.warm_up(placement, part, is_drawn).await;
        turn().await;
        let add = |instance| instances.push(instance);
        if let Err(error) = placement.each_in_region(part, band.ranks.clone(), is_drawn, add) {
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
    let mut tile = Tile { bottom: low, rise, records: Vec::new(), looks: Vec::new(), reach: 0.0 };
    for (instance, sample) in instances.iter().zip(ground.iter()) {
        let Some(kind) = placement.kind(instance.kind) else { continue };
        let look = library.look(kind, instance.tint).filter(|_| sample.value.is_finite());
        let Some(look) = look else { continue };
        let known = tile.looks.iter().position(|known| *known == look);
        let model = known.unwrap_or_else(|| {
            tile.looks.push(look);
            tile.looks.len() - 1
        });
        let [x, z] = [0, 1].map(|k| (instance.position[k] - square.min[k]) / band.width);
        let [height, radius] = library.size(look);
        tile.reach = tile.reach.max(instance.size * (1.5 * height + 2.5 * radius));
        let standing = Standing {
            base: [x, f64::from((sample.value - low) / rise), z],
            rank: instance.rank,
            size: instance.size,
            turn: instance.turn,
            variant: 0.5 + (instance.tint - 0.5) * kind.tint,
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

#[cfg(test)]
mod tests {
    use super::super::bands::BANDS;
    use super::*;
    use crate::terrain::Terrain;
    use bevy_tasks::block_on;
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
        for band in 0..BANDS.len() as u8 {
            let mut keys = (0..9).map(|x| TileKey { band, index: [x - 3, 5] });
            let found = keys.find_map(|key| Some((key, block_on(build(&forest, key, &library))?)));
            let (key, tile) = found.expect("something stands in one of them");
            let square = key.square();
            let (width, ranks) = (key.band().width, &key.band().ranks);
            let is_wanted = |kind: &ScatterKind| library.class_of(kind) == Some(key.band().class);
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
                assert!((found - ground).abs() < slack, "band {band}: {found} over {ground}");
                let off = f64::from(ranks.start) - 1e-4..f64::from(ranks.end) + 1e-4;
                assert!(off.contains(&rank));
                let look = tile.looks[usize::from(crate::plants::record::model(record))];
                let size = half::f16::from_bits(record[2] as u16).to_f32();
                let [height, radius] = library.size(look).map(|x| x * size);
                assert!(height > 0.0 && height.max(radius) < tile.reach + 0.02);
            }
        }
    }
}
