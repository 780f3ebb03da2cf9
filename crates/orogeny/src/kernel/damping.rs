//! Slope-damped fBm in SIMD lanes: the operations of `fractal::damped`, in its order.

use core::ops::Range;

use fearless_simd::Simd;
use fearless_simd::prelude::*;

use crate::derivative::elementary::Shaped;
use crate::kernel::sample_lanes::{Operand, OperandDerivatives, SampleLanes, load, store};
use crate::simd::{Level, dispatch};

/// The parameters of damping for an octave.
#[derive(Clone, Copy)]
pub(crate) struct DampingKernel {
    pub strength: f32,
    /// The factor of the octave's slope in the accumulated slope.
    pub share: f32,
    /// The factor of its derivatives.
    pub slope: f32,
    pub amplitude: f32,
}

/// Values and their derivatives along x and z. The derivatives are unused if only values are
/// requested.
pub(crate) type SlopedSlices<'a> = [&'a mut [f32]; 3];

/// Adds the damped octave to `sum`, and its slope to the accumulated `slope`. All slices have the
/// same length.
pub(crate) fn add(
    damping: DampingKernel,
    octave: Operand,
    level: Level,
    sum: SlopedSlices,
    slope: [SlopedSlices; 2],
) {
    dispatch!(level, simd => add_with(simd, damping, octave, sum, slope));
}

fn add_with<S: Simd>(
    simd: S,
    damping: DampingKernel,
    octave: Operand,
    mut sum: SlopedSlices,
    [mut slope_x, mut slope_z]: [SlopedSlices; 2],
) {
    simd.vectorize(
        #[inline(always)]
        || {
            let len = octave.value.len();
            for start in (0..len).step_by(S::f32s::LEN) {
                let range = start..len.min(start + S::f32s::LEN);
                match octave.resolved {
                    Some(resolved) => {
                        let sums = (&mut sum, &mut slope_x, &mut slope_z);
                        add_sloped::<S>(simd, damping, &octave, &resolved, &range, sums);
                    }
                    None => {
                        let [own, slope @ ..] = octave.flat::<S>(simd, &range);
                        let before_x = SampleLanes::constant(load::<S>(simd, slope_x[0], &range));
                        let before_z = SampleLanes::constant(load::<S>(simd, slope_z[0], &range));
                        let [term, x, z] = damping.next::<S>(own, slope, [before_x, before_z]);
                        let total = load::<S>(simd, sum[0], &range) + term.value;
                        store::<S>(total, sum[0], &range);
                        store::<S>(x.value, slope_x[0], &range);
                        store::<S>(z.value, slope_z[0], &range);
                    }
                }
            }
        },
    );
}

/// Adds a vector of samples with derivatives.
#[inline(always)]
fn add_sloped<S: Simd>(
    simd: S,
    damping: DampingKernel,
    octave: &Operand,
    resolved: &OperandDerivatives,
    range: &Range<usize>,
    (sum, slope_x, slope_z): (&mut SlopedSlices, &mut SlopedSlices, &mut SlopedSlices),
) {
    let [own, x, z] = octave.sloped::<S>(simd, resolved, range);
    let before = [load_sloped::<S>(simd, slope_x, range), load_sloped::<S>(simd, slope_z, range)];
    let weight = damping.slope;
    let [term, x, z] =
        damping.next::<S>(own.weighted(weight), [x.weighted(weight), z.weighted(weight)], before);
    let total = load_sloped::<S>(simd, sum, range) + term;
    store_sloped::<S>(total, sum, range);
    store_sloped::<S>(x, slope_x, range);
    store_sloped::<S>(z, slope_z, range);
}

#[inline(always)]
fn load_sloped<S: Simd>(simd: S, from: &SlopedSlices, range: &Range<usize>) -> SampleLanes<S> {
    SampleLanes {
        value: load::<S>(simd, from[0], range),
        dx: load::<S>(simd, from[1], range),
        dz: load::<S>(simd, from[2], range),
    }
}

#[inline(always)]
fn store_sloped<S: Simd>(lanes: SampleLanes<S>, to: &mut SlopedSlices, range: &Range<usize>) {
    store::<S>(lanes.value, to[0], range);
    store::<S>(lanes.dx, to[1], range);
    store::<S>(lanes.dz, to[2], range);
}

impl DampingKernel {
    /// The term of an octave, and the accumulated slope including that octave.
    #[inline(always)]
    fn next<S: Simd>(
        &self,
        noise: SampleLanes<S>,
        [x, z]: [SampleLanes<S>; 2],
        [before_x, before_z]: [SampleLanes<S>; 2],
    ) -> [SampleLanes<S>; 3] {
        let simd = noise.value.token();
        let one = S::f32s::splat(simd, 1.0);
        let nothing = SampleLanes::constant(S::f32s::splat(simd, 0.0));
        let (x, z) = (before_x + x.times(self.share), before_z + z.times(self.share));
        let squared = nothing + x * x + z * z;
        let factor = one / (squared.value * self.strength + 1.0);
        let damped = squared.map(factor, factor * factor * -self.strength);
        [(noise * damped).times(self.amplitude), x, z]
    }
}
