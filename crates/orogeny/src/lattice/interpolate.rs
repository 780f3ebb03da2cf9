//! Interpolates lattice gradients and values in any number of dimensions, with exact derivatives.
//!
//! At a point with offsets (t_0, t_1, ..) in its cell, corner c of the cell contributes the ramp
//! h_c + g_c . (t - c), and the ramps are blended along one axis after another with the weights 1 -
//! u and u, u = fade(t). The values h_c are zero for gradient noise, the gradients g_c for value
//! noise.
//!
//! Along a lattice row parallel to axis 0 the blend is an affine function of the other offsets, P +
//! sum_k Q_k (t_k - c_k): an [`AffineRow`]. Two rows that differ along axis k are joined, with s =
//! t_k and v = fade(s), to
//!
//! (1 - v)(P0 + Q0 s) + v (P1 + Q1 (s - 1)) = P0 + Q0 s + (P1 - Q1 - P0) v + (Q1 - Q0) v s.
//!
//! Second derivatives join rows in the same way, with every formula differentiated once more. Let '
//! be the derivative and f = s' the frequency. The factors of a join have (v s)' = f v + s v' and
//! (v s)'' = 2 f v' + s v''. Those of the row between two corners have (t w_0)'' = -(2 f w' + t
//! w'') and ((t - 1) w_1)'' = 2 f w' + (t - 1) w''.
//!
//! The order of all operations is fixed. A grid computes a row once for all samples above it, in
//! the same order, so points and grids have the same bits.

use crate::derivative::jet::symmetric;
use crate::derivative::sample::Sample;
use crate::lattice::Corner;
use crate::lattice::cell::Axis;

/// A lattice row, or several joined: an affine function of the offsets along the axes not yet
/// joined.
#[derive(Clone, Copy)]
struct AffineRow<const N: usize> {
    /// P, the value where those offsets are zero.
    p: f32,
    /// `q[k]`, the coefficient of offset k; unused for axes already joined.
    q: [f32; N],
    /// `dp[b]`, the derivative of P along an axis b already joined.
    dp: [f32; N],
    /// `dq[k][b]`, the derivative of `q[k]` along an axis b already joined.
    dq: [[f32; N]; N],
}

impl<const N: usize> AffineRow<N> {
    const ZERO: Self = Self { p: 0.0, q: [0.0; N], dp: [0.0; N], dq: [[0.0; N]; N] };

    /// The row between two corners along axis 0.
    #[inline(always)]
    fn new(x: &Axis, left: Corner<N>, right: Corner<N>, has_values: bool) -> Self {
        let (lower, upper) = (left.value, right.value);
        let (left, right) = (left.gradient, right.gradient);
        let (a0, a1) = (x.t * x.w0, (x.t - 1.0) * x.w1);
        let (da0, da1) = (x.dt * x.w0 - x.t * x.dw, x.dt * x.w1 + (x.t - 1.0) * x.dw);
        let mut row = Self::ZERO;
        row.p = left[0] * a0 + right[0] * a1;
        row.dp[0] = left[0] * da0 + right[0] * da1;
        for k in 1..N {
            row.q[k] = left[k] * x.w0 + right[k] * x.w1;
            row.dq[k][0] = (right[k] - left[k]) * x.dw;
        }
        if has_values {
            row.p += lower * x.w0 + upper * x.w1;
            row.dp[0] += (upper - lower) * x.dw;
        }
        row
    }

    /// Joins `self`, below, and `upper` along axis `k`.
    #[inline(always)]
    fn join(&self, upper: &Self, k: usize, axis: &Axis) -> Self {
        let (s, v, dv) = (axis.t, axis.w1, axis.dw);
        let vs = v * s;
        let dvs = axis.dt * v + s * dv;
        let mut row = Self::ZERO;
        row.p = blend([s, v, vs], [self.p, self.q[k]], [upper.p, upper.q[k]]);
        row.dp[k] = axis.dt * self.q[k]
            + ((upper.p - upper.q[k]) - self.p) * dv
            + (upper.q[k] - self.q[k]) * dvs;
        for b in 0..k {
            row.dp[b] =
                blend([s, v, vs], [self.dp[b], self.dq[k][b]], [upper.dp[b], upper.dq[k][b]]);
        }
        for l in k + 1..N {
            row.q[l] = self.q[l] * axis.w0 + upper.q[l] * axis.w1;
            row.dq[l][k] = (upper.q[l] - self.q[l]) * dv;
            for b in 0..k {
                row.dq[l][b] = self.dq[l][b] * axis.w0 + upper.dq[l][b] * axis.w1;
            }
        }
        row
    }
}

/// Joins P and Q of two rows by the formula in the module's documentation, given s, v and v s.
#[inline(always)]
fn blend([s, v, vs]: [f32; 3], [p0, q0]: [f32; 2], [p1, q1]: [f32; 2]) -> f32 {
    p0 + q0 * s + ((p1 - q1) - p0) * v + (q1 - q0) * vs
}

/// The noise at the point given by `axes`. `corner` returns the corner at the crossing of lattice
/// lines; its value is only used if `has_values`.
#[inline(always)]
pub(crate) fn interpolate<const N: usize>(
    axes: &[&Axis; N],
    has_values: bool,
    corner: impl Fn([u32; N]) -> Corner<N>,
) -> Sample<N> {
    let whole = join_rows::<N, AffineRow<N>>(
        #[inline(always)]
        |row| {
            let [left, right] = corners_of_row(axes, row);
            AffineRow::new(axes[0], corner(left), corner(right), has_values)
        },
        #[inline(always)]
        |lower, upper, k| lower.join(&upper, k, axes[k]),
    );
    Sample { value: whole.p, gradient: whole.dp }
}

/// Joins the 2^(N - 1) lattice rows of a cell along axis 1, then along axis 2, and so on. The bits
/// of a row's index are its sides along these axes.
#[inline(always)]
fn join_rows<const N: usize, R>(row: impl Fn(usize) -> R, join: impl Fn(R, R, usize) -> R) -> R {
    const { assert!(N >= 1 && N <= 4) };
    // Written out, since an array of rows would stay in memory, and as macros, since closures
    // would not be inlined.
    macro_rules! pair {
        ($first:expr) => {
            join(row($first), row($first + 1), 1)
        };
    }
    macro_rules! quad {
        ($first:expr) => {
            join(pair!($first), pair!($first + 2), 2)
        };
    }
    match N {
        1 => row(0),
        2 => pair!(0),
        3 => quad!(0),
        _ => join(quad!(0), quad!(4), 3),
    }
}

/// The lines that cross at the two corners of a lattice row, see [`join_rows`].
#[inline(always)]
fn corners_of_row<const N: usize>(axes: &[&Axis; N], row: usize) -> [[u32; N]; 2] {
    let mut lines = [[0; N]; 2];
    for (side, lines) in lines.iter_mut().enumerate() {
        let sides = (row << 1) | side;
        for (k, line) in lines.iter_mut().enumerate() {
            *line = axes[k].lines[(sides >> k) & 1];
        }
    }
    lines
}

/// A row with its second derivatives along axes that are already joined.
#[derive(Clone, Copy)]
struct AffineRowJet<const N: usize> {
    row: AffineRow<N>,
    /// `ddp[a][b]`, that of P along a and b, for b <= a.
    ddp: [[f32; N]; N],
    /// `ddq[k][a][b]`, that of `q[k]`.
    ddq: [[[f32; N]; N]; N],
}

impl<const N: usize> AffineRowJet<N> {
    const ZERO: Self = Self { row: AffineRow::ZERO, ddp: [[0.0; N]; N], ddq: [[[0.0; N]; N]; N] };

    /// The row between two corners along axis 0; `ddw` is the second derivative of the upper
    /// weight.
    fn new(x: &Axis, ddw: f32, left: Corner<N>, right: Corner<N>, has_values: bool) -> Self {
        let mut second = Self { row: AffineRow::new(x, left, right, has_values), ..Self::ZERO };
        let twice = 2.0 * x.dt * x.dw;
        let (dda0, dda1) = (-(twice + x.t * ddw), twice + (x.t - 1.0) * ddw);
        second.ddp[0][0] = left.gradient[0] * dda0 + right.gradient[0] * dda1;
        if has_values {
            second.ddp[0][0] += (right.value - left.value) * ddw;
        }
        for k in 1..N {
            second.ddq[k][0][0] = (right.gradient[k] - left.gradient[k]) * ddw;
        }
        second
    }

    /// Joins `self`, below, and `upper` along axis `k`.
    fn join(&self, upper: &Self, k: usize, axis: &Axis, ddv: f32) -> Self {
        let (s, v, dv) = (axis.t, axis.w1, axis.dw);
        let vs = v * s;
        let dvs = axis.dt * v + s * dv;
        let ddvs = 2.0 * axis.dt * dv + s * ddv;
        let (below, above) = (&self.row, &upper.row);
        let mut joined = Self { row: below.join(above, k, axis), ..Self::ZERO };
        joined.ddp[k][k] =
            ((above.p - above.q[k]) - below.p) * ddv + (above.q[k] - below.q[k]) * ddvs;
        for b in 0..k {
            let (p0, q0) = (below.dp[b], below.dq[k][b]);
            let (p1, q1) = (above.dp[b], above.dq[k][b]);
            joined.ddp[k][b] = axis.dt * q0 + ((p1 - q1) - p0) * dv + (q1 - q0) * dvs;
            for a in b..k {
                let below = [self.ddp[a][b], self.ddq[k][a][b]];
                joined.ddp[a][b] = blend([s, v, vs], below, [upper.ddp[a][b], upper.ddq[k][a][b]]);
            }
        }
        for l in k + 1..N {
            joined.ddq[l][k][k] = (above.q[l] - below.q[l]) * ddv;
            for b in 0..k {
                joined.ddq[l][k][b] = (above.dq[l][b] - below.dq[l][b]) * dv;
                for a in b..k {
                    joined.ddq[l][a][b] =
                        self.ddq[l][a][b] * axis.w0 + upper.ddq[l][a][b] * axis.w1;
                }
            }
        }
        joined
    }
}

/// The Hessian of the noise at the point given by `axes`, and by the second derivatives of the
/// upper weights. Otherwise like [`interpolate`].
pub(crate) fn hessian<const N: usize>(
    axes: &[&Axis; N],
    second: [f32; N],
    has_values: bool,
    corner: impl Fn([u32; N]) -> Corner<N>,
) -> [[f32; N]; N] {
    let whole = join_rows::<N, AffineRowJet<N>>(
        |row| {
            let [left, right] = corners_of_row(axes, row);
            AffineRowJet::new(axes[0], second[0], corner(left), corner(right), has_values)
        },
        |lower, upper, k| lower.join(&upper, k, axes[k], second[k]),
    );
    symmetric(|j, k| whole.ddp[k][j])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lattice::fade::Fade;
    use crate::lattice::fade::tests::{ALL, exact};
    use crate::lattice::{Gradients, Hashed, Points};
    use core::array;
    use proptest::prelude::*;

    /// The textbook formula in f64: every corner's ramp, weighted by the product of its fades.
    fn oracle<const N: usize>(
        t: [f64; N],
        lines: [[u32; 2]; N],
        fade: Fade,
        corner: impl Fn([u32; N]) -> Corner<N>,
    ) -> f64 {
        let mut sum = 0.0;
        for bits in 0..1usize << N {
            let side = array::from_fn::<usize, N, _>(|k| (bits >> k) & 1);
            let corner = corner(array::from_fn(|k| lines[k][side[k]]));
            let (mut ramp, mut weight) = (f64::from(corner.value), 1.0);
            for k in 0..N {
                let [u, ..] = exact(fade, t[k]);
                ramp += f64::from(corner.gradient[k]) * (t[k] - side[k] as f64);
                weight *= if side[k] == 1 { u } else { 1.0 - u };
            }
            sum += weight * ramp;
        }
        sum
    }

    fn check<const N: usize>(t: [f32; N], seed: u64) -> Result<(), TestCaseError> {
        let lattice = Hashed::new(seed, Gradients::Unit.table());
        for (fade, has_values) in ALL.into_iter().flat_map(|fade| [(fade, false), (fade, true)]) {
            let axes = array::from_fn::<Axis, N, _>(|k| {
                Axis::new(f64::from(t[k]) - 3.0, 1.0, 0.0, fade, |cell| lattice.line(k, cell))
            });
            let t = axes.map(|axis| f64::from(axis.t));
            let lines = axes.map(|axis| axis.lines);
            let corner = |lines| lattice.corner(lines, has_values);
            let found = interpolate(&array::from_fn(|k| &axes[k]), has_values, corner);
            let exact = oracle(t, lines, fade, corner);
            prop_assert!((f64::from(found.value) - exact).abs() < 1e-6, "{found:?} {exact}");
            let seconds = axes.map(|axis| fade.second(axis.t));
            let second = hessian(&array::from_fn(|k| &axes[k]), seconds, has_values, corner);
            for k in 0..N {
                let at = |h: f64| {
                    let mut moved = t;
                    moved[k] += h;
                    oracle(moved, lines, fade, corner)
                };
                let slope = (at(1e-5) - at(-1e-5)) / 2e-5;
                for j in 0..N {
                    let at = |[h, i]: [f64; 2]| {
                        let mut moved = t;
                        moved[k] += h;
                        moved[j] += i;
                        oracle(moved, lines, fade, corner)
                    };
                    const H: f64 = 1e-4;
                    let expected =
                        (at([H, H]) - at([H, -H]) - at([-H, H]) + at([-H, -H])) / (4.0 * H * H);
                    prop_assert!(
                        (f64::from(second[j][k]) - expected).abs() < 5e-5,
                        "{fade:?}, has_values {has_values}, axes {j}, {k}: {second:?} {expected}"
                    );
                }
                prop_assert!(
                    (f64::from(found.gradient[k]) - slope).abs() < 4e-6,
                    "{fade:?}, has_values {has_values}, axis {k}: {found:?} {slope}"
                );
            }
        }
        Ok(())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1000))]
        #[test]
        fn matches_the_textbook(t in [0f32..1.0, 0f32..1.0, 0f32..1.0, 0f32..1.0], seed: u32) {
            check([t[0]], seed.into())?;
            check([t[0], t[1]], seed.into())?;
            check([t[0], t[1], t[2]], seed.into())?;
            check(t, seed.into())?;
        }
    }
}
