//! The ground: the smooth minimum of valleys.

use alloc::vec::Vec;

use crate::drainage::ground::reach::Reach;
use crate::drainage::ground::valley::NOWHERE;
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
/// `parts` keeps the valleys that may have an effect, for [`gradient`].
#[inline(always)]
pub(in crate::drainage) fn smooth_minimum<R: Real>(
    reaches: &[Reach],
    list: &[u32],
    p: [R; 2],
    range: f64,
    parts: &mut Contributions,
) -> R {
    let zero = p[0].splat(0.0);
    parts.clear::<R>(list.len());
    let mut h = zero + NOWHERE;
    for &i in list {
        let reach = &reaches[i as usize];
        let offset = reach.offset(p);
        if !reach.may_be_below(&offset, h) {
            continue;
        }
        let valley = reach.valley(&offset, range);
        h = h.lesser(valley.height);
        let from = valley.height - valley.softness;
        if R::any((from - h).is_below(0.0)) {
            parts.push(i, from, valley.softness);
        }
    }
    parts.keep_below(h);
    // Newton's method: the sum is convex in h, so it comes from above without overshooting.
    for _ in 0..STEPS {
        let (mut sum, mut slope) = (zero + -1.0, zero);
        for k in 0..parts.count {
            let (u, w) = parts.weight(k, h);
            sum = sum + u * u;
            slope = slope + w;
        }
        h = h - sum / (slope * 2.0);
    }
    h
}

/// The gradient of the smooth minimum h at a point.
#[inline(always)]
pub(in crate::drainage) fn gradient<R: Real>(
    reaches: &[Reach],
    p: [R; 2],
    range: f64,
    h: R,
    parts: &Contributions,
) -> [R; 2] {
    let zero = p[0].splat(0.0);
    let (mut total, mut gradient) = (zero, [zero; 2]);
    for k in 0..parts.count {
        let (u, w) = parts.weight(k, h);
        let reach = &reaches[parts.numbers[k] as usize];
        let offset = reach.offset(p);
        let [height, soft] = reach.slopes(&offset, &reach.valley(&offset, range), range);
        total = total + w;
        for k in 0..2 {
            gradient[k] = gradient[k] + w * (height[k] - soft[k] + u * soft[k]);
        }
    }
    [gradient[0] / total, gradient[1] / total]
}

/// The valleys that may have an effect at a point, or at the points of a vector: their numbers, and
/// what the smooth minimum needs of each.
#[derive(Default)]
pub(in crate::drainage) struct Contributions {
    count: usize,
    numbers: Vec<u32>,
    /// a_k and 1 / s_k of each lane.
    lanes: Vec<f64>,
}

impl Contributions {
    /// Room for so many valleys, and none of them.
    #[inline(always)]
    fn clear<R: Real>(&mut self, room: usize) {
        self.count = 0;
        if self.numbers.len() < room {
            self.numbers.resize(room, 0);
            self.lanes.resize(2 * R::LEN * room, 0.0);
        }
    }

    #[inline(always)]
    fn set<R: Real>(&mut self, k: usize, number: u32, from: R, softness: R) {
        self.numbers[k] = number;
        let lanes = &mut self.lanes[2 * R::LEN * k..][..2 * R::LEN];
        from.store(lanes);
        softness.store(&mut lanes[R::LEN..]);
    }

    /// The two numbers of a valley.
    #[inline(always)]
    fn get<R: Real>(&self, k: usize, zero: R) -> (R, R) {
        let lanes = &self.lanes[2 * R::LEN * k..][..2 * R::LEN];
        (zero.load(lanes), zero.load(&lanes[R::LEN..]))
    }

    #[inline(always)]
    fn push<R: Real>(&mut self, number: u32, from: R, softness: R) {
        self.set(self.count, number, from, softness);
        self.count += 1;
    }

    /// Drops valleys with a_k >= h, and inverts the softness of the others.
    #[inline(always)]
    fn keep_below<R: Real>(&mut self, h: R) {
        let mut kept = 0;
        for k in 0..self.count {
            let (from, softness) = self.get(k, h);
            if R::any((from - h).is_below(0.0)) {
                self.set(kept, self.numbers[k], from, h.splat(1.0) / softness);
                kept += 1;
            }
        }
        self.count = kept;
    }

    /// u_k and w_k.
    #[inline(always)]
    fn weight<R: Real>(&self, k: usize, h: R) -> (R, R) {
        let (from, inverse) = self.get(k, h);
        let over = h - from;
        let u = R::select(over.is_below(0.0), h.splat(0.0), over) * inverse;
        (u, u * inverse)
    }
}
