//! Which tiles a source needs: pure geometry.

use orogeny::limits::{Limit, OutOfLimits};

use crate::chunk::key::{ChunkKey, Layout};
use crate::colliders::source::TerrainColliderSource;
use crate::lod::viewer::POSITION;

/// The largest radius of a source, in cells.
const MAX_RADIUS: f64 = 64.0;
/// The maximum number of tiles along a source's path within one step, and within the time ahead.
const MAX_STEP: f64 = 16.0;
const MAX_AHEAD: f64 = 64.0;
/// Tiles within this distance of the tiles that a source needs are kept, in widths of a tile,
/// because a source may move back and forth across a border.
const KEPT: f64 = 1.0;

/// Checks a source's radius and its position (x, z) from the terrain's origin against their limits.
///
/// # Errors
/// Names the number that is outside its limits.
pub(super) fn check_source(
    layout: &Layout,
    radius: f32,
    position: [f64; 2],
) -> Result<(), OutOfLimits> {
    let radius_limit = Limit {
        name: "radius",
        unit: "m",
        min: f64::MIN_POSITIVE,
        max: MAX_RADIUS * layout.spacing,
        default: 1.0,
        help: "Radius of a ball that holds the shape of a collider source",
    };
    radius_limit.check(radius.into())?;
    position.into_iter().try_for_each(|x| POSITION.check(x))
}

/// A source over one terrain: its position and its velocity.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reach {
    layout: Layout,
    /// (x, z) in metres from the terrain's origin.
    position: [f64; 2],
    /// Half the width of the square that it needs, in metres.
    half: f64,
    /// In m/s.
    velocity: [f64; 2],
}

impl Reach {
    /// # Errors
    /// A radius or a position outside its limits.
    pub fn new(
        layout: Layout,
        position: [f64; 2],
        radius: f32,
        velocity: [f64; 2],
    ) -> Result<Self, OutOfLimits> {
        check_source(&layout, radius, position)?;
        let (radius, max) = (f64::from(radius), MAX_RADIUS * layout.spacing);
        let velocity = velocity.map(|v| if v.is_finite() { v } else { 0.0 });
        let half = (radius + f64::from(TerrainColliderSource::REACH)).min(max);
        Ok(Self { layout, position, half, velocity })
    }

    /// The same, where things on a tile may overhang its neighbours by some metres.
    pub fn overhung_by(self, overhang: f64) -> Self {
        let half = (self.half + overhang).min(MAX_RADIUS * self.layout.spacing);
        Self { half, ..self }
    }

    /// The tiles that it may touch within a step of `step` seconds.
    pub fn now(self, step: f64) -> impl Iterator<Item = ChunkKey> {
        self.sweep(step, MAX_STEP)
    }

    /// The tiles that it may touch soon, with their distances.
    pub fn soon(self) -> impl Iterator<Item = (ChunkKey, f64)> {
        let tiles = self.sweep(TerrainColliderSource::AHEAD.into(), MAX_AHEAD);
        tiles.map(move |key| (key, self.layout.distance(key, self.position)))
    }

    /// The tiles near it.
    pub fn near(self) -> impl Iterator<Item = ChunkKey> {
        let half = self.half + KEPT * self.layout.size(0);
        Self { half, ..self }.sweep(0.0, 0.0)
    }

    /// Each tile under its square while it moves for some seconds, but for no more than `max` tiles
    /// of its path.
    fn sweep(self, seconds: f64, max: f64) -> impl Iterator<Item = ChunkKey> {
        let (Self { position, half, .. }, size) = (self, self.layout.size(0));
        let way = self.velocity.map(|v| v * seconds);
        let length = way[0].hypot(way[1]) / size;
        let way = way.map(|d| if length > max { d * (max / length) } else { d });
        let [[x0, x1], [z0, z1]] = [0, 1].map(|k| {
            let ends = [position[k], position[k] + way[k]];
            [ends[0].min(ends[1]), ends[0].max(ends[1])]
        });
        let tile = move |at: f64| (at / size).floor() as i64;
        (tile(z0 - half)..=tile(z1 + half)).flat_map(move |z| {
            // The part of the path on which the square touches this row of tiles.
            let [mut from, mut to] = [x0, x1];
            if way[1] != 0.0 {
                let row = [z as f64 * size - half, (z + 1) as f64 * size + half];
                let at = row.map(|z| {
                    let part = ((z - position[1]) / way[1]).clamp(0.0, 1.0);
                    position[0] + part * way[0]
                });
                [from, to] = [at[0].min(at[1]), at[0].max(at[1])];
            }
            (tile(from - half)..=tile(to + half)).map(move |x| ChunkKey { lod: 0, x, z })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const LAYOUT: Layout = Layout { cells: 8, spacing: 1.0 };

    fn reach(position: [f64; 2], radius: f32, velocity: [f64; 2]) -> Reach {
        Reach::new(LAYOUT, position, radius, velocity).unwrap()
    }

    proptest! {
        /// There is a tile wherever a body may be within its step, and no tile is farther away than
        /// that.
        #[test]
        fn tiles_are_there_and_no_others(
            x in -1e12..1e12, z in -1e3..1e3, radius in 0.01f32..60.0,
            velocity in [-15_000.0..15_000.0, -15_000.0..15_000.0],
            part in 0.0..=1.0, off in [-1.0..=1.0, -1.0..=1.0],
            overhang in prop::sample::select(vec![0.0, 3.0, 1e4]),
        ) {
            let (position, step) = ([x, z], 1.0 / 60.0);
            let reach = reach(position, radius, velocity).overhung_by(overhang);
            let radius = (f64::from(radius) + overhang).min(64.0);
            let tiles: Vec<_> = reach.now(step).collect();
            prop_assert!(tiles.len() <= 750, "{}", tiles.len());
            let speed = velocity[0].hypot(velocity[1]);
            let clipped = (128.0 / (speed * step)).min(1.0);
            let body = |part: f64| {
                [0, 1].map(|k| position[k] + velocity[k] * step * clipped * part)
            };
            let middle = body(part);
            let at = [0, 1].map(|k| middle[k] + off[k] * radius);
            prop_assert!(tiles.contains(&LAYOUT.key_at(0, at)));
            for &tile in &tiles {
                let near = (0..=200).map(|k| LAYOUT.offset(tile, body(f64::from(k) / 200.0)));
                let nearest = near.map(|[x, z]| x.max(z)).fold(f64::INFINITY, f64::min);
                prop_assert!(
                    nearest <= radius + 2.0 + 0.5,
                    "{tile:?} is {nearest} m away"
                );
            }
        }
    }

    #[test]
    fn a_body_that_rests_needs_few_tiles() {
        assert_eq!(reach([4.0, 4.0], 1.0, [0.0; 2]).now(1.0).count(), 1);
        assert_eq!(reach([0.0, 0.0], 1.0, [f64::NAN, 0.0]).now(1.0).count(), 4);
        assert_eq!(reach([4.0, 4.0], 1.0, [80.0, 0.0]).soon().count(), 11);
    }

    #[test]
    fn numbers_outside_their_limits_are_named() {
        let name = |position, radius| {
            Reach::new(LAYOUT, position, radius, [0.0; 2]).unwrap_err().limit.name
        };
        assert_eq!(name([0.0; 2], 0.0), "radius");
        assert_eq!(name([0.0; 2], f32::NAN), "radius");
        assert_eq!(name([0.0; 2], 65.0), "radius");
        assert_eq!(name([f64::NAN, 0.0], 1.0), "position");
    }
}
