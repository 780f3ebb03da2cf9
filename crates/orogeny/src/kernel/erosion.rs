//! The erosion filter in SIMD lanes. Names are those of the formulas in
//! [`Erosion`](crate::Erosion).
//! [`SampleLanes`] propagate the gradient by the chain rule, except in the stripes. Those depend on
//! the point both directly and through the direction across the slope, so their derivatives are
//! written out.

use alloc::vec::Vec;
use core::f32::consts::TAU;
use core::ops::Range;

use fearless_simd::Simd;
use fearless_simd::prelude::*;

use crate::derivative::elementary::Shaped;
#[cfg(not(feature = "std"))]
use crate::float::Float as _;
use crate::kernel::cells::CellSplitter;
use crate::kernel::corners::{mixed, premixed};
use crate::kernel::positions::{CoordinateLanes, Visit, each_vector};
use crate::kernel::sample_lanes::{Operand, OperandDerivatives, SampleLanes, store};
use crate::kernel::{KernelPositions, OutputSlices};
use crate::lattice::cell::split;
use crate::lattice::hash::{Key, premix};
use crate::simd::{Level, dispatch};

/// The range of jitter, in cells: pivots lie within half of it from the corners of cells.
pub(crate) const JITTER: f32 = 0.7;

/// 0.3^4: stripes fade where |Z|^4 is below it, which is where neighbouring stripes interfere.
const FADED: f32 = 0.3 * 0.3 * 0.3 * 0.3;

/// The erosion filter, prepared for evaluation.
#[derive(Clone, Debug)]
pub(crate) struct ErosionKernel {
    pub octaves: Vec<ErosionOctave>,
    /// The squared slope well below which there are no gullies.
    pub threshold: f32,
    pub middle: f32,
    /// The square of the relief.
    pub relief: f32,
    /// The length, in units of the domain, of one unit of the value.
    pub height: f32,
}

/// Writes the eroded operand to slices of its length.
pub(crate) fn fill(
    erosion: &ErosionKernel,
    operand: Operand,
    positions: KernelPositions,
    level: Level,
    OutputSlices { value, slopes, .. }: OutputSlices,
) {
    match (slopes, operand.resolved) {
        (Some([dx, dz, ..]), Some(resolved)) => {
            let out = [value, dx, dz];
            let visitor = &mut WithSlopes { erosion, operand, resolved, out };
            dispatch!(level, simd => fill_with(simd, visitor, positions));
        }
        _ => {
            let visitor = &mut ValuesOnly { erosion, operand, out: value };
            dispatch!(level, simd => fill_with(simd, visitor, positions));
        }
    }
}

fn fill_with<S: Simd>(simd: S, visitor: &mut impl Visit<S>, positions: KernelPositions) {
    simd.vectorize(
        #[inline(always)]
        || each_vector::<S>(simd, positions, visitor),
    );
}

/// Writes values and derivatives.
struct WithSlopes<'a, 'b> {
    erosion: &'a ErosionKernel,
    operand: Operand<'a>,
    resolved: OperandDerivatives<'a>,
    out: [&'b mut [f32]; 3],
}

impl<S: Simd> Visit<S> for WithSlopes<'_, '_> {
    #[inline(always)]
    fn visit(
        &mut self,
        simd: S,
        x: CoordinateLanes<S>,
        z: CoordinateLanes<S>,
        range: Range<usize>,
    ) {
        let [operand, slope @ ..] = self.operand.sloped::<S>(simd, &self.resolved, &range);
        let eroded = self.erosion.eroded::<S>(simd, [x, z], operand, slope);
        let [out, out_x, out_z] = &mut self.out;
        store::<S>(eroded.value, out, &range);
        store::<S>(eroded.dx, out_x, &range);
        store::<S>(eroded.dz, out_z, &range);
    }
}

/// Writes values only.
struct ValuesOnly<'a, 'b> {
    erosion: &'a ErosionKernel,
    operand: Operand<'a>,
    out: &'b mut [f32],
}

impl<S: Simd> Visit<S> for ValuesOnly<'_, '_> {
    #[inline(always)]
    fn visit(
        &mut self,
        simd: S,
        x: CoordinateLanes<S>,
        z: CoordinateLanes<S>,
        range: Range<usize>,
    ) {
        // The derivatives are unused, so the compiler removes them.
        let [operand, slope @ ..] = self.operand.flat::<S>(simd, &range);
        let eroded = self.erosion.eroded::<S>(simd, [x, z], operand, slope);
        store::<S>(eroded.value, self.out, &range);
    }
}

impl ErosionKernel {
    /// The eroded operand.
    #[inline(always)]
    fn eroded<S: Simd>(
        &self,
        simd: S,
        positions: [CoordinateLanes<S>; 2],
        operand: SampleLanes<S>,
        [x, z]: [SampleLanes<S>; 2],
    ) -> SampleLanes<S> {
        let height = self.height;
        let slope = [x.times(height), z.times(height)];
        let gullies = self.gullies::<S>(simd, positions, operand.times(height), slope);
        operand + gullies.times(1.0 / height)
    }

    /// The sum of a_i g_i, from the operand and its slope in units of length.
    #[inline(always)]
    fn gullies<S: Simd>(
        &self,
        simd: S,
        [x, z]: [CoordinateLanes<S>; 2],
        operand: SampleLanes<S>,
        mut slope: [SampleLanes<S>; 2],
    ) -> SampleLanes<S> {
        let mut mask = SampleLanes::constant(S::f32s::splat(simd, 1.0));
        let above = operand.affine(1.0, -self.middle);
        let mut target = above * inverse_root(above * above, self.relief);
        let mut sum = SampleLanes::constant(S::f32s::splat(simd, 0.0));
        for (i, octave) in self.octaves.iter().enumerate() {
            let [sx, sz] = slope;
            let inverse = inverse_root(sx * sx + sz * sz, self.threshold);
            let (ex, ez) = ((sz * inverse).times(-1.0), sx * inverse);
            if i == 0 {
                mask = ex * ex + ez * ez;
            }
            let [real, imaginary] = octave.stripes::<S>(simd, [x, z], [ex, ez]);
            let stretch = stretched(real * real + imaginary * imaginary);
            let (cos, sin) = (real * stretch, imaginary * stretch);
            let profile = octave.valley.of(octave.ridge.of(cos).times(-1.0)).times(-1.0);
            let steer = mask * sin.times(-octave.steer);
            target = target + (profile - target) * mask;
            sum = sum + target.times(octave.amplitude);
            slope = [sx + steer * ex, sz + steer * ez];
            let squared = cos * cos;
            mask = mask * (squared * squared).affine(-1.0, 1.0);
        }
        sum
    }
}

/// 1 / sqrt(f + c).
#[inline(always)]
fn inverse_root<S: Simd>(f: SampleLanes<S>, c: f32) -> SampleLanes<S> {
    let simd = f.value.token();
    let sum = f.value + c;
    let inverse = S::f32s::splat(simd, 1.0) / sum.sqrt();
    f.map(inverse, inverse * -0.5 * (inverse * inverse))
}

/// sqrt(r) / sqrt(r^2 + 0.3^4) of r = |Z|^2. Its slope is infinite at 0, but counts as 0 there,
/// since it is multiplied by zero.
#[inline(always)]
fn stretched<S: Simd>(r: SampleLanes<S>) -> SampleLanes<S> {
    let simd = r.value.token();
    let (zero, half) = (S::f32s::splat(simd, 0.0), S::f32s::splat(simd, 0.5));
    let squared = r.value * r.value;
    let inverse = S::f32s::splat(simd, 1.0) / (squared + FADED);
    let root = (r.value * inverse).sqrt();
    // The slope of r / (r^2 + c), then that of its root.
    let rising = inverse - squared * (inverse * inverse) * 2.0;
    let slope = root.simd_gt(zero).select(half / root, zero);
    r.map(root, rising * slope)
}

/// One octave of gullies.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ErosionOctave {
    /// Cells per unit of length.
    pub frequency: f64,
    /// The cosine and sine of its lattice's rotation.
    pub turn: [f64; 2],
    pub offset: [f64; 2],
    pub keys: [Key; 2],
    /// In units of length.
    pub amplitude: f32,
    /// The factor with which its slope is added for the next octave.
    pub steer: f32,
    /// The factor of its gradient: the fraction that a grid resolves.
    pub resolved: f32,
    pub ridge: Crest,
    pub valley: Crest,
}

impl ErosionOctave {
    /// Z at the points [x, z], with e = [ex, ez] across the slope.
    #[inline(always)]
    fn stripes<S: Simd>(
        &self,
        simd: S,
        [x, z]: [CoordinateLanes<S>; 2],
        [ex, ez]: [SampleLanes<S>; 2],
    ) -> [SampleLanes<S>; 2] {
        let [turn_cos, turn_sin] = self.turn;
        // In the axes of the rotated lattice.
        let turned_x = [x[0] * turn_cos - z[0] * turn_sin, x[1] * turn_cos - z[1] * turn_sin];
        let turned_z = [x[0] * turn_sin + z[0] * turn_cos, x[1] * turn_sin + z[1] * turn_cos];
        let along_x = self.pivot_axis::<S>(simd, 0, turned_x);
        let along_z = self.pivot_axis::<S>(simd, 1, turned_z);
        let [turn_cos, turn_sin] = [turn_cos as f32, turn_sin as f32];
        let across_x = ex.times(turn_cos) + ez.times(-turn_sin);
        let across_z = ex.times(turn_sin) + ez.times(turn_cos);

        let zero = S::f32s::splat(simd, 0.0);
        // Sums over the corners: of W cos and W sin; of both times the vector q from the pivot; and
        // of cos and sin times the derivatives of W along x and z.
        let [mut real, mut imaginary] = [zero; 2];
        let [mut real_q, mut imaginary_q] = [[zero; 2]; 2];
        let [mut real_w, mut imaginary_w] = [[zero; 2]; 2];
        for (&line, corner_z) in along_z.lines.iter().zip(0u8..) {
            let (weight_z, slope_z) = along_z.weight(simd, corner_z);
            for (&column, corner_x) in along_x.lines.iter().zip(0u8..) {
                let (weight_x, slope_x) = along_x.weight(simd, corner_x);
                let hash = mixed::<S>(column * line + 0x9e37_79b9);
                let next: S::u32s = hash.bitcast();
                let next = mixed::<S>(next + 0x9e37_79b9);
                let qx = (along_x.t - f32::from(corner_x)) - jitter::<S>(hash);
                let qz = (along_z.t - f32::from(corner_z)) - jitter::<S>(next);
                let [cos, sin] = turn::<S>(simd, qx * across_x.value + qz * across_z.value);
                let weight = weight_x * weight_z;
                let (weighted_cos, weighted_sin) = (weight * cos, weight * sin);
                real += weighted_cos;
                imaginary += weighted_sin;
                real_q = [real_q[0] + weighted_cos * qx, real_q[1] + weighted_cos * qz];
                imaginary_q =
                    [imaginary_q[0] + weighted_sin * qx, imaginary_q[1] + weighted_sin * qz];
                let (along, up) = (slope_x * weight_z, weight_x * slope_z);
                real_w = [real_w[0] + along * cos, real_w[1] + up * cos];
                imaginary_w = [imaginary_w[0] + along * sin, imaginary_w[1] + up * sin];
            }
        }
        // d cos(2 pi q . e) = -2 pi sin (e . dq + q . de), and d sin = 2 pi cos (..).
        let frequency = self.frequency as f32;
        let (across_x, across_z) = (across_x.times(TAU), across_z.times(TAU));
        let by_point = PointDerivatives {
            turn: [turn_cos * frequency, turn_sin * frequency],
            across: [across_x, across_z],
        };
        let real_by_q =
            [real_w[0] - imaginary * across_x.value, real_w[1] - imaginary * across_z.value];
        let imaginary_by_q =
            [imaginary_w[0] + real * across_x.value, imaginary_w[1] + real * across_z.value];
        let real = by_point.chain(real, real_by_q, [-imaginary_q[0], -imaginary_q[1]]);
        let imaginary = by_point.chain(imaginary, imaginary_by_q, real_q);
        [real.weighted(self.resolved), imaginary.weighted(self.resolved)]
    }
}

/// The derivatives of q and e with respect to the point.
struct PointDerivatives<S: Simd> {
    /// The derivatives of q_x along x and of q_z along x.
    turn: [f32; 2],
    /// 2 pi e.
    across: [SampleLanes<S>; 2],
}

impl<S: Simd> PointDerivatives<S> {
    /// The derivatives of a value along x and z, from its derivatives with respect to q and 2 pi e.
    #[inline(always)]
    fn chain(&self, value: S::f32s, q: [S::f32s; 2], e: [S::f32s; 2]) -> SampleLanes<S> {
        let ([cos, sin], [ex, ez]) = (self.turn, &self.across);
        SampleLanes {
            value,
            dx: (q[0] * cos + q[1] * sin) + (e[0] * ex.dx + e[1] * ez.dx),
            dz: (q[1] * cos - q[0] * sin) + (e[0] * ex.dz + e[1] * ez.dz),
        }
    }
}

/// The jitter of a pivot along an axis.
#[inline(always)]
fn jitter<S: Simd>(hash: S::i32s) -> S::f32s {
    let hash: S::f32s = hash.to_float();
    hash * (JITTER / (1u64 << 32) as f32)
}

/// A vector of points along one axis of a lattice.
struct PivotAxis<S: Simd> {
    /// The premixed words of the lines below and above.
    pub lines: [S::u32s; 2],
    /// The offset from the line below.
    pub t: S::f32s,
    /// The weight of the line above, and its derivative with respect to `t`.
    upper: S::f32s,
    slope: S::f32s,
}

impl<S: Simd> PivotAxis<S> {
    /// The weight of a line, 0 below and 1 above, and its derivative.
    #[inline(always)]
    pub fn weight(&self, simd: S, line: u8) -> (S::f32s, S::f32s) {
        if line == 1 {
            return (self.upper, self.slope);
        }
        (S::f32s::splat(simd, 1.0) - self.upper, -self.slope)
    }
}

impl ErosionOctave {
    /// Finds the lines around a vector of points, and the weights.
    #[inline(always)]
    fn pivot_axis<S: Simd>(
        &self,
        simd: S,
        axis: usize,
        position: CoordinateLanes<S>,
    ) -> PivotAxis<S> {
        let key = &self.keys[axis];
        let cells = CellSplitter::new(simd, self.frequency, self.offset[axis]).split(position);
        let (lines, t) = if cells.near {
            ([premixed::<S>(cells.cells, key), premixed::<S>(cells.cells + 1, key)], cells.t)
        } else {
            self.far::<S>(simd, axis, position)
        };
        let one = S::f32s::splat(simd, 1.0);
        let rest = one - t;
        // The quintic fade, evaluated from the nearer end.
        let near = t.min(rest);
        let small = near * near * near * (near * (near * 6.0 - 15.0) + 10.0);
        let upper = t.simd_gt(rest).select(one - small, small);
        let bump = t * rest;
        PivotAxis { lines, t, upper, slope: bump * bump * 30.0 }
    }

    /// The lines and offsets of points too far from the origin for SIMD.
    #[inline(never)]
    fn far<S: Simd>(
        &self,
        simd: S,
        axis: usize,
        position: CoordinateLanes<S>,
    ) -> ([S::u32s; 2], S::f32s) {
        let mut lines = [S::u32s::splat(simd, 0); 2];
        let mut t = S::f32s::splat(simd, 0.0);
        let [low, high] = &position;
        for (i, &position) in low.as_slice().iter().chain(high.as_slice()).enumerate() {
            let (cell, fraction) = split(position, self.frequency, self.offset[axis]);
            lines[0].as_mut_slice()[i] = premix(cell, &self.keys[axis]);
            lines[1].as_mut_slice()[i] = premix(cell.wrapping_add(1), &self.keys[axis]);
            t.as_mut_slice()[i] = fraction as f32;
        }
        (lines, t)
    }
}

/// The cosine and sine of a number of turns, to 8e-7: 1 - 2 sin^2 a and 2 sin a cos a from Taylor
/// series, where a is pi times the fraction of the turns between -1/2 and 1/2.
#[inline(always)]
fn turn<S: Simd>(simd: S, turns: S::f32s) -> [S::f32s; 2] {
    let a = (turns - (turns + 0.5).floor()) * core::f32::consts::PI;
    let y = a * a;
    let sin = a
        * (y * (y
            * (y * (y * (y * (-1.0 / 39_916_800.0) + 1.0 / 362_880.0) - 1.0 / 5040.0)
                + 1.0 / 120.0)
            - 1.0 / 6.0)
            + 1.0);
    let cos = y
        * (y * (y
            * (y * (y * (y * (1.0 / 479_001_600.0) - 1.0 / 3_628_800.0) + 1.0 / 40_320.0)
                - 1.0 / 720.0)
            + 1.0 / 24.0)
            - 0.5)
        + 1.0;
    [S::f32s::splat(simd, 1.0) - sin * sin * 2.0, sin * cos * 2.0]
}

/// The function k_b, which sharpens crests.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Crest {
    /// b.
    width: f32,
    /// The square of b, and 2 / (sqrt(1 + b^2) - b).
    squared: f32,
    scale: f32,
    /// The same two for the slope, or those of a wider crest if a grid cannot resolve this one.
    slope: [f32; 2],
}

impl Crest {
    /// A crest of the width b. Its slope is that of a crest of the width `least` or b, whichever is
    /// larger.
    pub fn new(width: f32, least: f32) -> Self {
        // Rationalised, so that a large b causes no cancellation.
        let scale = |squared: f32| 2.0 * ((1.0 + squared).sqrt() + squared.sqrt());
        let squared = width * width;
        let wider = squared.max(least * least);
        let slope = [wider, 0.25 * scale(wider)];
        Self { width, squared, scale: scale(squared), slope }
    }

    /// 1 - scale (sqrt(u + b^2) - b) with u = (1 - x) / 2.
    #[inline(always)]
    fn of<S: Simd>(&self, x: SampleLanes<S>) -> SampleLanes<S> {
        let simd = x.value.token();
        let u = S::f32s::splat(simd, 0.5) - x.value * 0.5;
        let root = (u + self.squared).sqrt();
        let value = S::f32s::splat(simd, 1.0) - (root - self.width) * self.scale;
        let [squared, scale] = self.slope;
        let wider = if squared == self.squared { root } else { (u + squared).sqrt() };
        x.map(value, S::f32s::splat(simd, scale) / wider)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::{best, dispatch};

    #[test]
    fn turns_are_those_of_the_circle() {
        fn at<S: Simd>(simd: S, turns: f32) -> [f32; 2] {
            simd.vectorize(
                #[inline(always)]
                || {
                    let [cos, sin] = turn::<S>(simd, S::f32s::splat(simd, turns));
                    [cos.as_slice()[0], sin.as_slice()[0]]
                },
            )
        }
        for i in -30_000..30_000 {
            let turns = i as f32 / 10_000.0;
            let [cos, sin] = dispatch!(best(), simd => at(simd, turns));
            let exact = f64::from(turns) * core::f64::consts::TAU;
            assert!((f64::from(cos) - exact.cos()).abs() < 8e-7, "{turns}: {cos}");
            assert!((f64::from(sin) - exact.sin()).abs() < 8e-7, "{turns}: {sin}");
        }
    }
}
