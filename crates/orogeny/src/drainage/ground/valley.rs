//! The valley of a reach at a point.

use crate::drainage::ground::reach::Reach;
use crate::drainage::network::shape::{LEAST, SOFTNESS};
use crate::real::Real;

/// A height above all ground, of a valley out of range.
pub(super) const NOWHERE: f64 = 1e30;

/// A number with its gradient.
#[derive(Clone, Copy, Debug)]
pub(in crate::drainage) struct Sample64<R> {
    pub value: R,
    pub gradient: [R; 2],
}

impl Sample64<f64> {
    /// Where there is no ground.
    pub const NONE: Self = Self { value: f64::NAN, gradient: [f64::NAN; 2] };
}

/// Where a point is beside a reach.
#[derive(Clone, Copy, Debug)]
pub(in crate::drainage) struct Offset<R> {
    /// The distance along it, from its start.
    pub along: R,
    /// The distance across, to the right.
    pub across: R,
    /// How far it is past the nearer end.
    pub past: R,
    /// The square of the distance.
    pub square: R,
}

/// What the slopes of a valley at a point need.
#[derive(Clone, Copy, Debug)]
pub(super) struct Valley<R> {
    /// Where the point is: see [`Offset`].
    pub past: R,
    pub across: R,
    /// The valley over the water at the end of the reach, where it is not near its range.
    pub over: R,
    /// From the place where the lowest way to the point begins: how far the point is along the
    /// reach, and the length of the way, with the radius of the floor.
    pub off: R,
    pub way: R,
    /// By how much it grows near its range: 1 / (1 - x^2) with x = (d / range)^2.
    pub growth: R,
    /// The distance with the radius of the floor: sqrt(d^2 + w^2).
    pub floor: R,
}

impl Reach {
    /// Where a point is.
    #[inline(always)]
    pub fn offset<R: Real>(&self, p: [R; 2]) -> Offset<R> {
        let d = [p[0] + -self.start[0], p[1] + -self.start[1]];
        let along = d[0] * self.along[0] + d[1] * self.along[1];
        let across = d[0] * self.along[1] - d[1] * self.along[0];
        let past = along - along.clamp(0.0, self.length);
        Offset { along, across, past, square: past * past + across * across }
    }

    /// The valley, and where it is lowest: the minimum over all points q of
    /// the reach of z(q) + s (sqrt(|p - q|^2 + w^2) - w), with the slope s of the sides and the
    /// radius w of the floor, less the height at the end.
    ///
    /// z falls along the reach. So the lowest way to p begins not at the closest point, but
    /// downstream of it, by sqrt(d^2 + w^2) m / sqrt(s^2 - m^2) with the slope m of the reach and
    /// the distance d across. On the reach itself that is w (s - sqrt(s^2 - m^2)) too low, so this
    /// is added.
    #[inline(always)]
    pub fn over<R: Real>(&self, offset: &Offset<R>) -> (R, R, R) {
        let (s, w) = (self.steepness, self.floor);
        let far = (offset.across * offset.across + w * w).root();
        let lowest = (offset.along + far * self.shift).clamp(0.0, self.length);
        let off = offset.along - lowest;
        let way = (off * off + far * far).root();
        let over = lowest * -self.slope + (self.fall + self.lift) + (way + -w) * s;
        (over, off, way)
    }

    /// The height of the valley at a point, the difference of heights within which it blends, and
    /// what its slopes need. At `range` from the reach it goes to infinity.
    #[inline(always)]
    pub(super) fn valley<R: Real>(&self, offset: &Offset<R>, range: f64) -> (R, R, Valley<R>) {
        let (over, off, way) = self.over(offset);
        let x = offset.square * (1.0 / (range * range));
        let near = x.is_below(1.0 - 1e-9);
        let growth = x.splat(1.0) / R::select(near, -(x * x) + 1.0, x.splat(1.0));
        let height = R::select(near, over * growth + self.height, x.splat(NOWHERE));
        let floor = (offset.square + self.floor * self.floor).root();
        let softness = (floor + -self.floor) * (SOFTNESS * self.steepness) + LEAST;
        let Offset { past, across, .. } = *offset;
        (height, softness, Valley { past, across, over, off, way, growth, floor })
    }

    /// Whether the valley may blend with others below a height at a point, or at one of a vector.
    ///
    /// It blends with those above a_k = V - softness >= z + s (d - w) - SOFTNESS s d - LEAST, with
    /// the height z of the end, the slope s of the sides, the radius w of the floor, and the
    /// distance d. So it has no effect on ground below h if d >= (h - z + s w + LEAST) / s (1 -
    /// SOFTNESS).
    #[inline(always)]
    pub(super) fn may_be_below<R: Real>(&self, offset: &Offset<R>, h: R) -> bool {
        let most = (h - self.base) * self.inverse_rise;
        let limit = R::select(most.is_below(0.0), h.splat(0.0), most * most);
        R::any((offset.square - limit).is_below(0.0))
    }

    /// The gradients of the height and of the softness of a valley in its range.
    #[inline(always)]
    pub(super) fn slopes<R: Real>(&self, valley: &Valley<R>, range: f64) -> [[R; 2]; 2] {
        let Valley { past, across, over, off, way, growth, floor } = *valley;
        let square = past * past + across * across;
        // Both divisions in one.
        let both = way.splat(self.steepness) / (way * floor);
        // By the product rule, with grad x = 2 (past, across) / range^2.
        let x = square * (1.0 / (range * range));
        let to_over = growth * (both * floor);
        let to_square = over * growth * growth * x * (4.0 / (range * range));
        let height = [to_over * off + to_square * past, to_over * across + to_square * across];
        let to_soft = both * way * SOFTNESS;
        // Vectors stay in registers only without closures.
        let soft = [to_soft * past, to_soft * across];
        [self.turned(height[0], height[1]), self.turned(soft[0], soft[1])]
    }

    /// A vector along and across the reach, in the directions of the axes.
    #[inline(always)]
    pub fn turned<R: Real>(&self, along: R, across: R) -> [R; 2] {
        let [x, z] = self.along;
        [along * x + across * z, along * z - across * x]
    }
}
