//! The ground: the smooth minimum of valleys.

use alloc::vec::Vec;

use crate::drainage::ground::reach::Reach;
use crate::drainage::ground::valley::{NOWHERE, Valley};
use crate::real::Real;

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
