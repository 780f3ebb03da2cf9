//! Natural cubic splines.

use alloc::vec::Vec;
use core::ops::{Mul, Sub};

use crate::arrays::Each;
use crate::real::Real;

/// A cubic polynomial c0 + c1 t + c2 t^2 + c3 t^3 on [0, end], with three components: x, z and the
/// height.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cubic {
    pub terms: [[f64; 3]; 4],
    /// The largest parameter.
    pub end: f64,
}

impl Cubic {
    #[inline(always)]
    pub fn position<R: Real>(&self, t: R) -> [R; 3] {
        let [c0, c1, c2, c3] = &self.terms;
        let [x, z, h] = [0, 1, 2];
        [
            t * (t * (t * c3[x] + c2[x]) + c1[x]) + c0[x],
            t * (t * (t * c3[z] + c2[z]) + c1[z]) + c0[z],
            t * (t * (t * c3[h] + c2[h]) + c1[h]) + c0[h],
        ]
    }

    #[inline(always)]
    pub fn velocity<R: Real>(&self, t: R) -> [R; 3] {
        let [_, c1, c2, c3] = &self.terms;
        let [x, z, h] = [0, 1, 2];
        [
            t * (t * (3.0 * c3[x]) + 2.0 * c2[x]) + c1[x],
            t * (t * (3.0 * c3[z]) + 2.0 * c2[z]) + c1[z],
            t * (t * (3.0 * c3[h]) + 2.0 * c2[h]) + c1[h],
        ]
    }

    #[inline(always)]
    pub fn acceleration<R: Real>(&self, t: R) -> [R; 3] {
        let [_, _, c2, c3] = &self.terms;
        let [x, z, h] = [0, 1, 2];
        [
            t * (6.0 * c3[x]) + 2.0 * c2[x],
            t * (6.0 * c3[z]) + 2.0 * c2[z],
            t * (6.0 * c3[h]) + 2.0 * c2[h],
        ]
    }

    /// The third derivative, a constant.
    #[inline]
    pub fn jerk(&self) -> [f64; 3] {
        self.terms[3].each(|c| 6.0 * c)
    }

    /// The halves of it, each with a parameter that begins at 0.
    pub fn halves(&self) -> [Self; 2] {
        let end = 0.5 * self.end;
        let half = self.acceleration(end).each(|a| 0.5 * a);
        let later = [self.position(end), self.velocity(end), half, self.terms[3]];
        [Self { end, ..*self }, Self { terms: later, end }]
    }
}

/// The plane part of a vector: (x, z).
#[inline(always)]
pub(super) fn plane<R>([x, z, _]: [R; 3]) -> [R; 2] {
    [x, z]
}

/// The difference of two vectors.
#[inline(always)]
pub(super) fn minus<R: Sub<Q, Output = R>, Q>([a, b]: [R; 2], [c, d]: [Q; 2]) -> [R; 2] {
    [a - c, b - d]
}

#[inline(always)]
pub(super) fn dot<R: Real + Mul<Q, Output = R>, Q>([a, b]: [R; 2], [c, d]: [Q; 2]) -> R {
    a * c + b * d
}

/// The z component of the cross product.
#[inline(always)]
pub(super) fn cross<R: Real + Mul<Q, Output = R>, Q>([a, b]: [R; 2], [c, d]: [Q; 2]) -> R {
    a * d - b * c
}

#[inline(always)]
pub(super) fn length<R: Real>(a: [R; 2]) -> R {
    dot(a, a).root()
}

/// The natural cubic spline through points (x, z, height), one cubic between neighbours. Its
/// parameter is the sum of the distances between neighbours in the plane. It is twice continuously
/// differentiable, and its second derivative at both ends is 0. (Carl de Boor, "A practical guide
/// to splines", 1978, chapter IV.)
///
/// With the steps h_i, the chords e_i = (p_{i+1} - p_i) / h_i and the second derivatives m_i,
///
/// h_{i-1} m_{i-1} + 2 (h_{i-1} + h_i) m_i + h_i m_{i+1} = 6 (e_i - e_{i-1}),
///
/// which is solved by elimination.
pub(super) fn natural(points: &[[f64; 3]]) -> Vec<Cubic> {
    let steps: Vec<_> = points
        .windows(2)
        .map(|pair| {
            let end = length(minus(plane(pair[1]), plane(pair[0])));
            (end, [0, 1, 2].each(|k| (pair[1][k] - pair[0][k]) / end))
        })
        .collect();
    // m_i = rest - factor m_{i+1}.
    let mut rows = vec![(0.0, [0.0; 3])];
    for pair in steps.windows(2) {
        let ([(before, first), (after, second)], (factor, rest)) =
            ([pair[0], pair[1]], rows[rows.len() - 1]);
        let pivot = 2.0 * (before + after) - before * factor;
        let right = [0, 1, 2].each(|k| 6.0 * (second[k] - first[k]) - before * rest[k]);
        rows.push((after / pivot, right.each(|r| r / pivot)));
    }
    let mut next = [0.0; 3];
    let mut cubics: Vec<_> = (0..steps.len())
        .rev()
        .map(|i| {
            let ((end, chord), (factor, rest)) = (steps[i], rows[i]);
            let own: [f64; 3] = [0, 1, 2].each(|k| rest[k] - factor * next[k]);
            let velocity = [0, 1, 2].each(|k| chord[k] - end * (2.0 * own[k] + next[k]) / 6.0);
            let jerk = [0, 1, 2].each(|k| (next[k] - own[k]) / (6.0 * end));
            next = own;
            Cubic { terms: [points[i], velocity, own.each(|m| 0.5 * m), jerk], end }
        })
        .collect();
    cubics.reverse();
    cubics
}
