//! Blows a crater.

use crate::arrays::Each;
use crate::derivative::bounds::Bounds;
use crate::derivative::chain_rule::Differentiated;
use crate::edits::falloff::Jet64;
use crate::edits::operations::{Apply, Operation};
use crate::edits::widening::Widening;
#[cfg(not(feature = "std"))]
use crate::float::Float as _;
use crate::limits::parameters;
use crate::region::Region;

parameters! {
    /// Makes a crater: a bowl, and around it a rim that ends at twice the radius. With q = |p -
    /// center|^2 / radius^2 and a = rim / 0.75^3,
    ///
    /// h' = h - (depth + a) max(0, 1 - q)^3 + a max(0, 1 - q / 4)^3.
    ///
    /// So the ground falls by `depth` in the centre, and rises by `rim` at the radius.
    #[derive(Copy, PartialOrd)]
    pub struct Crater {
        /// The centre (x, z) in metres.
        center: [f64; 2] = [0.0; 2],
    }
    numbers {
        /// The distance of the rim from the centre.
        radius: f64 = 10 "m", 0.01 to 1e5;
        /// How far the ground falls in the centre.
        depth: f32 = 3 "m", 0 to 1e4;
        /// How far the ground rises at the rim.
        rim: f32 = 0.6 "m", 0 to 1e4;
    }
}

/// The rim's share of its cap's height: (1 - 1/4)^3.
const SHARE: f64 = 27.0 / 64.0;

impl Operation for Crater {
    type Prepared = PreparedCrater;

    fn prepared(&self) -> PreparedCrater {
        let cap = f64::from(self.rim) / SHARE;
        let bowl = f64::from(self.depth) + cap;
        PreparedCrater { center: self.center, radius: self.radius, bowl, cap }
    }
}

#[derive(Clone, Debug)]
pub(in crate::edits) struct PreparedCrater {
    center: [f64; 2],
    radius: f64,
    /// The depth of the bowl below the cap.
    bowl: f64,
    /// The height of the cap, of twice the radius, into which the bowl is cut.
    cap: f64,
}

/// max(0, 1 - q)^3 with q = |offset|^2 / radius^2: twice continuously differentiable. Its gradient
/// is -6 (1 - q)^2 offset / radius^2.
#[inline]
fn cap(offset: [f64; 2], radius: f64) -> Jet64 {
    let [x, z] = offset.each(|part| part / radius);
    let rest = (1.0 - (x * x + z * z)).max(0.0);
    let slope = -6.0 * (rest * rest) / radius;
    let around = slope / radius;
    let second = 24.0 * rest / (radius * radius);
    Jet64 {
        value: rest * rest * rest,
        gradient: [slope * x, slope * z],
        second: [around + second * x * x, second * x * z, around + second * z * z],
    }
}

/// The bounds of [`cap`]: sqrt(q) (1 - q)^2 is largest at q = 1/5, and second derivatives in the
/// centre.
fn cap_bounds(radius: f64) -> Bounds {
    Bounds { min: 0.0, max: 1.0, lipschitz: 1.717_4 / radius, curvature: 6.0 / (radius * radius) }
}

impl PreparedCrater {
    fn offset(&self, p: [f64; 2]) -> Jet64 {
        let offset = [p[0] - self.center[0], p[1] - self.center[1]];
        let bowl = cap(offset, self.radius).times(-self.bowl);
        bowl.plus(cap(offset, 2.0 * self.radius).times(self.cap))
    }

    fn offset_bounds(&self) -> Bounds {
        let bowl = cap_bounds(self.radius).scaled(-self.bowl);
        let sum = bowl + cap_bounds(2.0 * self.radius).scaled(self.cap);
        // Within the radius it is at least that of the centre, and the difference of the two caps
        // is at most 0.552, at q = 0.58.
        Bounds { min: self.cap - self.bowl, max: 0.552 * self.cap, ..sum }
    }
}

impl Apply for PreparedCrater {
    fn region(&self) -> Region {
        Region::around(self.center, [2.0 * self.radius; 2])
    }

    #[inline]
    fn apply<T: Differentiated<2>>(&self, ground: T, p: [f64; 2]) -> T {
        ground + self.offset(p).rounded::<T>()
    }

    fn bounds(&self, ground: Bounds, p: [f64; 2], radius: f64) -> Bounds {
        let all = self.offset_bounds();
        ground + all.near(self.offset(p).value, all.lipschitz * radius)
    }

    fn widening(&self) -> Widening {
        Widening::adding(self.offset_bounds())
    }

    /// All of it within the rim, and less and less beyond.
    fn disturbance(&self, p: [f64; 2]) -> f32 {
        let offset = [p[0] - self.center[0], p[1] - self.center[1]];
        (cap(offset, 2.0 * self.radius).value / SHARE).min(1.0) as f32
    }

    fn disturbed_distance(&self, [x, z]: [f64; 2], _within: f64) -> f64 {
        let [x, z] = [x - self.center[0], z - self.center[1]];
        ((x * x + z * z).sqrt() - self.radius).max(0.0)
    }
}
