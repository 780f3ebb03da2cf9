//! The sums of octaves, in the nearest cache.

use fearless_simd::Simd;
use fearless_simd::prelude::*;

/// The sums of a strip. Each row has a vector of values, then one of derivatives along x, one along
/// z, and three of second derivatives along x twice, x and z, and z twice, as far as they are asked
/// for. Of columns and of scattered points, every vector of points is a row.
pub(super) struct Sums<'a> {
    pub numbers: &'a mut [f32],
    /// The weights of the next octave with their derivatives, where octaves have any: in the same
    /// order, as far as they are asked for.
    pub weights: &'a mut [f32],
    /// The length of a row.
    pub stride: usize,
}

impl<'a> Sums<'a> {
    /// Room for so many rows.
    #[inline(always)]
    pub fn new<S: Simd, const ORDER: u8>(buffers: &'a mut [Vec<f32>; 2], rows: usize) -> Self {
        let stride = parts(ORDER) * S::f32s::LEN;
        let [numbers, weights] = buffers;
        Self {
            numbers: aligned(numbers, rows * stride),
            weights: aligned(weights, rows * stride),
            stride,
        }
    }
}

/// How many numbers a sum consists of: a value, its derivatives, its second derivatives.
#[inline(always)]
pub(super) const fn parts(order: u8) -> usize {
    [1, 3, 6][order as usize]
}

/// `len` numbers that begin with a cache line: a vector as wide as one that lay across two of them
/// would cost twice its time.
fn aligned(numbers: &mut Vec<f32>, len: usize) -> &mut [f32] {
    const LINE: usize = 64;
    let room = len + LINE / size_of::<f32>();
    numbers.resize(numbers.len().max(room), 0.0);
    let start = numbers.as_ptr().align_offset(LINE).min(room - len);
    &mut numbers[start..start + len]
}

/// One of the vectors of a row.
#[inline(always)]
pub(super) fn part<S: Simd>(simd: S, row: &[f32], i: usize) -> S::f32s {
    S::f32s::from_slice(simd, &row[i * S::f32s::LEN..][..S::f32s::LEN])
}

/// Adds to one of the vectors of a row, or replaces it.
#[inline(always)]
pub(super) fn put<S: Simd, const FIRST: bool>(simd: S, row: &mut [f32], i: usize, term: S::f32s) {
    let sum = if FIRST { term } else { part(simd, row, i) + term };
    sum.store_slice(&mut row[i * S::f32s::LEN..][..S::f32s::LEN]);
}

#[inline(always)]
pub(super) fn put_either<S: Simd>(simd: S, first: bool, row: &mut [f32], i: usize, term: S::f32s) {
    if first {
        put::<S, true>(simd, row, i, term);
    } else {
        put::<S, false>(simd, row, i, term);
    }
}
