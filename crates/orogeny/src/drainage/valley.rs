//! The valley of a reach at a point, and the smooth minimum of valleys.

use alloc::vec::Vec;

use crate::drainage::reach::Reach;
#[cfg(not(feature = "std"))]
use crate::float::Float as _;
use crate::real::Real;

/// How far a valley may be above another one and still blend with it, over its rise.
const SOFTNESS: f64 = 0.3;

/// The same at the channel, where the rise is 0, in metres.
pub(super) const LEAST: f64 = 0.01;

/// A height above all ground, of a valley out of range.
const NOWHERE: f64 = 1e30;

/// A number with its gradient.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slope<R> {
    pub value: R,
    pub gradient: [R; 2],
}

/// How many numbers of each point a [`Valley`] has.
const NUMBERS: usize = 6;

/// A valley at a point.
#[derive(Clone, Copy, Debug)]
pub(super) struct Valley<R> {
    /// The height at which it begins to blend with the ground: its own less the softness.
    from: Slope<R>,
    /// The difference of heights within which it blends, and 1 over it.
    softness: Slope<R>,
    inverse: R,
}

/// Where a point is beside a reach.
#[derive(Clone, Copy, Debug)]
pub(super) struct Beside<R> {
    /// The distance along it, from its start.
    pub along: R,
    /// The distance across, to the right.
    pub across: R,
    /// How far it is past the nearer end.
    pub past: R,
    /// The square of the distance.
    pub square: R,
}

impl Reach {
    /// Where a point is.
    #[inline(always)]
    pub fn beside<R: Real>(&self, p: [R; 2]) -> Beside<R> {
        let d = [p[0] + -self.start[0], p[1] + -self.start[1]];
        let along = d[0] * self.along[0] + d[1] * self.along[1];
        let across = d[0] * self.along[1] - d[1] * self.along[0];
        let past = along - along.clamp(0.0, self.length);
        Beside { along, across, past, square: past * past + across * across }
    }

    /// The valley without its channel, and where it is lowest: the minimum over all points q of
    /// the reach of z(q) + s (sqrt(|p - q|^2 + w^2) - w), with the slope s of the sides and the
    /// radius w of the floor, less the height at the end.
    ///
    /// z falls along the reach. So the lowest way to p begins not at the closest point, but
    /// downstream of it, by sqrt(d^2 + w^2) m / sqrt(s^2 - m^2) with the slope m of the reach and
    /// the distance d across.
    #[inline(always)]
    fn over<R: Real>(&self, beside: &Beside<R>) -> (R, R, R) {
        let (s, w) = (self.steepness, self.floor);
        let far = (beside.across * beside.across + w * w).root();
        let lowest = (beside.along + far * self.shift).clamp(0.0, self.length);
        let off = beside.along - lowest;
        let way = (off * off + far * far).root();
        let over = lowest * (-self.fall / self.length) + self.fall + (way + -w) * s;
        (over, off, way)
    }

    /// The valley at a point. At `range` from the reach it goes to infinity, by 1 / (1 - x^2) with
    /// x = (d / range)^2.
    #[inline(always)]
    pub fn valley<R: Real>(&self, p: [R; 2], range: f64) -> Valley<R> {
        let beside = self.beside(p);
        let Beside { across, past, square, .. } = beside;
        let (over, off, way) = self.over(&beside);
        let (s, w) = (self.steepness, self.floor);
        let x = square * (1.0 / (range * range));
        let near = x.is_below(1.0 - 1e-9);
        let rest = R::select(near, -(x * x) + 1.0, x.splat(1.0));
        let floor = (square + w * w).root();
        let softness = (floor + -w) * (SOFTNESS * s) + LEAST;
        // All divisions in one, which costs as much as a dozen products.
        let [one, other] = [rest * way, floor * softness];
        let both = x.splat(1.0) / (one * other);
        let [one, other] = [both * other, both * one];
        let growth = one * way;
        // By the product rule, with grad x = 2 (past, across) / range^2.
        let to_over = growth * (one * rest) * s;
        let to_square = over * growth * growth * x * (4.0 / (range * range));
        let mut height = over * growth + self.height;
        let mut along = to_over * off + to_square * past;
        let mut over_there = to_over * across + to_square * across;

        // The bed: -depth (1 - d^2 / b^2)^3 within the half width b.
        if self.depth > 0.0 {
            let dry = (-(square * self.inverse_width) + 1.0).clamp(0.0, 1.0);
            height = height - dry * dry * dry * self.depth;
            let slope = dry * dry * (6.0 * self.depth * self.inverse_width);
            along = along + slope * past;
            over_there = over_there + slope * across;
        }

        let to_soft = other * softness * (SOFTNESS * s);
        let soft = self.turned(to_soft * past, to_soft * across);
        let slope = self.turned(along, over_there);
        let from = R::select(near, height - softness, x.splat(NOWHERE));
        Valley {
            from: Slope { value: from, gradient: [slope[0] - soft[0], slope[1] - soft[1]] },
            softness: Slope { value: softness, gradient: soft },
            inverse: other * floor,
        }
    }

    /// A vector along and across the reach, in the directions of the axes.
    #[inline(always)]
    pub fn turned<R: Real>(&self, along: R, across: R) -> [R; 2] {
        let [x, z] = self.along;
        [along * x + across * z, along * z - across * x]
    }

    /// Bounds of the height in a disc: below all of what [`valley`](Self::valley) blends with, and
    /// above the valley. `None` out of range, or if the former is `limit` or more.
    pub fn bounds(&self, p: [f64; 2], radius: f64, range: f64, limit: f64) -> Option<[f64; 2]> {
        let beside = self.beside(p);
        let distance = beside.square.sqrt();
        if distance - radius >= range {
            return None;
        }
        let (s, w) = (self.steepness, self.floor);
        let below = self.height - self.depth - LEAST - SOFTNESS * s * (distance + radius);
        // All of the channel is at least as high as its end.
        if below + s * (distance - w - radius) >= limit {
            return None;
        }
        let (over, ..) = self.over(&beside);
        let x = (distance + radius) * (distance + radius) / (range * range);
        let highest = over + s * radius;
        let max = if x < 0.95 { self.height + highest / (1.0 - x * x) } else { f64::INFINITY };
        Some([below + (over - s * radius).max(0.0), max])
    }
}

/// The smooth minimum of valleys of heights V_k: the h with
///
/// sum of (max(0, h - a_k) / s_k)^2 = 1,  a_k = V_k - s_k,
///
/// where s_k, the softness, is a part of the rise of valley k above its own channel. It does not
/// depend on the order of valleys, those with a_k >= h have no effect, and it is at most the lowest
/// V_k, where it is that if no other is near. Its gradient is
/// sum of w_k (grad a_k + u_k grad s_k) / sum of w_k with u_k = (h - a_k) / s_k and
/// w_k = u_k / s_k.
///
/// The numbers of valleys are kept in `scratch`.
#[inline(always)]
pub(super) fn smooth_minimum<R: Real>(
    reaches: &[Reach],
    list: &[u32],
    p: [R; 2],
    range: f64,
    scratch: &mut Vec<f64>,
) -> Slope<R> {
    let stride = NUMBERS * R::LEN;
    if scratch.len() < stride * list.len() {
        scratch.resize(stride * list.len(), 0.0);
    }
    let zero = p[0].splat(0.0);
    let mut h = zero + NOWHERE;
    for (&i, place) in list.iter().zip(scratch.chunks_exact_mut(stride)) {
        let valley = reaches[i as usize].valley(p, range);
        h = h.lesser(valley.from.value + valley.softness.value);
        valley.from.value.store(place);
        valley.inverse.store(&mut place[R::LEN..]);
        valley.from.gradient[0].store(&mut place[2 * R::LEN..]);
        valley.from.gradient[1].store(&mut place[3 * R::LEN..]);
        valley.softness.gradient[0].store(&mut place[4 * R::LEN..]);
        valley.softness.gradient[1].store(&mut place[5 * R::LEN..]);
    }
    let valleys = &scratch[..stride * list.len()];
    // Newton's method: the sum is convex in h, so it comes from above without overshooting.
    for _ in 0..5 {
        let (mut sum, mut slope) = (zero + -1.0, zero);
        for valley in valleys.chunks_exact(stride) {
            let (u, w) = part(h, zero, valley);
            sum = sum + u * u;
            slope = slope + w;
        }
        h = h - sum / (slope * 2.0);
    }
    let (mut total, mut gradient) = (zero, [zero; 2]);
    for valley in valleys.chunks_exact(stride) {
        let (u, w) = part(h, zero, valley);
        total = total + w;
        let from = [zero.load(&valley[2 * R::LEN..]), zero.load(&valley[3 * R::LEN..])];
        let soft = [zero.load(&valley[4 * R::LEN..]), zero.load(&valley[5 * R::LEN..])];
        gradient[0] = gradient[0] + w * (from[0] + u * soft[0]);
        gradient[1] = gradient[1] + w * (from[1] + u * soft[1]);
    }
    Slope { value: h, gradient: [gradient[0] / total, gradient[1] / total] }
}

/// u_k and w_k of a valley.
#[inline(always)]
fn part<R: Real>(h: R, zero: R, valley: &[f64]) -> (R, R) {
    let inverse = zero.load(&valley[R::LEN..]);
    let over = h - zero.load(valley);
    let u = R::select(over.is_below(0.0), zero, over) * inverse;
    (u, u * inverse)
}
