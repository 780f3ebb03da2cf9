//! The second derivatives of the interpolation.
//!
//! Rows are joined as in [`interpolate`](super::interpolate), and every formula is differentiated
//! once more. Let s be the offset along axis k, v the fade, ' the derivative and f = s' the
//! frequency. The factors of a join have (v s)' = f v + s v' and (v s)'' = 2 f v' + s v''. Those of
//! the row between two corners have (t w_0)'' = -(2 f w' + t w'') and
//! ((t - 1) w_1)'' = 2 f w' + (t - 1) w''.

use crate::derivative::jet::symmetric;
use crate::lattice::Corner;
use crate::lattice::axis::Axis;
use crate::lattice::interpolate::{AffineRow, blend, corners_of_row, join_rows};

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
/// upper weights. Otherwise like [`interpolate`](super::interpolate).
pub(crate) fn hessian<const N: usize>(
    axes: &[&Axis; N],
    bends: [f32; N],
    has_values: bool,
    corner: impl Fn([u32; N]) -> Corner<N>,
) -> [[f32; N]; N] {
    let whole = join_rows::<N, AffineRowJet<N>>(
        |row| {
            let [left, right] = corners_of_row(axes, row);
            AffineRowJet::new(axes[0], bends[0], corner(left), corner(right), has_values)
        },
        |lower, upper, k| lower.join(&upper, k, axes[k], bends[k]),
    );
    symmetric(|j, k| whole.ddp[k][j])
}
