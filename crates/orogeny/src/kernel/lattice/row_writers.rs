//! Writers of the sample rows between two lattice rows.

use alloc::vec::Vec;

use fearless_simd::Simd;
use fearless_simd::prelude::*;

use crate::kernel::lattice::axis_table::RowOffset;
use crate::kernel::lattice::row::{CellPolynomial, OffsetLanes};
use crate::kernel::octave::{OctaveTerm, OctaveTerms};
use crate::kernel::sample_lanes::SampleLanes;
use crate::kernel::tables::OctaveParameters;

/// Writes the rows of a strip in order.
pub(in crate::kernel) trait RowWriter<S: Simd> {
    /// Writes the next `count` rows, which lie between the same lattice rows.
    fn write<const ORDER: u8>(
        &mut self,
        simd: S,
        cell: &CellPolynomial<S>,
        dt: S::f32s,
        count: usize,
    );
}

/// The destination of a row of noise.
pub(in crate::kernel) trait OutputRow: Sized {
    /// The row cut to the part that is written: one bounds check for all vectors.
    fn written<S: Simd, const ORDER: u8>(self) -> Self;

    /// Adds to the vector of values (`i` 0), of derivatives along x (1) or along z (2). Overwrites
    /// it if `FIRST`.
    fn put<S: Simd, const FIRST: bool>(&mut self, simd: S, i: usize, term: S::f32s);
}

/// A row of accumulators.
impl OutputRow for &mut [f32] {
    #[inline(always)]
    fn written<S: Simd, const ORDER: u8>(self) -> Self {
        &mut self[..components(ORDER) * S::f32s::LEN]
    }

    #[inline(always)]
    fn put<S: Simd, const FIRST: bool>(&mut self, simd: S, i: usize, term: S::f32s) {
        put::<S, FIRST>(simd, self, i, term);
    }
}

/// The last octave's row, whose finished sums go straight to the grid.
pub(in crate::kernel) struct GridRow<'a> {
    pub sums: &'a [f32],
    pub out: [&'a mut [f32]; 3],
    pub column: usize,
}

impl OutputRow for GridRow<'_> {
    #[inline(always)]
    fn written<S: Simd, const ORDER: u8>(self) -> Self {
        let Self { sums, out: [value, dx, dz], column } = self;
        let range = column..column + S::f32s::LEN;
        let sums = &sums[..components(ORDER) * S::f32s::LEN];
        let value = &mut value[range.clone()];
        let [dx, dz] = if ORDER >= 1 { [&mut dx[range.clone()], &mut dz[range]] } else { [dx, dz] };
        Self { sums, out: [value, dx, dz], column }
    }

    #[inline(always)]
    fn put<S: Simd, const FIRST: bool>(&mut self, simd: S, i: usize, term: S::f32s) {
        let sum = if FIRST { term } else { load(simd, self.sums, i) + term };
        sum.store_slice(&mut self.out[i][..S::f32s::LEN]);
    }
}

/// Adds plain noise; overwrites if it is the first octave.
pub(in crate::kernel) struct AddNoise<I> {
    rows: I,
    slope: f32,
    first: bool,
}

impl<'a, I: Iterator<Item = (&'a RowOffset, R)>, R: OutputRow> AddNoise<I> {
    #[inline(always)]
    pub fn new(rows: I, &OctaveParameters { slope, first, .. }: &OctaveParameters) -> Self {
        Self { rows, slope, first }
    }

    #[inline(always)]
    fn put<S: Simd, const ORDER: u8, const FIRST: bool>(
        &mut self,
        simd: S,
        cell: &CellPolynomial<S>,
        dt: S::f32s,
        count: usize,
    ) {
        let slope = S::f32s::splat(simd, self.slope);
        for _ in 0..count {
            let Some((offset, row)) = self.rows.next() else { return };
            let mut row = row.written::<S, ORDER>();
            let offset = OffsetLanes::of_row(simd, offset, dt);
            row.put::<S, FIRST>(simd, 0, cell.value(&offset));
            if ORDER >= 1 {
                row.put::<S, FIRST>(simd, 1, cell.dx(&offset) * slope);
                row.put::<S, FIRST>(simd, 2, cell.dz(&offset) * slope);
            }
        }
    }
}

impl<'a, S: Simd, I, R: OutputRow> RowWriter<S> for AddNoise<I>
where
    I: Iterator<Item = (&'a RowOffset, R)>,
{
    #[inline(always)]
    fn write<const ORDER: u8>(
        &mut self,
        simd: S,
        cell: &CellPolynomial<S>,
        dt: S::f32s,
        count: usize,
    ) {
        // Outside the loop over rows, which then has no branch.
        if self.first {
            self.put::<S, ORDER, true>(simd, cell, dt, count);
        } else {
            self.put::<S, ORDER, false>(simd, cell, dt, count);
        }
    }
}

/// Adds noise with its second derivatives.
pub(in crate::kernel) struct AddJets<'a, I> {
    pub rows: I,
    pub parameters: &'a OctaveParameters,
}

impl<'a, S: Simd, I> RowWriter<S> for AddJets<'_, I>
where
    I: Iterator<Item = (&'a RowOffset, &'a mut [f32])>,
{
    #[inline(always)]
    fn write<const ORDER: u8>(
        &mut self,
        simd: S,
        cell: &CellPolynomial<S>,
        dt: S::f32s,
        count: usize,
    ) {
        for _ in 0..count {
            let Some((offset, sums)) = self.rows.next() else { return };
            add_jets::<S>(
                simd,
                cell,
                &OffsetLanes::of_row(simd, offset, dt),
                self.parameters,
                sums,
            );
        }
    }
}

/// Adds the noise of a vector of points with its second derivatives.
#[inline(always)]
pub(in crate::kernel) fn add_jets<S: Simd>(
    simd: S,
    cell: &CellPolynomial<S>,
    offset: &OffsetLanes<S>,
    parameters: &OctaveParameters,
    sums: &mut [f32],
) {
    let first = parameters.first;
    let [dx, dz] = parameters.gradient(cell, offset);
    let mut second = cell.second(offset);
    if let Some(rotation) = &parameters.rotation {
        second = rotation.pull_back_second::<S>(second);
    }
    let ([xx, xz, zz], slope) = (second, S::f32s::splat(simd, parameters.slope));
    put_either(simd, first, sums, 0, cell.value(offset));
    put_either(simd, first, sums, 1, dx);
    put_either(simd, first, sums, 2, dz);
    put_either(simd, first, sums, 3, xx * slope);
    put_either(simd, first, sums, 4, xz * slope);
    put_either(simd, first, sums, 5, zz * slope);
}

/// Adds the terms of a fractal.
pub(in crate::kernel) struct AddTerms<'a, I> {
    pub rows: I,
    pub parameters: &'a OctaveParameters,
    pub term: (OctaveTerm, f32),
}

impl<'a, S: Simd, I> RowWriter<S> for AddTerms<'a, I>
where
    I: Iterator<Item = ((&'a RowOffset, &'a mut [f32]), &'a mut [f32])>,
{
    #[inline(always)]
    fn write<const ORDER: u8>(
        &mut self,
        simd: S,
        cell: &CellPolynomial<S>,
        dt: S::f32s,
        count: usize,
    ) {
        for _ in 0..count {
            let Some(((offset, sums), weights)) = self.rows.next() else { return };
            let offset = OffsetLanes::of_row(simd, offset, dt);
            add_terms::<S, ORDER>(simd, cell, &offset, self.parameters, self.term, sums, weights);
        }
    }
}

/// Adds the fractal's term for the noise of a vector of points.
#[inline(always)]
pub(in crate::kernel) fn add_terms<S: Simd, const ORDER: u8>(
    simd: S,
    cell: &CellPolynomial<S>,
    offset: &OffsetLanes<S>,
    parameters: &OctaveParameters,
    (term, amplitude): (OctaveTerm, f32),
    sums: &mut [f32],
    weights: &mut [f32],
) {
    let (none, first) = (S::f32s::splat(simd, -0.0), parameters.first);
    let mut noise = SampleLanes::<S> { value: cell.value(offset), dx: none, dz: none };
    if ORDER >= 1 && parameters.slope != 0.0 {
        [noise.dx, noise.dz] = parameters.gradient(cell, offset);
    }
    let mut terms = OctaveTerms::new(term);
    if !first {
        let mut weight = SampleLanes { value: load(simd, weights, 0), dx: none, dz: none };
        if ORDER >= 1 {
            weight.dx = load(simd, weights, 1);
            weight.dz = load(simd, weights, 2);
        }
        terms.weight = Some(weight);
    }
    let SampleLanes { value, dx, dz } = terms.next(noise, amplitude);
    put_either(simd, first, sums, 0, value);
    if ORDER >= 1 {
        put_either(simd, first, sums, 1, dx);
        put_either(simd, first, sums, 2, dz);
    }
    let Some(weight) = terms.weight else { return };
    put::<S, true>(simd, weights, 0, weight.value);
    if ORDER >= 1 {
        put::<S, true>(simd, weights, 1, weight.dx);
        put::<S, true>(simd, weights, 2, weight.dz);
    }
}

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
