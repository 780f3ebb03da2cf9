//! The valley of a reach at a point, and the ground: the smooth minimum of valleys.

use alloc::vec::Vec;

use crate::drainage::ground::reach::Reach;
use crate::drainage::network::shape::{LEAST, SOFTNESS};
use crate::real::Real;

/// A height above all ground, of a valley out of range; with a minus sign, below it.
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
    fn may_be_below<R: Real>(&self, offset: &Offset<R>, h: R) -> bool {
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

/// Steps of Newton's method. From n equal valleys it starts at 1 and ends at 1 / sqrt n: after
/// these steps, up to six are within 1e-6.
const STEPS: usize = 5;

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
/// `contributions` keeps the valleys that may have an effect; with `SLOPES`, for [`gradient`].
#[inline(always)]
pub(in crate::drainage) fn smooth_minimum<R: Real, const SLOPES: bool>(
    reaches: &[Reach],
    list: &[u32],
    p: [R; 2],
    range: f64,
    contributions: &mut Contributions,
) -> R {
    let zero = p[0].splat(0.0);
    contributions.clear();
    let mut h = zero + NOWHERE;
    for &i in list {
        let reach = &reaches[i as usize];
        let offset = reach.offset(p);
        if !reach.may_be_below(&offset, h) {
            continue;
        }
        let (height, softness, valley) = reach.valley(&offset, range);
        h = h.lesser(height);
        let from = height - softness;
        if R::any((from - h).is_below(0.0)) {
            contributions.push::<R, SLOPES>(i, from, softness, &valley);
        }
    }
    contributions.keep_below::<R, SLOPES>(h);
    // Newton's method: the sum is convex in h, so it comes from above without overshooting.
    for _ in 0..STEPS {
        let (mut sum, mut slope) = (zero + -1.0, zero);
        for &slot in contributions.kept() {
            let (u, w) = contributions.weight::<R, SLOPES>(slot, h);
            sum = sum + u * u;
            slope = slope + w;
        }
        h = h - sum / (slope * 2.0);
    }
    h
}

/// The gradient of the smooth minimum h at a point, of which `contributions` has the valleys.
#[inline(always)]
pub(in crate::drainage) fn gradient<R: Real>(
    reaches: &[Reach],
    range: f64,
    h: R,
    contributions: &Contributions,
) -> [R; 2] {
    let zero = h.splat(0.0);
    let (mut total, mut gradient) = (zero, [zero; 2]);
    for &slot in contributions.kept() {
        let (u, w) = contributions.weight::<R, true>(slot, h);
        let (number, at) = contributions.valley(slot, h);
        let [height, soft] = reaches[number as usize].slopes(&at, range);
        total = total + w;
        for k in 0..2 {
            gradient[k] = gradient[k] + w * (height[k] - soft[k] + u * soft[k]);
        }
    }
    [gradient[0] / total, gradient[1] / total]
}

/// The valleys that may have an effect at a point, or at the points of a vector.
#[derive(Default)]
pub(in crate::drainage) struct Contributions {
    /// The number of slots in use.
    used: usize,
    /// The number of the reach in each slot.
    numbers: Vec<u32>,
    /// The lanes of the [`fields`] of each slot: a_k and 1 / s_k, and the valley.
    lanes: Vec<f64>,
    /// The slots of those that have an effect, and their number.
    slots: Vec<u32>,
    count: usize,
}

/// How many vectors are kept of a valley: with what its slopes need, or without.
const fn fields(slopes: bool) -> usize {
    if slopes { 9 } else { 2 }
}

impl Contributions {
    #[inline(always)]
    fn clear(&mut self) {
        (self.used, self.count) = (0, 0);
    }

    /// Makes room for more valleys: few of those that are near a point have an effect.
    #[cold]
    #[inline(never)]
    fn grow(&mut self, lanes: usize) {
        let room = (2 * self.numbers.len()).max(8);
        self.numbers.resize(room, 0);
        self.slots.resize(room, 0);
        self.lanes.resize(lanes * room, 0.0);
    }

    #[inline(always)]
    fn kept(&self) -> &[u32] {
        &self.slots[..self.count]
    }

    #[inline(always)]
    fn push<R: Real, const SLOPES: bool>(
        &mut self,
        number: u32,
        from: R,
        softness: R,
        valley: &Valley<R>,
    ) {
        if self.used == self.numbers.len() {
            self.grow(fields(SLOPES) * R::LEN);
        }
        self.numbers[self.used] = number;
        let lanes = fields(SLOPES) * R::LEN;
        let lanes = &mut self.lanes[lanes * self.used..][..lanes];
        from.store(lanes);
        softness.store(&mut lanes[R::LEN..]);
        self.used += 1;
        if !SLOPES {
            return;
        }
        valley.past.store(&mut lanes[2 * R::LEN..]);
        valley.across.store(&mut lanes[3 * R::LEN..]);
        valley.over.store(&mut lanes[4 * R::LEN..]);
        valley.off.store(&mut lanes[5 * R::LEN..]);
        valley.way.store(&mut lanes[6 * R::LEN..]);
        valley.growth.store(&mut lanes[7 * R::LEN..]);
        valley.floor.store(&mut lanes[8 * R::LEN..]);
    }

    /// A vector of a slot.
    #[inline(always)]
    fn get<R: Real, const SLOPES: bool>(&self, slot: u32, field: usize, zero: R) -> R {
        let at = fields(SLOPES) * slot as usize + field;
        zero.load(&self.lanes[at * R::LEN..][..R::LEN])
    }

    /// Drops valleys with a_k >= h, and inverts the softness of the others.
    #[inline(always)]
    fn keep_below<R: Real, const SLOPES: bool>(&mut self, h: R) {
        for slot in 0..self.used as u32 {
            if R::any((self.get::<R, SLOPES>(slot, 0, h) - h).is_below(0.0)) {
                let inverse = h.splat(1.0) / self.get::<R, SLOPES>(slot, 1, h);
                let at = fields(SLOPES) * slot as usize + 1;
                inverse.store(&mut self.lanes[at * R::LEN..][..R::LEN]);
                self.slots[self.count] = slot;
                self.count += 1;
            }
        }
    }

    /// u_k and w_k.
    #[inline(always)]
    fn weight<R: Real, const SLOPES: bool>(&self, slot: u32, h: R) -> (R, R) {
        let over = h - self.get::<R, SLOPES>(slot, 0, h);
        let inverse = self.get::<R, SLOPES>(slot, 1, h);
        let u = R::select(over.is_below(0.0), h.splat(0.0), over) * inverse;
        (u, u * inverse)
    }

    /// What the gradient of a valley needs, and the number of its reach.
    #[inline(always)]
    fn valley<R: Real>(&self, slot: u32, zero: R) -> (u32, Valley<R>) {
        let get = |field| self.get::<R, true>(slot, field, zero);
        let valley = Valley {
            past: get(2),
            across: get(3),
            over: get(4),
            off: get(5),
            way: get(6),
            growth: get(7),
            floor: get(8),
        };
        (self.numbers[slot as usize], valley)
    }
}
