//! Lattice rows in SIMD lanes, joined along one axis after another: the operations of
//! `lattice::interpolate`, in its order.

use fearless_simd::Simd;
use fearless_simd::prelude::*;

use crate::kernel::corners::{LookedUpCorners, PreparedCorners, values};
use crate::kernel::lattice::row::{OffsetLanes, Ramps};
use crate::kernel::tables::OctaveParameters;

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
        z: &OffsetLanes<S>,
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
fn at<S: Simd>([c0, c1, c2, c3]: &[S::f32s; 4], z: &OffsetLanes<S>) -> S::f32s {
    *c0 + *c1 * z.s + *c2 * z.v + *c3 * z.vs
}

/// The gradients and values of a vector of corners, times the amplitude.
pub(super) struct CornerLanes<S: Simd, const N: usize> {
    pub gradient: [S::f32s; N],
    pub value: S::f32s,
}

/// The source of corners.
pub(super) trait SpaceCorners {
    /// Whether corners have values.
    fn have_values(&self) -> bool;

    /// The corners where lattice lines cross, given one line for each axis.
    fn lanes<S: Simd, const N: usize>(&self, simd: S, lines: [S::u32s; N]) -> CornerLanes<S, N>;
}

/// The corners of a hashed lattice with the even gradients, or without gradients.
pub(super) struct HashedCorners {
    /// The components of gradients that are not zero, times the amplitude. `None` without
    /// gradients.
    component: Option<f32>,
    amplitude: f32,
    has_values: bool,
}

impl HashedCorners {
    /// `None` if the octave's corners are looked up.
    pub fn new(octave: &OctaveParameters) -> Option<Self> {
        let (component, amplitude) = match octave.corners {
            PreparedCorners::Edges { component, amplitude } => (Some(component), amplitude),
            PreparedCorners::Values { amplitude } => (None, amplitude),
            PreparedCorners::Directions { .. } | PreparedCorners::LookUp => return None,
        };
        Some(Self { component, amplitude, has_values: octave.has_values })
    }
}

impl SpaceCorners for HashedCorners {
    #[inline(always)]
    fn have_values(&self) -> bool {
        self.has_values
    }

    /// The operations of [`hash::corner`](crate::lattice::hash::corner), in its order.
    #[inline(always)]
    fn lanes<S: Simd, const N: usize>(&self, simd: S, lines: [S::u32s; N]) -> CornerLanes<S, N> {
        let mut hash = lines[0] * lines[1];
        for line in &lines[2..] {
            hash = ((hash ^ (hash >> 16)) | 1) * *line;
        }
        // Zero has the sign of the amplitude, as it has in the scalar code.
        let zero = S::f32s::splat(simd, 0.0 * self.amplitude);
        let mut gradient = [zero; N];
        if let Some(component) = self.component {
            if N == 3 {
                gradient[..3].copy_from_slice(&cube_edges(simd, component, zero, hash));
            } else {
                gradient[..4].copy_from_slice(&hypercube_edges(simd, component, zero, hash));
            }
        }
        let value = if self.has_values { values(simd, hash, self.amplitude) } else { zero };
        CornerLanes { gradient, value }
    }
}

/// Edge i = (12 hash) >> 32 of a cube, of 12. The component that is zero is the last, the middle or
/// the first by i / 4; the lowest bits of i are the signs of the other two.
#[inline(always)]
fn cube_edges<S: Simd>(simd: S, component: f32, zero: S::f32s, hash: S::u32s) -> [S::f32s; 3] {
    let low = ((hash & 0xffff) * 12) >> 16;
    let index = ((hash >> 16) * 12 + low) >> 16;
    let (a, b) = (signed(simd, component, index << 31), signed(simd, component, index << 30));
    let group: S::i32s = index.bitcast();
    let is_first = group.simd_lt(S::i32s::splat(simd, 4));
    let is_last = group.simd_ge(S::i32s::splat(simd, 8));
    [is_last.select(zero, a), is_first.select(b, is_last.select(a, zero)), is_first.select(zero, b)]
}

/// Edge i = hash >> 27 of a hypercube, of 32. Component i / 8 is zero; the lowest bits of i are the
/// signs of the other three.
#[inline(always)]
fn hypercube_edges<S: Simd>(simd: S, component: f32, zero: S::f32s, hash: S::u32s) -> [S::f32s; 4] {
    let a = signed(simd, component, hash << 4);
    let b = signed(simd, component, hash << 3);
    let c = signed(simd, component, hash << 2);
    let none: S::i32s = (hash >> 30).bitcast();
    let (one, two) = (S::i32s::splat(simd, 1), S::i32s::splat(simd, 2));
    [
        none.simd_lt(one).select(zero, a),
        none.simd_lt(one).select(a, none.simd_eq(one).select(zero, b)),
        none.simd_lt(two).select(b, none.simd_eq(two).select(zero, c)),
        none.simd_gt(two).select(zero, c),
    ]
}

/// A number, negated where the uppermost bit of `bits` is set.
#[inline(always)]
fn signed<S: Simd>(simd: S, number: f32, bits: S::u32s) -> S::f32s {
    let number = S::u32s::splat(simd, number.to_bits());
    (number ^ (bits & S::u32s::splat(simd, 1 << 31))).bitcast()
}

impl SpaceCorners for LookedUpCorners<'_> {
    #[inline(always)]
    fn have_values(&self) -> bool {
        self.has_values
    }

    #[inline(always)]
    fn lanes<S: Simd, const N: usize>(&self, simd: S, lines: [S::u32s; N]) -> CornerLanes<S, N> {
        let mut value = S::f32s::splat(simd, 0.0);
        let mut gradient = [value; N];
        self.look_up::<S, N>(&lines, &mut gradient, &mut value);
        CornerLanes { gradient, value }
    }
}
