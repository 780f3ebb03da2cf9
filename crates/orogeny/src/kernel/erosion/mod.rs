//! The erosion filter in SIMD lanes. Names are those of the formulas in
//! [`Erosion`](crate::Erosion).
//! [`SampleLanes`] propagate the gradient by the chain rule, except in [`stripes`]. Those depend on
//! the point both directly and through the direction across the slope, so their derivatives are
//! written out.

mod crest;
mod pivot_axis;
mod stripes;
mod turns;

pub(crate) use crest::Crest;
pub(crate) use stripes::ErosionOctave;

use alloc::vec::Vec;
use core::ops::Range;

use fearless_simd::Simd;
use fearless_simd::prelude::*;

use crate::derivative::elementary::Shaped;
use crate::kernel::operand::{Operand, OperandDerivatives, store};
use crate::kernel::positions::CoordinateLanes;
use crate::kernel::sample_lanes::SampleLanes;
use crate::kernel::traversal::{Visit, each_vector};
use crate::kernel::{KernelPositions, OutputSlices};
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
            dispatch!(level, simd => fill_samples(simd, visitor, positions));
        }
        _ => {
            let visitor = &mut ValuesOnly { erosion, operand, out: value };
            dispatch!(level, simd => fill_values(simd, visitor, positions));
        }
    }
}

fn fill_samples<S: Simd>(simd: S, visitor: &mut WithSlopes, positions: KernelPositions) {
    simd.vectorize(
        #[inline(always)]
        || {
            each_vector::<S>(simd, positions, visitor);
        },
    );
}

fn fill_values<S: Simd>(simd: S, visitor: &mut ValuesOnly, positions: KernelPositions) {
    simd.vectorize(
        #[inline(always)]
        || {
            each_vector::<S>(simd, positions, visitor);
        },
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
