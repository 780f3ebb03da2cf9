//! The operand of an operator whose value depends on slopes, loaded one vector at a time.

use core::ops::Range;

use fearless_simd::Simd;
use fearless_simd::prelude::*;

use crate::kernel::sample_lanes::SampleLanes;

/// The samples of a field for an operator that depends on slopes: [`erosion`](super::erosion) and
/// [`damping`](super::damping).
#[derive(Clone, Copy)]
pub(crate) struct Operand<'a> {
    pub value: &'a [f32],
    pub slopes: [&'a [f32]; 2],
    /// `None` if only values are requested.
    pub resolved: Option<OperandDerivatives<'a>>,
}

/// The slopes of an operand, and its second derivatives xx, xz and zz. They are low-pass filtered
/// if the result is filtered for the spacing of a grid.
#[derive(Clone, Copy)]
pub(crate) struct OperandDerivatives<'a> {
    pub slopes: [&'a [f32]; 2],
    pub bends: [&'a [f32]; 3],
}

impl Operand<'_> {
    /// The value and the slopes along x and z, each with its derivatives.
    #[inline(always)]
    pub(super) fn sloped<S: Simd>(
        &self,
        simd: S,
        resolved: &OperandDerivatives,
        range: &Range<usize>,
    ) -> [SampleLanes<S>; 3] {
        let [dx, dz] = resolved.slopes;
        let [xx, xz, zz] = resolved.bends;
        let ([x, z], bend) = (self.slopes, load::<S>(simd, xz, range));
        let value = SampleLanes {
            value: load::<S>(simd, self.value, range),
            dx: load::<S>(simd, dx, range),
            dz: load::<S>(simd, dz, range),
        };
        let (xx, zz) = (load::<S>(simd, xx, range), load::<S>(simd, zz, range));
        let x = SampleLanes { value: load::<S>(simd, x, range), dx: xx, dz: bend };
        let z = SampleLanes { value: load::<S>(simd, z, range), dx: bend, dz: zz };
        [value, x, z]
    }

    /// The same values and slopes, with derivatives of zero.
    #[inline(always)]
    pub(super) fn flat<S: Simd>(&self, simd: S, range: &Range<usize>) -> [SampleLanes<S>; 3] {
        let [x, z] = self.slopes;
        [
            SampleLanes::constant(load::<S>(simd, self.value, range)),
            SampleLanes::constant(load::<S>(simd, x, range)),
            SampleLanes::constant(load::<S>(simd, z, range)),
        ]
    }
}

/// Loads a range of numbers, at most a vector. The remaining lanes are zero.
#[inline(always)]
pub(super) fn load<S: Simd>(simd: S, numbers: &[f32], range: &Range<usize>) -> S::f32s {
    if range.len() == S::f32s::LEN {
        return S::f32s::from_slice(simd, &numbers[range.clone()]);
    }
    let mut lanes = S::f32s::splat(simd, 0.0);
    lanes.as_mut_slice()[..range.len()].copy_from_slice(&numbers[range.clone()]);
    lanes
}

/// Stores as many lanes as there are numbers in the range.
#[inline(always)]
pub(super) fn store<S: Simd>(lanes: S::f32s, out: &mut [f32], range: &Range<usize>) {
    let out = &mut out[range.clone()];
    if out.len() == S::f32s::LEN {
        // Without a call of `memcpy`.
        return lanes.store_slice(out);
    }
    out.copy_from_slice(&lanes.as_slice()[..out.len()]);
}
