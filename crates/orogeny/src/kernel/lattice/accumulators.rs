//! The running sums of octaves, kept in the L1 cache.

use alloc::vec::Vec;

use fearless_simd::Simd;
use fearless_simd::prelude::*;

/// The sums of a strip. Each row has a vector of values, followed by vectors of the derivatives x,
/// z, xx, xz and zz, as far as the order of derivatives requires them. In a column, or in scattered
/// points, each vector of points is a row.
pub(in crate::kernel) struct Accumulators<'a> {
    pub sums: &'a mut [f32],
    /// The weights of a multifractal's next octave, with derivatives, in the same layout.
    pub weights: &'a mut [f32],
    /// The length of a row.
    pub stride: usize,
}

impl<'a> Accumulators<'a> {
    /// Accumulators for `rows` rows of length `stride`.
    #[inline(always)]
    pub fn new(buffers: &'a mut [Vec<f32>; 2], rows: usize, stride: usize) -> Self {
        let [sums, weights] = buffers;
        Self {
            sums: aligned(sums, rows * stride),
            weights: aligned(weights, rows * stride),
            stride,
        }
    }
}

/// The number of components of a sample: its value, its derivatives, its second derivatives.
#[inline(always)]
pub(in crate::kernel) const fn components(order: u8) -> usize {
    [1, 3, 6][order as usize]
}

/// `len` numbers that start at a cache line. A 64-byte vector across two lines costs twice as much
/// to load.
fn aligned(numbers: &mut Vec<f32>, len: usize) -> &mut [f32] {
    const LINE: usize = 64;
    let room = len + LINE / size_of::<f32>();
    numbers.resize(numbers.len().max(room), 0.0);
    let start = numbers.as_ptr().align_offset(LINE).min(room - len);
    &mut numbers[start..start + len]
}

/// Vector `i` of a row.
#[inline(always)]
pub(in crate::kernel) fn load<S: Simd>(simd: S, row: &[f32], i: usize) -> S::f32s {
    S::f32s::from_slice(simd, &row[i * S::f32s::LEN..][..S::f32s::LEN])
}

/// Adds to vector `i` of a row, or, if `FIRST`, overwrites it.
#[inline(always)]
pub(in crate::kernel) fn put<S: Simd, const FIRST: bool>(
    simd: S,
    row: &mut [f32],
    i: usize,
    term: S::f32s,
) {
    let sum = if FIRST { term } else { load(simd, row, i) + term };
    sum.store_slice(&mut row[i * S::f32s::LEN..][..S::f32s::LEN]);
}

/// [`put`] with a flag that is only known at run time.
#[inline(always)]
pub(in crate::kernel) fn put_either<S: Simd>(
    simd: S,
    first: bool,
    row: &mut [f32],
    i: usize,
    term: S::f32s,
) {
    if first {
        put::<S, true>(simd, row, i, term);
    } else {
        put::<S, false>(simd, row, i, term);
    }
}
