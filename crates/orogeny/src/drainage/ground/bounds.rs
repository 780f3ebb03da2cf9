//! Proven bounds of the ground in a disc: its range, its slope, and the part of detail left there.
//!
//! The disc has the radius r, and its centre is d_0 from a reach. So distances d in it are between
//! d_0 - r and d_0 + r.
//!
//! * **Valleys**. The gradient of their smooth minimum h is a mean of grad V_k - (1 - u_k) grad s_k
//!   with u_k from 0 to 1, so it is at most max (|grad V_k| + |grad s_k|) over the valleys with
//!   V_k - s_k < h. With the valley o over the water, 0 <= o, and x = d^2 / R^2 at the range R,
//!   V = o / (1 - x^2) + const, |grad o| <= s and |grad x| = 2 d / R^2.
//! * **Banks** only count where they are higher than h - e, see [`Channels`](super::channel), and
//!   **cuts** where they are lower than the highest bank.
//! * Each of the three grows towards the end of its range without bound, but does not count where
//!   it exceeds a height that is known. That limits d: see [`limit`].
//! * The bed is the maximum of (1 - d^2 / b^2)^3 t, whose slope is 6 t / b u (1 - u^2)^2 at
//!   u = d / b. It is steepest at u = 1 / sqrt 5.
//! * What is left of detail is a product, whose slope follows from the product rule.

use crate::arrays::Each;
use crate::drainage::ground::channel::{CREST, CUT, SLOPE, SOFT};
use crate::drainage::ground::reach::Reach;
use crate::drainage::ground::survey::{Neighbourhood, Survey};
use crate::drainage::network::shape::{LEAST, SOFTNESS};
#[cfg(not(feature = "std"))]
use crate::float::Float as _;

/// Where a bed is steepest, over half its width: 1 / sqrt 5.
const STEEPEST: f64 = 0.447_213_595_499_958;

/// A disc of the plane.
#[derive(Clone, Copy, Debug)]
pub(in crate::drainage) struct Disc {
    pub center: [f64; 2],
    pub radius: f64,
}

/// Bounds of the ground in a disc.
#[derive(Clone, Copy, Debug)]
pub(in crate::drainage) struct DiscBounds {
    pub min: f64,
    pub max: f64,
    /// The Lipschitz constant.
    pub slope: f64,
    /// The largest part of detail that is left, and the Lipschitz constant of that part.
    pub left: [f64; 2],
}

impl DiscBounds {
    /// Those of no ground at all.
    pub const NONE: Self =
        Self { min: f64::INFINITY, max: f64::NEG_INFINITY, slope: 0.0, left: [0.0; 2] };

    /// Bounds of two parts of a disc.
    pub fn or(self, other: Self) -> Self {
        Self {
            min: self.min.min(other.min),
            max: self.max.max(other.max),
            slope: self.slope.max(other.slope),
            left: [0, 1].each(|k| self.left[k].max(other.left[k])),
        }
    }
}

impl Survey {
    /// Bounds of the ground in a disc, or in the part of it to which a list belongs.
    pub fn bounds(&self, around: &Neighbourhood, disc: Disc) -> DiscBounds {
        let reach = |i: &u32| &self.reaches[*i as usize];
        let mut h = [f64::INFINITY; 2];
        for own in around.ground.iter().map(reach) {
            if let Some(own) = own.bounds(disc, self.range, f64::INFINITY) {
                h = [0, 1].each(|end| h[end].min(own[end]));
            }
        }
        let valleys = around.ground.iter().map(reach);
        let valley = valleys.map(|reach| reach.valley_slope(disc, self.range, h[1]));
        let mut slope = valley.fold(0.0, f64::max);

        // Banks are at most as high as the water.
        let is_near =
            |reach: &&Reach| reach.offset(disc.center).square.sqrt() < disc.radius + reach.fading;
        let wet = || around.wet.iter().map(reach).filter(is_near);
        let crest = wet().map(|reach| reach.water(disc)[1]).fold(f64::NEG_INFINITY, f64::max);
        let (mut depth, mut bed) = (0.0f64, 0.0f64);
        let mut left = [1.0, 0.0];
        for reach in wet() {
            slope = slope.max(reach.bank_slope(disc, h[0])).max(reach.cut_slope(disc, crest));
            depth = depth.max(reach.depth);
            bed = bed.max(reach.bed_slope(disc));
            let own = reach.left_bounds(disc);
            left = [left[0] * own[0], left[1] * own[0] + left[0] * own[1]];
        }
        DiscBounds { min: h[0] - depth, max: h[1].max(crest + SOFT), slope: slope + bed, left }
    }
}

impl Reach {
    /// The smallest and the largest distance of a disc.
    fn distances(&self, disc: Disc) -> [f64; 2] {
        let distance = self.offset(disc.center).square.sqrt();
        [(distance - disc.radius).max(0.0), distance + disc.radius]
    }

    /// Bounds of the height of the valley in a disc: below all of what it blends with, and above
    /// the valley. `None` out of range, or if the former is `limit` or more.
    pub fn bounds(&self, disc: Disc, range: f64, limit: f64) -> Option<[f64; 2]> {
        let Disc { center, radius } = disc;
        let offset = self.offset(center);
        let distance = offset.square.sqrt();
        if distance - radius >= range {
            return None;
        }
        let (s, w) = (self.steepness, self.floor);
        let below = self.height - LEAST - SOFTNESS * s * (distance + radius);
        // All of the reach is at least as high as its end.
        if below + s * (distance - w - radius) >= limit {
            return None;
        }
        let (over, ..) = self.over(&offset);
        let x = (distance + radius) * (distance + radius) / (range * range);
        let highest = over + s * radius;
        let max = if x < 0.95 { self.height + highest / (1.0 - x * x) } else { f64::INFINITY };
        Some([below + (over - s * radius).max(0.0), max])
    }

    /// A bound of |grad V| + |grad s| in a disc where V - s is below `highest`; 0 if it is nowhere.
    fn valley_slope(&self, disc: Disc, range: f64, highest: f64) -> f64 {
        let (s, w) = (self.steepness, self.floor);
        let [nearest, farthest] = self.distances(disc);
        if nearest >= range {
            return 0.0;
        }
        let farthest = farthest.min(range);
        let (over, ..) = self.over(&self.offset(disc.center));
        // o / (1 - x^2) is less than this.
        let most = highest - self.height + SOFTNESS * s * farthest + LEAST;
        if (over - s * disc.radius).max(0.0) >= most {
            return 0.0;
        }
        // s (d - w) <= o < most (1 - x^2) <= 2 most (1 - x).
        let end = limit(2.0 * most / (range * range), s, s * w + 2.0 * most);
        if nearest >= end {
            return 0.0;
        }
        let farthest = farthest.min(end);
        let x = farthest * farthest / (range * range);
        let growth = 1.0 / (1.0 - x * x).max(0.0);
        let grown = most.min((over + s * disc.radius) * growth);
        let valley = growth * (s + grown * x * 4.0 * farthest / (range * range));
        let softness = SOFTNESS * s * farthest / (farthest * farthest + w * w).sqrt();
        valley + softness
    }

    /// The lowest and the highest water of the reach next to a disc, less what banks are lower.
    fn water(&self, disc: Disc) -> [f64; 2] {
        let along = self.offset(disc.center).along;
        let at = |by: f64| {
            let along = (along + by).clamp(0.0, self.length);
            self.height + self.fall - self.slope * along - SOFT
        };
        [at(disc.radius), at(-disc.radius)]
    }

    /// A bound of the slope of the bank in a disc, where it may be above ground that is no lower
    /// than `lowest`.
    fn bank_slope(&self, disc: Disc, lowest: f64) -> f64 {
        let [nearest, farthest] = self.distances(disc);
        let (crest, far) = (CREST * self.half_width, self.fading * self.fading);
        // The drop is a (d - crest)^2 / (1 - d^2 / far), and at most this.
        let (a, most) = (0.5 * SLOPE / crest, self.water(disc)[1] - lowest + SOFT);
        let end = limit(a + most / far, -2.0 * a * crest, most - a * crest * crest);
        if most <= 0.0 || nearest >= end {
            return 0.0;
        }
        let farthest = farthest.min(end);
        let growth = 1.0 / (1.0 - farthest * farthest / far).max(0.0);
        let off = (farthest - crest).max(0.0);
        let drop = most.min(a * off * off * growth);
        let across = 2.0 * a * off * growth + drop * growth * farthest * 2.0 / far;
        (self.slope * self.slope + across * across).sqrt()
    }

    /// A bound of the slope of the cut in a disc, where it may be below banks no higher than
    /// `highest`.
    fn cut_slope(&self, disc: Disc, highest: f64) -> f64 {
        let [nearest, farthest] = self.distances(disc);
        let (side, far) = (CUT * self.steepness, self.fading * self.fading);
        // It rises by d side / (1 - d^2 / far), and at most by this.
        let most = highest - self.water(disc)[0];
        let end = limit(most / far, side, most);
        if most <= 0.0 || nearest >= end {
            return 0.0;
        }
        let farthest = farthest.min(end);
        let x = farthest * farthest / far;
        let growth = 1.0 / (1.0 - x).max(0.0);
        let across = side * growth * (1.0 + 2.0 * growth * x);
        (self.slope * self.slope + across * across).sqrt()
    }

    /// A bound of the slope of the bed in a disc.
    fn bed_slope(&self, disc: Disc) -> f64 {
        let [nearest, farthest] = self.distances(disc).each(|d| d / self.half_width);
        let u = STEEPEST.max(nearest.min(1.0)).min(farthest);
        let dry = 1.0 - u * u;
        6.0 * self.depth / self.half_width * u * dry * dry
    }

    /// The largest part of detail that is left in a disc, and its largest slope.
    fn left_bounds(&self, disc: Disc) -> [f64; 2] {
        let near = self.half_width * self.half_width;
        let inverse = 1.0 / (self.fading * self.fading - near);
        let farthest = self.distances(disc)[1].min(self.fading);
        let [from, to] = self.distances(disc).each(|d| ((d * d - near) * inverse).clamp(0.0, 1.0));
        let t = 0.5f64.max(from).min(to);
        [to * to * (3.0 - 2.0 * to), 12.0 * t * (1.0 - t) * inverse * farthest]
    }
}

/// The largest d with a d^2 + b d <= c, for a > 0: infinite for numbers that are not finite.
fn limit(a: f64, b: f64, c: f64) -> f64 {
    let root = (b * b + 4.0 * a * c).max(0.0).sqrt();
    // Neither form subtracts numbers that are almost equal.
    let end = if b >= 0.0 { 2.0 * c / (b + root) } else { (root - b) / (2.0 * a) };
    if end.is_nan() { f64::INFINITY } else { end }
}
