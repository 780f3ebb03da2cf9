//! Samples and jets as what combinators work on, a vector at a time.

use core::ops::Range;

use fearless_simd::Simd;
use fearless_simd::prelude::*;

use crate::kernel::terms::SampleLanes;

/// A field whose slopes its combinator's value depends on.
#[derive(Clone, Copy)]
pub(crate) struct Ground<'a> {
    pub value: &'a [f32],
    pub slopes: [&'a [f32]; 2],
    /// Unless values are all that is asked for.
    pub carried: Option<Carried<'a>>,
}

/// The slopes of a ground and their derivatives, along x twice, x and z, and z twice, as far as a
/// grid can carry them.
#[derive(Clone, Copy)]
pub(crate) struct Carried<'a> {
    pub slopes: [&'a [f32]; 2],
    pub bends: [&'a [f32]; 3],
}

impl Ground<'_> {
    /// The value and the slopes along x and z, with their derivatives.
    #[inline(always)]
    pub(super) fn sloped<S: Simd>(
        &self,
        simd: S,
        carried: &Carried,
        range: &Range<usize>,
    ) -> [SampleLanes<S>; 3] {
        let [dx, dz] = carried.slopes;
        let [xx, xz, zz] = carried.bends;
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

    /// The same without derivatives.
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

/// A vector of numbers. What is beyond the range does not matter.
#[inline(always)]
pub(super) fn load<S: Simd>(simd: S, numbers: &[f32], range: &Range<usize>) -> S::f32s {
    if range.len() == S::f32s::LEN {
        return S::f32s::from_slice(simd, &numbers[range.clone()]);
    }
    let mut lanes = S::f32s::splat(simd, 0.0);
    lanes.as_mut_slice()[..range.len()].copy_from_slice(&numbers[range.clone()]);
    lanes
}

/// Writes the numbers of a range.
#[inline(always)]
pub(super) fn store<S: Simd>(lanes: S::f32s, out: &mut [f32], range: &Range<usize>) {
    out[range.clone()].copy_from_slice(&lanes.as_slice()[..range.len()]);
}
