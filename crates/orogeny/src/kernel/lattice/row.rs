//! Lattice rows in SIMD lanes: the operations of `lattice::interpolate`, in its order.

use fearless_simd::Simd;
use fearless_simd::prelude::*;

use crate::kernel::corners::{CornerLanes, LaneCorners};
use crate::kernel::lattice::axis_table::{AxisTable, RowOffset};

/// What lattice noise needs for a vector of points along one axis.
pub(in crate::kernel) struct AxisLanes<S: Simd> {
    /// The lattice's words for the lines below and above.
    pub below: S::u32s,
    pub above: S::u32s,
    pub t: S::f32s,
    pub w0: S::f32s,
    pub w1: S::f32s,
    pub dw: S::f32s,
    /// Zero unless second derivatives are requested.
    pub ddw: S::f32s,
    pub dt: S::f32s,
}

impl<S: Simd> AxisLanes<S> {
    /// Consecutive points, from index `at` on.
    #[inline(always)]
    pub fn consecutive<const ORDER: u8>(simd: S, table: &AxisTable, at: usize) -> Self {
        let end = at + S::f32s::LEN;
        let ddw = if ORDER == 2 {
            S::f32s::from_slice(simd, &table.ddw[at..end])
        } else {
            S::f32s::splat(simd, 0.0)
        };
        Self {
            below: S::u32s::from_slice(simd, &table.below[at..end]),
            above: S::u32s::from_slice(simd, &table.above[at..end]),
            t: S::f32s::from_slice(simd, &table.t[at..end]),
            w0: S::f32s::from_slice(simd, &table.w0[at..end]),
            w1: S::f32s::from_slice(simd, &table.w1[at..end]),
            dw: S::f32s::from_slice(simd, &table.dw[at..end]),
            ddw,
            dt: S::f32s::splat(simd, table.dt),
        }
    }

    /// The same point in every lane.
    #[inline(always)]
    pub fn splat<const ORDER: u8>(simd: S, table: &AxisTable, at: usize) -> Self {
        let ddw = if ORDER == 2 { table.ddw[at] } else { 0.0 };
        Self {
            below: S::u32s::splat(simd, table.below[at]),
            above: S::u32s::splat(simd, table.above[at]),
            t: S::f32s::splat(simd, table.t[at]),
            w0: S::f32s::splat(simd, table.w0[at]),
            w1: S::f32s::splat(simd, table.w1[at]),
            dw: S::f32s::splat(simd, table.dw[at]),
            ddw: S::f32s::splat(simd, ddw),
            dt: S::f32s::splat(simd, table.dt),
        }
    }

    /// The points as offsets along z between their lattice rows.
    #[inline(always)]
    pub fn offsets(&self) -> OffsetLanes<S> {
        let Self { t: s, w0: u, w1: v, dw: dv, ddw: ddv, dt, .. } = *self;
        OffsetLanes {
            s,
            u,
            v,
            vs: v * s,
            dt,
            dv,
            dvs: dt * v + s * dv,
            ddv,
            ddvs: dt * 2.0 * dv + s * ddv,
        }
    }
}

/// The weights of the left and the right corner in a lattice row, and their derivatives along x.
pub(in crate::kernel) struct Ramps<S: Simd> {
    pub lines: [S::u32s; 2],
    pub a: [S::f32s; 2],
    pub da: [S::f32s; 2],
    pub dda: [S::f32s; 2],
    pub w: [S::f32s; 2],
    pub dw: S::f32s,
    pub ddw: S::f32s,
}

impl<S: Simd> Ramps<S> {
    #[inline(always)]
    pub fn new(x: AxisLanes<S>) -> Self {
        let right = x.t - 1.0;
        let twice = x.dt * 2.0 * x.dw;
        Self {
            lines: [x.below, x.above],
            a: [x.t * x.w0, right * x.w1],
            da: [x.dt * x.w0 - x.t * x.dw, x.dt * x.w1 + right * x.dw],
            dda: [-(twice + x.t * x.ddw), twice + right * x.ddw],
            w: [x.w0, x.w1],
            dw: x.dw,
            ddw: x.ddw,
        }
    }
}

/// A lattice row: its part of the noise at the offset s above it is P + Q s. Includes the
/// derivatives of P and Q along x up to `ORDER`.
#[derive(Clone, Copy)]
pub(in crate::kernel) struct RowCoefficients<S: Simd> {
    p: S::f32s,
    q: S::f32s,
    dp: S::f32s,
    dq: S::f32s,
    ddp: S::f32s,
    ddq: S::f32s,
}

impl<S: Simd> RowCoefficients<S> {
    #[inline(always)]
    pub fn new<C: LaneCorners, const ORDER: u8>(
        simd: S,
        corners: &C,
        x: &Ramps<S>,
        line: S::u32s,
    ) -> Self {
        let left: CornerLanes<S> = corners.lanes::<S>(simd, x.lines[0], line);
        let right: CornerLanes<S> = corners.lanes::<S>(simd, x.lines[1], line);
        let none = S::f32s::splat(simd, 0.0);
        let mut row = Self {
            p: left.gx * x.a[0] + right.gx * x.a[1],
            q: left.gz * x.w[0] + right.gz * x.w[1],
            dp: none,
            dq: none,
            ddp: none,
            ddq: none,
        };
        let has_values = corners.have_values();
        if has_values {
            row.p += left.value * x.w[0] + right.value * x.w[1];
        }
        if ORDER >= 1 {
            row.dp = left.gx * x.da[0] + right.gx * x.da[1];
            row.dq = (right.gz - left.gz) * x.dw;
            if has_values {
                row.dp += (right.value - left.value) * x.dw;
            }
        }
        if ORDER == 2 {
            row.ddp = left.gx * x.dda[0] + right.gx * x.dda[1];
            row.ddq = (right.gz - left.gz) * x.ddw;
            if has_values {
                row.ddp += (right.value - left.value) * x.ddw;
            }
        }
        row
    }
}

/// Offsets between two lattice rows: s, v = fade(s), v s, and the first and second derivatives of
/// these three along z.
pub(in crate::kernel) struct OffsetLanes<S: Simd> {
    pub s: S::f32s,
    /// 1 - v.
    pub u: S::f32s,
    pub v: S::f32s,
    pub vs: S::f32s,
    pub dt: S::f32s,
    pub dv: S::f32s,
    pub dvs: S::f32s,
    ddv: S::f32s,
    ddvs: S::f32s,
}

impl<S: Simd> OffsetLanes<S> {
    /// A row of a grid in every lane. `dt` is the frequency, in every lane.
    #[inline(always)]
    pub fn of_row(simd: S, row: &RowOffset, dt: S::f32s) -> Self {
        Self {
            s: S::f32s::splat(simd, row.s),
            u: S::f32s::splat(simd, row.u),
            v: S::f32s::splat(simd, row.v),
            vs: S::f32s::splat(simd, row.vs),
            dt,
            dv: S::f32s::splat(simd, row.dv),
            dvs: S::f32s::splat(simd, row.dvs),
            ddv: S::f32s::splat(simd, row.ddv),
            ddvs: S::f32s::splat(simd, row.ddvs),
        }
    }
}

/// The noise between two lattice rows: c0 + c1 s + c2 v + c3 v s. Its first and second derivatives
/// along x have the coefficients d and e.
pub(in crate::kernel) struct CellPolynomial<S: Simd> {
    c: [S::f32s; 4],
    d: [S::f32s; 4],
    e: [S::f32s; 4],
}

impl<S: Simd> CellPolynomial<S> {
    #[inline(always)]
    pub fn new(lower: &RowCoefficients<S>, upper: &RowCoefficients<S>) -> Self {
        Self {
            c: coefficients::<S>(lower.p, lower.q, upper.p, upper.q),
            d: coefficients::<S>(lower.dp, lower.dq, upper.dp, upper.dq),
            e: coefficients::<S>(lower.ddp, lower.ddq, upper.ddp, upper.ddq),
        }
    }

    #[inline(always)]
    pub fn value(&self, z: &OffsetLanes<S>) -> S::f32s {
        let [c0, c1, c2, c3] = self.c;
        c0 + c1 * z.s + c2 * z.v + c3 * z.vs
    }

    #[inline(always)]
    pub fn dx(&self, z: &OffsetLanes<S>) -> S::f32s {
        let [d0, d1, d2, d3] = self.d;
        d0 + d1 * z.s + d2 * z.v + d3 * z.vs
    }

    #[inline(always)]
    pub fn dz(&self, z: &OffsetLanes<S>) -> S::f32s {
        let [_, c1, c2, c3] = self.c;
        z.dt * c1 + c2 * z.dv + c3 * z.dvs
    }

    /// The second derivatives xx, xz and zz.
    #[inline(always)]
    pub fn second(&self, z: &OffsetLanes<S>) -> [S::f32s; 3] {
        let ([_, _, c2, c3], [_, d1, d2, d3], [e0, e1, e2, e3]) = (self.c, self.d, self.e);
        [
            e0 + e1 * z.s + e2 * z.v + e3 * z.vs,
            z.dt * d1 + d2 * z.dv + d3 * z.dvs,
            c2 * z.ddv + c3 * z.ddvs,
        ]
    }
}

/// c0 .. c3 from P and Q of the lower row and of the upper row.
#[inline(always)]
fn coefficients<S: Simd>(p0: S::f32s, q0: S::f32s, p1: S::f32s, q1: S::f32s) -> [S::f32s; 4] {
    [p0, q0, (p1 - q1) - p0, q1 - q0]
}
