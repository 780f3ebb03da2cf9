//! What is done with the rows between two lattice rows.

use fearless_simd::Simd;
use fearless_simd::prelude::*;

use crate::fractal::fractal_kind::{FractalKind, Terms};
use crate::kernel::lines::{RowHeight, Term};
use crate::kernel::row::{Between, Height};
use crate::kernel::sums::{part, parts, put, put_either};
use crate::kernel::terms::SampleLanes;

/// The rows of a strip, from the first to the last.
pub(super) trait Rows<S: Simd> {
    /// Adds to the next `count` rows, which are between the same lattice rows.
    fn add<const ORDER: u8>(&mut self, simd: S, between: &Between<S>, dt: S::f32s, count: usize);
}

/// Where a row of noise is added.
pub(super) trait Row: Sized {
    /// The row without what is not written: one question of length for all that follows.
    fn written<S: Simd, const ORDER: u8>(self) -> Self;

    /// Adds to the vector of values, or, with `i` 1 and 2, to those of derivatives along x and z;
    /// or replaces it, if it is the first octave's.
    fn put<S: Simd, const FIRST: bool>(&mut self, simd: S, i: usize, term: S::f32s);
}

impl Row for &mut [f32] {
    #[inline(always)]
    fn written<S: Simd, const ORDER: u8>(self) -> Self {
        &mut self[..parts(ORDER) * S::f32s::LEN]
    }

    #[inline(always)]
    fn put<S: Simd, const FIRST: bool>(&mut self, simd: S, i: usize, term: S::f32s) {
        put::<S, FIRST>(simd, self, i, term);
    }
}

/// Sums, and what takes their place from the last octave on.
pub(super) struct Finished<'a> {
    pub sums: &'a [f32],
    pub target: [&'a mut [f32]; 3],
    pub column: usize,
}

impl Row for Finished<'_> {
    #[inline(always)]
    fn written<S: Simd, const ORDER: u8>(self) -> Self {
        let Self { sums, target: [value, dx, dz], column } = self;
        let range = column..column + S::f32s::LEN;
        let sums = &sums[..parts(ORDER) * S::f32s::LEN];
        let value = &mut value[range.clone()];
        let [dx, dz] = if ORDER >= 1 { [&mut dx[range.clone()], &mut dz[range]] } else { [dx, dz] };
        Self { sums, target: [value, dx, dz], column }
    }

    #[inline(always)]
    fn put<S: Simd, const FIRST: bool>(&mut self, simd: S, i: usize, term: S::f32s) {
        let sum = if FIRST { term } else { part(simd, self.sums, i) + term };
        sum.store_slice(&mut self.target[i][..S::f32s::LEN]);
    }
}

/// Noise as it is, added to rows of sums, or, of the first octave, written over them.
pub(super) struct Plain<I, const FIRST: bool> {
    pub rows: I,
    pub slope: f32,
}

impl<'a, S: Simd, I, R: Row, const FIRST: bool> Rows<S> for Plain<I, FIRST>
where
    I: Iterator<Item = (&'a RowHeight, R)>,
{
    #[inline(always)]
    fn add<const ORDER: u8>(&mut self, simd: S, between: &Between<S>, dt: S::f32s, count: usize) {
        // A factor of 1 changes no bits.
        if ORDER >= 1 && self.slope != 1.0 {
            let slope = S::f32s::splat(simd, self.slope);
            for _ in 0..count {
                let Some((height, row)) = self.rows.next() else { return };
                let mut row = row.written::<S, ORDER>();
                let height = Height::of_row(simd, height, dt);
                row.put::<S, FIRST>(simd, 0, between.value(&height));
                row.put::<S, FIRST>(simd, 1, between.dx(&height) * slope);
                row.put::<S, FIRST>(simd, 2, between.dz(&height) * slope);
            }
            return;
        }
        for _ in 0..count {
            let Some((height, row)) = self.rows.next() else { return };
            let mut row = row.written::<S, ORDER>();
            let height = Height::of_row(simd, height, dt);
            row.put::<S, FIRST>(simd, 0, between.value(&height));
            if ORDER >= 1 {
                row.put::<S, FIRST>(simd, 1, between.dx(&height));
                row.put::<S, FIRST>(simd, 2, between.dz(&height));
            }
        }
    }
}

/// Noise as it is with its second derivatives, added to rows of sums.
pub(super) struct Bent<'a, I> {
    pub sums: I,
    pub term: &'a Term,
}

impl<'a, S: Simd, I> Rows<S> for Bent<'_, I>
where
    I: Iterator<Item = (&'a RowHeight, &'a mut [f32])>,
{
    #[inline(always)]
    fn add<const ORDER: u8>(&mut self, simd: S, between: &Between<S>, dt: S::f32s, count: usize) {
        for _ in 0..count {
            let Some((height, sums)) = self.sums.next() else { return };
            add_bent::<S>(simd, between, &Height::of_row(simd, height, dt), self.term, sums);
        }
    }
}

/// Adds the noise of a vector of points with its second derivatives.
#[inline(always)]
pub(super) fn add_bent<S: Simd>(
    simd: S,
    between: &Between<S>,
    height: &Height<S>,
    &Term { slope, first, .. }: &Term,
    sums: &mut [f32],
) {
    let slope = S::f32s::splat(simd, slope);
    let [xx, xz, zz] = between.bends(height);
    put_either(simd, first, sums, 0, between.value(height));
    put_either(simd, first, sums, 1, between.dx(height) * slope);
    put_either(simd, first, sums, 2, between.dz(height) * slope);
    put_either(simd, first, sums, 3, xx * slope);
    put_either(simd, first, sums, 4, xz * slope);
    put_either(simd, first, sums, 5, zz * slope);
}

/// What a fractal makes of noise, added to rows of sums.
pub(super) struct Shaped<'a, I> {
    pub sums: I,
    pub term: &'a Term,
    pub shape: (FractalKind, f32),
}

impl<'a, S: Simd, I> Rows<S> for Shaped<'_, I>
where
    I: Iterator<Item = ((&'a RowHeight, &'a mut [f32]), &'a mut [f32])>,
{
    #[inline(always)]
    fn add<const ORDER: u8>(&mut self, simd: S, between: &Between<S>, dt: S::f32s, count: usize) {
        let Self { sums: rows, term, shape } = self;
        for _ in 0..count {
            let Some(((height, sums), weights)) = rows.next() else { return };
            let height = Height::of_row(simd, height, dt);
            add_shaped::<S, ORDER>(simd, between, &height, term, *shape, sums, weights);
        }
    }
}

/// Adds what a fractal makes of the noise of a vector of points.
#[inline(always)]
pub(super) fn add_shaped<S: Simd, const ORDER: u8>(
    simd: S,
    between: &Between<S>,
    height: &Height<S>,
    &Term { slope, first, .. }: &Term,
    (kind, amplitude): (FractalKind, f32),
    sums: &mut [f32],
    weights: &mut [f32],
) {
    let none = S::f32s::splat(simd, -0.0);
    let mut noise = SampleLanes::<S> { value: between.value(height), dx: none, dz: none };
    if ORDER >= 1 && slope != 0.0 {
        noise.dx = between.dx(height) * slope;
        noise.dz = between.dz(height) * slope;
    }
    let mut terms = Terms::new(kind);
    if !first {
        let mut weight = SampleLanes { value: part(simd, weights, 0), dx: none, dz: none };
        if ORDER >= 1 {
            weight.dx = part(simd, weights, 1);
            weight.dz = part(simd, weights, 2);
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
