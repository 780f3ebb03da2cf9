//! Rings around viewers: which instances are in tiles of which width, and which tiles a viewer
//! wants.
//!
//! An instance is drawn up to a distance that depends on its rank. Those of low rank are seen from
//! afar, so they are in wide tiles, of which there are few; the others are in narrow ones around
//! the viewers. Each instance is in one tile.
//!
//! That distance is a straight one. How high the ground of a tile is, nobody knows before it is
//! built, so a viewer wants all tiles up to that distance on the map. Tiles that the height of the
//! viewer above the ground puts out of it come last. Once a tile is built, its heights decide
//! whether it is drawn.

use core::ops::Range;

use Class::{Grass, Large, Shrub};
use orogeny::Region;

use crate::lod::view::{View, ViewSector, Zoom};
use crate::plants::tiers::{Class, JITTER};
use crate::scatter::{distance_to, square};

/// The instances of a class with some ranks.
#[derive(Clone, Debug)]
pub struct Ring {
    pub class: Class,
    /// The width of its tiles in metres.
    pub width: f64,
    pub ranks: Range<f32>,
}

const fn ring(class: Class, width: f64, ranks: Range<f32>) -> Ring {
    Ring { class, width, ranks }
}

/// All rings. Those of a class have all ranks; they end where some tier of it keeps no more.
pub static RINGS: [Ring; 8] = [
    ring(Grass, 16.0, 0.7..1.0),
    ring(Grass, 16.0, 0.4..0.7),
    ring(Grass, 32.0, 0.0..0.4),
    ring(Shrub, 32.0, 0.8..1.0),
    ring(Shrub, 64.0, 0.0..0.8),
    ring(Large, 128.0, 0.6..1.0),
    ring(Large, 256.0, 0.25..0.6),
    ring(Large, 512.0, 0.0..0.25),
];

impl Ring {
    /// The distance in metres up to which some of it are drawn, without the jitter of ranges.
    pub fn reach(&self) -> f64 {
        f64::from(self.class.reach(self.ranks.start))
    }
}

/// A tile: its ring, and its place among the tiles of that ring.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TileKey {
    pub ring: u8,
    pub index: [i64; 2],
}

impl TileKey {
    pub fn ring(self) -> &'static Ring {
        &RINGS[usize::from(self.ring)]
    }

    /// Its square, in metres from the terrain's origin.
    pub fn square(self) -> Region {
        square(self.index, self.ring().width)
    }
}

/// Around whom tiles are wanted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Viewer {
    /// The position (x, z) in metres from the terrain's origin.
    pub position: [f64; 2],
    /// The height in metres above the terrain's origin.
    pub height: f64,
    /// The height above the ground below it.
    pub above: f64,
    /// The distance in metres up to which there is terrain.
    pub range: f64,
    pub zoom: Zoom,
}

/// How far a magnified view may turn before tiles are selected again, in radians; they are wanted
/// for twice that beyond its sector.
const TURN: f64 = 0.02;

impl Viewer {
    pub fn of(view: &View) -> Self {
        let above = (view.height - view.ground).max(0.0);
        let above = if above.is_finite() { above } else { 0.0 };
        let View { position, height, range, zoom, .. } = *view;
        Self { position, height, above, range, zoom }
    }

    /// Whether it has moved farther than `slack` metres along an axis from another one, or has
    /// another range, or sees others magnified.
    pub fn has_left(&self, old: &Self, slack: f64) -> bool {
        let moved = |k: usize| (self.position[k] - old.position[k]).abs() > slack;
        let risen = (self.height - old.height).abs() > slack;
        let turned = match (&self.zoom.sector, &old.zoom.sector) {
            (Some(now), Some(old)) => (0..2).any(|k| {
                (now.direction[k] - old.direction[k]).abs()
                    + (now.half_angle - old.half_angle).abs()
                    > TURN
            }),
            (None, None) => (self.zoom.along - old.zoom.along).abs() > TURN,
            _ => true,
        };
        let zoomed = self.zoom.factor != old.zoom.factor || self.zoom.factor > 1.0 && turned;
        self.range != old.range || moved(0) || moved(1) || risen || zoomed
    }

    /// Whether it wants a tile, or would if it were up to `slack` metres nearer.
    pub fn wants(&self, key: TileKey, slack: f64) -> bool {
        let square = key.square();
        let distance = distance_to(square, self.position);
        if distance <= self.reach(key.ring(), 1.0) + slack {
            return true;
        }
        let Zoom { factor, sector, along } = self.zoom;
        let wide = |sector: ViewSector| {
            let half_angle = sector.half_angle + 2.0 * TURN;
            ViewSector { half_angle, ..sector }.sees(self.position, square)
        };
        factor > 1.0
            && distance <= self.reach(key.ring(), factor) * (along + TURN).min(1.0) + slack
            && sector.is_none_or(wide)
    }

    /// All tiles that it wants.
    pub fn wanted(&self, slack: f64, mut visit: impl FnMut(TileKey)) {
        for (number, ring) in RINGS.iter().enumerate() {
            let reach = self.reach(ring, self.zoom.factor) + slack;
            let [low, high] =
                [-reach, reach].map(|by| self.position.map(|x| ((x + by) / ring.width).floor()));
            for z in low[1] as i64..=high[1] as i64 {
                for x in low[0] as i64..=high[0] as i64 {
                    let key = TileKey { ring: number as u8, index: [x, z] };
                    if self.wants(key, slack) {
                        visit(key);
                    }
                }
            }
        }
    }

    /// The distance of the nearest instances of a tile, if its ground is as high as that below the
    /// viewer; infinite if none would be drawn then.
    pub fn begin(&self, key: TileKey) -> f64 {
        let nearest = distance_to(key.square(), self.position).hypot(self.above);
        if nearest <= self.drawn(key.ring()) { nearest } else { f64::INFINITY }
    }

    /// Whether instances of a tile are drawn, up to `slack` metres farther, if they stand at these
    /// heights.
    pub fn draws(&self, key: TileKey, [low, high]: [f64; 2], slack: f64) -> bool {
        let up = (low - self.height).max(self.height - high).max(0.0);
        let nearest = distance_to(key.square(), self.position).hypot(up);
        nearest - slack <= self.drawn(key.ring())
    }

    /// How far away on the map tiles of a ring are wanted, in metres, with a magnification.
    fn reach(&self, ring: &Ring, factor: f64) -> f64 {
        self.range.min(farthest(ring) * factor)
    }

    /// The distance up to which some instances of a ring are drawn, in metres.
    fn drawn(&self, ring: &Ring) -> f64 {
        farthest(ring) * self.zoom.factor
    }
}

/// The distance up to which some instances of a ring are drawn without a magnification, in metres.
fn farthest(ring: &Ring) -> f64 {
    ring.reach() * (1.0 + JITTER)
}

#[cfg(test)]
mod tests {
    use crate::plants::tiers::TIERS;

    use super::*;

    #[test]
    fn every_instance_is_in_one_band_that_reaches_as_far_as_it_is_drawn() {
        for class in Class::ALL {
            let mut rings: Vec<&Ring> = RINGS.iter().filter(|ring| ring.class == class).collect();
            rings.sort_by(|a, b| a.ranks.start.total_cmp(&b.ranks.start));
            assert_eq!((rings[0].ranks.start, rings[rings.len() - 1].ranks.end), (0.0, 1.0));
            assert!(rings.windows(2).all(|pair| pair[0].ranks.end == pair[1].ranks.start));
            for ring in rings {
                let farther = |tier: &&crate::plants::tiers::Tier| {
                    tier.class == class && f64::from(tier.range[0]) >= ring.reach()
                };
                for tier in TIERS.iter().filter(farther) {
                    // Those of a tier beyond it have shrunk before.
                    assert!(tier.keep[0] <= ring.ranks.start, "{ring:?} {tier:?}");
                }
            }
        }
    }

    fn viewer(position: [f64; 2], height: f64) -> Viewer {
        Viewer { position, height, above: height, range: 1e4, zoom: Zoom::NONE }
    }

    /// Every place up to the straight distance of a ring is in exactly one wanted tile of it,
    /// however high the viewer and the ground are, and that tile is drawn.
    #[test]
    fn wanted_tiles_cover_the_ranges() {
        for (position, height) in [([3.0, -7.5], 2.0), ([-1e6 + 0.3, 2e12], 300.0)] {
            let viewer = viewer(position, height);
            let mut keys = std::collections::HashSet::new();
            viewer.wanted(2.0, |key| assert!(keys.insert(key)));
            assert!(keys.len() < 800, "{}", keys.len());
            for (number, ring) in RINGS.iter().enumerate() {
                for i in 0..400 {
                    let distance = f64::from(i) / 399.0 * farthest(ring);
                    let (sin, cos) = (f64::from(i) * 2.4).sin_cos();
                    // From straight below to straight above.
                    let (up, along) = (f64::from(i) * 0.77).sin_cos();
                    let along = distance * along;
                    let p = [position[0] + along * cos, position[1] + along * sin];
                    let ground = height + distance * up;
                    let index = p.map(|x| (x / ring.width).floor() as i64);
                    let key = TileKey { ring: number as u8, index };
                    assert!(keys.contains(&key), "{number} {p:?}");
                    assert!(viewer.draws(key, [ground - 1.0, ground + 2.0], 0.1), "{number} {p:?}");
                }
            }
        }
    }

    /// A tile all of whose instances are too far below costs nothing.
    #[test]
    fn tiles_out_of_their_range_are_not_drawn_and_come_last() {
        let high = viewer([8.0; 2], 300.0);
        let below = |ring: u8| TileKey { ring, index: [0; 2] };
        let drawn = |ring| high.draws(below(ring), [-1.0, 1.0], 0.0);
        assert_eq!([0, 2, 3].map(drawn), [false; 3]);
        assert_eq!([4, 5, 6, 7].map(drawn), [true; 4]);
        assert_eq!([0, 3].map(|ring| high.begin(below(ring))), [f64::INFINITY; 2]);
        assert!((high.begin(below(7)) - 300.0).abs() < 1.0);
        let low = viewer([8.0; 2], 2.0);
        assert_eq!([0, 7].map(|ring| low.begin(below(ring))), [2.0; 2]);
    }

    /// A telescope sees farther, but not to the sides.
    #[test]
    fn ranges_follow_the_magnification() {
        let plain = viewer([8.0; 2], 2.0);
        let sector = ViewSector { direction: [1.0, 0.0], half_angle: 0.07 };
        let zoom = Zoom { factor: 9.5, sector: Some(sector), along: 1.0 };
        let telescope = Viewer { zoom, ..plain };
        let [few, many] = [plain, telescope].map(|viewer| {
            let mut count = 0;
            viewer.wanted(4.0, |_| count += 1);
            count
        });
        assert!(many > few && many < 4 * few, "{few} and {many} tiles");
        // Trees of high rank, 1280 m away.
        let [ahead, beside] = [[10, 0], [0, 10]].map(|index| TileKey { ring: 5, index });
        assert!(telescope.wants(ahead, 4.0) && telescope.draws(ahead, [0.0, 1.0], 0.0));
        assert!(!telescope.wants(beside, 4.0) && !plain.wants(ahead, 4.0));
    }
}
