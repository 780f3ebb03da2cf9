//! Which tiles a viewer wants.
//!
//! The shader draws an instance at the straight distances of its tier. How high the ground of a
//! tile is, nobody knows before it is built, so a viewer wants all tiles that may have instances at
//! such a distance: those up to the end of the range on the map, and none is too near. Tiles that
//! the height of the viewer above the ground puts out of their range come last. Once a tile is
//! built, its heights decide whether it is drawn.

use super::square;
use super::tiers::{JITTER, TIERS, Tier, TileKey};
use crate::lod::view::{View, ViewSector, Zoom};

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
        let distance = square::distance(square, self.position);
        if distance <= self.reach(key.tier(), 1.0) + slack {
            return true;
        }
        let Zoom { factor, sector, along } = self.zoom;
        let wide = |sector: ViewSector| {
            let half_angle = sector.half_angle + 2.0 * TURN;
            ViewSector { half_angle, ..sector }.sees(self.position, square)
        };
        factor > 1.0
            && distance <= self.reach(key.tier(), factor) * (along + TURN).min(1.0) + slack
            && sector.is_none_or(wide)
    }

    /// All tiles that it wants.
    pub fn wanted(&self, slack: f64, mut visit: impl FnMut(TileKey)) {
        for (tier, shape) in TIERS.iter().enumerate() {
            let reach = self.reach(shape, self.zoom.factor) + slack;
            let [low, high] =
                [-reach, reach].map(|by| self.position.map(|x| ((x + by) / shape.width).floor()));
            for z in low[1] as i64..=high[1] as i64 {
                for x in low[0] as i64..=high[0] as i64 {
                    let key = TileKey { tier: tier as u8, index: [x, z] };
                    if self.wants(key, slack) {
                        visit(key);
                    }
                }
            }
        }
    }

    /// The distance at which the nearest instances of a tile are drawn, if its ground is as high as
    /// that below the viewer; infinite if none would be drawn then.
    pub fn begin(&self, key: TileKey) -> f64 {
        let (square, [near, far]) = (key.square(), self.drawn(key.tier()));
        let nearest = square::distance(square, self.position).hypot(self.above);
        let farthest = square::farthest(square, self.position).hypot(self.above);
        if nearest <= far && farthest >= near { nearest.max(near) } else { f64::INFINITY }
    }

    /// Whether instances of a tile are drawn, up to `slack` metres farther or nearer, if they stand
    /// at these heights.
    pub fn draws(&self, key: TileKey, [low, high]: [f64; 2], slack: f64) -> bool {
        let (square, [near, far]) = (key.square(), self.drawn(key.tier()));
        let up = (low - self.height).max(self.height - high).max(0.0);
        let nearest = square::distance(square, self.position).hypot(up);
        let up = (self.height - low).abs().max((self.height - high).abs());
        let farthest = square::farthest(square, self.position).hypot(up);
        nearest - slack <= far && farthest + slack >= near
    }

    /// How far away on the map tiles of a tier are wanted, in metres, with a magnification.
    fn reach(&self, tier: &Tier, factor: f64) -> f64 {
        let [_, far] = range(tier);
        self.range.min(far * factor)
    }

    /// The distances between which some instances of a tier are drawn, in metres: magnified, or in
    /// shadows, which are not.
    fn drawn(&self, tier: &Tier) -> [f64; 2] {
        let [near, far] = range(tier);
        [near, far * self.zoom.factor]
    }
}

/// The distances between which some instances of a tier are drawn, in metres.
fn range(tier: &Tier) -> [f64; 2] {
    let [near, far] = tier.range.map(f64::from);
    [near * (1.0 - JITTER), far * (1.0 + JITTER)]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn viewer(position: [f64; 2], height: f64) -> Viewer {
        Viewer { position, height, above: height, range: 1e4, zoom: Zoom::NONE }
    }

    /// Every place at a straight distance in the range of a tier is in exactly one wanted tile of
    /// it, however high the viewer and the ground are, and that tile is drawn.
    #[test]
    fn wanted_tiles_cover_the_ranges() {
        for (position, height) in [([3.0, -7.5], 2.0), ([-1e6 + 0.3, 2e12], 300.0)] {
            let viewer = viewer(position, height);
            let mut keys = std::collections::HashSet::new();
            viewer.wanted(2.0, |key| assert!(keys.insert(key)));
            assert!(keys.len() < 1700, "{}", keys.len());
            for (tier, shape) in TIERS.iter().enumerate() {
                for i in 0..400 {
                    let t = f64::from(i) / 399.0;
                    let [near, far] = range(shape);
                    let distance = near + t * (far - near);
                    let (sin, cos) = (f64::from(i) * 2.4).sin_cos();
                    // From straight below to straight above.
                    let (up, along) = (f64::from(i) * 0.77).sin_cos();
                    let along = distance * along;
                    let p = [position[0] + along * cos, position[1] + along * sin];
                    let ground = height + distance * up;
                    let index = p.map(|x| (x / shape.width).floor() as i64);
                    let key = TileKey { tier: tier as u8, index };
                    assert!(keys.contains(&key), "{tier} {p:?}");
                    assert!(viewer.draws(key, [ground - 1.0, ground + 2.0], 0.1), "{tier} {p:?}");
                }
            }
        }
    }

    /// A tile whose instances are all at distances of other tiers costs nothing.
    #[test]
    fn tiles_out_of_their_range_are_not_drawn_and_come_last() {
        let high = viewer([8.0; 2], 300.0);
        let below = |tier: u8| TileKey { tier, index: [0; 2] };
        let drawn = |tier| high.draws(below(tier), [-1.0, 1.0], 0.0);
        assert_eq!([0, 2, 6, 8].map(drawn), [false, false, false, false]);
        assert_eq!([5, 9].map(drawn), [true, true]);
        assert_eq!([0, 6].map(|tier| high.begin(below(tier))), [f64::INFINITY; 2]);
        assert!((high.begin(below(9)) - 300.0).abs() < 1.0);
        // The far trees of a tile below a walker.
        let low = viewer([8.0; 2], 2.0);
        assert_eq!(low.begin(below(9)), f64::INFINITY);
        assert_eq!(low.begin(below(6)), 2.0);
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
        // The finest trees, 250 m away.
        let [ahead, beside] = [[15, 0], [0, 15]].map(|index| TileKey { tier: 6, index });
        assert!(telescope.wants(ahead, 4.0) && telescope.draws(ahead, [0.0, 1.0], 0.0));
        assert!(!telescope.wants(beside, 4.0) && !plain.wants(ahead, 4.0));
    }
}
