//! Lattice rows in SIMD lanes, joined along one axis after another: the operations of
//! `lattice::interpolate`, in its order.

use fearless_simd::Simd;

use crate::kernel::lattice::row::{HeightLanes, Ramps};
use crate::kernel::space::corners::{CornerLanes, SpaceCorners};

/// A lattice row, or several rows joined along the first J axes: an affine function of the offsets
/// along the other R axes. Derivatives are left out in a fill of values.
#[derive(Clone, Copy)]
pub(super) struct RowLanes<S: Simd, const J: usize, const R: usize> {
    /// The value where those offsets are zero.
    pub p: S::f32s,
    /// The coefficient of each offset.
    q: [S::f32s; R],
    /// The derivatives of `p` along the joined axes.
    pub dp: [S::f32s; J],
    /// The derivatives of each coefficient along the joined axes.
    dq: [[S::f32s; J]; R],
}

impl<S: Simd, const R: usize> RowLanes<S, 1, R> {
    /// The row between two corners along axis 0, in N = R + 1 dimensions. `lines` are the lattice
    /// lines along the other axes; the first one is ignored.
    #[inline(always)]
    pub fn new<C: SpaceCorners, const N: usize, const ORDER: u8>(
        simd: S,
        corners: &C,
        x: &Ramps<S>,
        mut lines: [S::u32s; N],
    ) -> Self {
        const { assert!(N == R + 1) };
        lines[0] = x.lines[0];
        let left = corner::<S, C, N>(simd, corners, lines);
        lines[0] = x.lines[1];
        let right = corner::<S, C, N>(simd, corners, lines);
        let (l, r) = (left.gradient, right.gradient);
        let p = l[0] * x.a[0] + r[0] * x.a[1];
        let mut row = Self { p, q: [p; R], dp: [p; 1], dq: [[p; 1]; R] };
        for k in 1..N {
            row.q[k - 1] = l[k] * x.w[0] + r[k] * x.w[1];
        }
        if ORDER >= 1 {
            row.dp[0] = l[0] * x.da[0] + r[0] * x.da[1];
            for k in 1..N {
                row.dq[k - 1][0] = (r[k] - l[k]) * x.dw;
            }
        }
        if corners.have_values() {
            row.p += left.value * x.w[0] + right.value * x.w[1];
            if ORDER >= 1 {
                row.dp[0] += (right.value - left.value) * x.dw;
            }
        }
        row
    }
}

/// The corners on given lines, in a stack frame of their own: there are up to 16 for a point.
#[inline(always)]
fn corner<S: Simd, C: SpaceCorners, const N: usize>(
    simd: S,
    corners: &C,
    lines: [S::u32s; N],
) -> CornerLanes<S, N> {
    simd.vectorize(
        #[inline(always)]
        || corners.lanes(simd, lines),
    )
}

/// Two rows, prepared to be joined along axis J: with s the offset, v = fade(s), and the
/// coefficients c, c0 + c1 s + c2 v + c3 v s.
pub(super) struct RowPair<S: Simd, const J: usize, const R: usize> {
    lower: RowLanes<S, J, R>,
    upper: RowLanes<S, J, R>,
    c: [S::f32s; 4],
    /// The same for the derivatives along the joined axes.
    d: [[S::f32s; 4]; J],
}

impl<S: Simd, const J: usize, const R: usize> RowPair<S, J, R> {
    #[inline(always)]
    pub fn new<const ORDER: u8>(lower: RowLanes<S, J, R>, upper: RowLanes<S, J, R>) -> Self {
        let c = coefficients::<S>([lower.p, lower.q[0]], [upper.p, upper.q[0]]);
        let mut d = [c; J];
        if ORDER >= 1 {
            for (b, d) in d.iter_mut().enumerate() {
                *d =
                    coefficients::<S>([lower.dp[b], lower.dq[0][b]], [upper.dp[b], upper.dq[0][b]]);
            }
        }
        Self { lower, upper, c, d }
    }

    /// The joined row at an offset; J1 = J + 1 and R1 = R - 1.
    #[inline(always)]
    pub fn join<const ORDER: u8, const J1: usize, const R1: usize>(
        &self,
        z: &HeightLanes<S>,
    ) -> RowLanes<S, J1, R1> {
        const { assert!(J1 == J + 1 && R1 + 1 == R) };
        let (lower, upper) = (&self.lower, &self.upper);
        let p = at::<S>(&self.c, z);
        let mut row = RowLanes { p, q: [p; R1], dp: [p; J1], dq: [[p; J1]; R1] };
        for l in 0..R1 {
            row.q[l] = lower.q[l + 1] * z.u + upper.q[l + 1] * z.v;
        }
        if ORDER >= 1 {
            for b in 0..J {
                row.dp[b] = at::<S>(&self.d[b], z);
            }
            let [_, c1, c2, c3] = self.c;
            row.dp[J] = z.dt * c1 + c2 * z.dv + c3 * z.dvs;
            for l in 0..R1 {
                row.dq[l][J] = (upper.q[l + 1] - lower.q[l + 1]) * z.dv;
                for b in 0..J {
                    row.dq[l][b] = lower.dq[l + 1][b] * z.u + upper.dq[l + 1][b] * z.v;
                }
            }
        }
        row
    }
}

#[inline(always)]
fn coefficients<S: Simd>([p0, q0]: [S::f32s; 2], [p1, q1]: [S::f32s; 2]) -> [S::f32s; 4] {
    [p0, q0, (p1 - q1) - p0, q1 - q0]
}

#[inline(always)]
fn at<S: Simd>([c0, c1, c2, c3]: &[S::f32s; 4], z: &HeightLanes<S>) -> S::f32s {
    *c0 + *c1 * z.s + *c2 * z.v + *c3 * z.vs
}
