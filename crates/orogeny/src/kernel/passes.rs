//! How octaves are added to the sums of a strip, of a column, or of scattered points.

use core::slice;

use fearless_simd::Simd;
use fearless_simd::prelude::*;
use fearless_simd_macros::simd;

use crate::kernel::Octave;
use crate::kernel::corners::{Corners, Directions, LaneCorners, Listed, Values};
use crate::kernel::lines::{Lines, RowHeight, Table};
use crate::kernel::row::{AxisLanes, Between, Height, LatticeRow, Ramps};
use crate::kernel::terms::SampleLanes;
use crate::kind::{Kind, Terms};

/// The numbers of a strip, a vector of each row of `stride` numbers; or those of a column or of scattered points, without gaps.
pub(super) struct Sums<'a> {
    pub value: &'a mut [f32],
    /// Not used, but in rows of a vector each, where slopes are not asked for.
    pub dx: &'a mut [f32],
    pub dz: &'a mut [f32],
    /// The second derivatives along x twice, x and z, and z twice, where they are asked for: never in rows of more than a vector.
    pub bends: [&'a mut [f32]; 3],
    pub stride: usize,
    /// Where the strip begins in its rows.
    pub at: usize,
    /// The weights of the next octave, where octaves have any, with their derivatives: as long as the sums.
    pub weights: [&'a mut [f32]; 3],
}

/// What is filled with which octave.
pub(super) struct Term<'a> {
    pub octave: Octave<'a>,
    /// Whether it is the first one, which finds nothing to be added to.
    pub first: bool,
}

impl<'a> Sums<'a> {
    /// Room for `len` sums.
    #[inline(always)]
    pub fn new<const ORDER: u8>(sums: &'a mut [Vec<f32>; 9], len: usize, stride: usize) -> Self {
        let slopes = if ORDER >= 1 { len } else { 0 };
        let seconds = if ORDER == 2 { len } else { 0 };
        let [value, dx, dz, xx, xz, zz, weight, weight_dx, weight_dz] = sums;
        for part in [&mut *value, &mut *dx, &mut *dz, &mut *weight] {
            part.resize(part.len().max(len), 0.0);
        }
        for part in [&mut *weight_dx, &mut *weight_dz] {
            part.resize(part.len().max(slopes), 0.0);
        }
        for part in [&mut *xx, &mut *xz, &mut *zz] {
            part.resize(part.len().max(seconds), 0.0);
        }
        let weights: [&mut [f32]; 3] = [weight, weight_dx, weight_dz];
        Self { value, dx, dz, bends: [xx, xz, zz], stride, at: 0, weights }
    }
}

/// What is filled at a time.
pub(super) trait Pass {
    /// Adds an octave, to the values alone if `ORDER` is 0, without second derivatives if it is 1.
    fn add<S: Simd, C: LaneCorners, const HEIGHTS: bool, const ORDER: u8>(
        &self,
        simd: S,
        corners: &C,
        term: &Term,
        table: &Table,
        at: usize,
        sums: &mut Sums,
    );
}

/// Adds an octave, with the code made for its lattice.
#[inline(always)]
pub(super) fn add<S: Simd, P: Pass, const ORDER: u8>(
    simd: S,
    pass: &P,
    term: &Term,
    table: &Table,
    at: usize,
    sums: &mut Sums,
) {
    let without_slopes = term.octave.slope == 0.0 && term.octave.shape.is_none();
    if ORDER == 0 || without_slopes {
        if ORDER >= 1 && term.first {
            // To anything added to -0, nothing happens.
            sums.dx.fill(-0.0);
            sums.dz.fill(-0.0);
            if ORDER == 2 {
                sums.bends[0].fill(-0.0);
                sums.bends[1].fill(-0.0);
                sums.bends[2].fill(-0.0);
            }
        }
        add_with::<S, P, 0>(simd, pass, term, table, at, sums);
    } else {
        add_with::<S, P, ORDER>(simd, pass, term, table, at, sums);
    }
}

/// A function of its own, so that it is compiled once for whoever calls it.
#[simd]
fn add_with<S: Simd, P: Pass, const ORDER: u8>(
    simd: S,
    pass: &P,
    term: &Term,
    table: &Table,
    at: usize,
    sums: &mut Sums,
) {
    let octave = &term.octave;
    match (octave.corners, octave.heights) {
        (Corners::Directions(pairs), false) => {
            let corners = Directions::new(pairs, octave.amplitude);
            pass.add::<S, _, false, ORDER>(simd, &corners, term, table, at, sums);
        }
        // Few ask for second derivatives: the code is made for what they mostly ask for, and for all the rest.
        (_, true) if ORDER == 2 => {
            pass.add::<S, _, true, ORDER>(simd, &Listed::new(octave), term, table, at, sums);
        }
        (Corners::Directions(pairs), true) => {
            let corners = Directions::new(pairs, octave.amplitude);
            pass.add::<S, _, true, ORDER>(simd, &corners, term, table, at, sums);
        }
        (Corners::Values, true) => {
            let corners = Values { amplitude: octave.amplitude };
            pass.add::<S, _, true, ORDER>(simd, &corners, term, table, at, sums);
        }
        (Corners::Values | Corners::Listed, false) => {
            pass.add::<S, _, false, ORDER>(simd, &Listed::new(octave), term, table, at, sums);
        }
        (Corners::Listed, true) => {
            pass.add::<S, _, true, ORDER>(simd, &Listed::new(octave), term, table, at, sums);
        }
    }
}

/// The columns from `at` on, a vector of them, row by row.
pub(super) struct Strip;

impl Pass for Strip {
    #[inline(always)]
    fn add<S: Simd, C: LaneCorners, const HEIGHTS: bool, const ORDER: u8>(
        &self,
        simd: S,
        corners: &C,
        term: &Term,
        Table { columns, rows }: &Table,
        at: usize,
        sums: &mut Sums,
    ) {
        let ramps = Ramps::new(AxisLanes::neighbours::<ORDER>(simd, columns, at));
        let (lanes, slope) = (S::f32s::LEN, term.octave.slope);
        // One iterator for the whole strip: the finest octaves have a single row between lattice rows, and to set one up for each
        // would cost as much as that row.
        let heights = rows.heights.iter();
        if ORDER == 2 {
            let bent = Bent { heights, term, sums, row: 0 };
            add_strip::<S, C, _, HEIGHTS, ORDER>(simd, corners, &ramps, rows, bent);
        } else if let Some(shape) = term.octave.shape {
            let shaped = Shaped { heights, term, shape, sums, row: 0 };
            add_strip::<S, C, _, HEIGHTS, ORDER>(simd, corners, &ramps, rows, shaped);
        } else if term.first {
            let Sums { value, dx, dz, stride, at, .. } = sums;
            let stride_of_slopes = if ORDER >= 1 { *stride } else { lanes };
            let slopes =
                dx.chunks_exact_mut(stride_of_slopes).zip(dz.chunks_exact_mut(stride_of_slopes));
            let rows_of = heights.zip(value.chunks_exact_mut(*stride)).zip(slopes);
            let plain = Plain::<_, true> { rows: rows_of, at: *at, slope };
            add_strip::<S, C, _, HEIGHTS, ORDER>(simd, corners, &ramps, rows, plain);
        } else {
            let slopes = sums.dx.chunks_exact_mut(lanes).zip(sums.dz.chunks_exact_mut(lanes));
            let rows_of = heights.zip(sums.value.chunks_exact_mut(lanes)).zip(slopes);
            let plain = Plain::<_, false> { rows: rows_of, at: 0, slope };
            add_strip::<S, C, _, HEIGHTS, ORDER>(simd, corners, &ramps, rows, plain);
        }
    }
}

/// Lattice row by lattice row.
#[inline(always)]
fn add_strip<S: Simd, C: LaneCorners, R: Rows<S>, const HEIGHTS: bool, const ORDER: u8>(
    simd: S,
    corners: &C,
    ramps: &Ramps<S>,
    lines: &Lines,
    mut rows: R,
) {
    let dt = S::f32s::splat(simd, lines.dt);
    // The last lattice row: the upper one of the last cell.
    let mut last: Option<(u32, LatticeRow<S>)> = None;
    let mut start = 0;
    for run in &lines.runs {
        let [below, above] = run.lines;
        let lower = match last {
            Some((line, row)) if line == below => row,
            _ => row::<S, C, HEIGHTS, ORDER>(simd, corners, ramps, below),
        };
        let upper = row::<S, C, HEIGHTS, ORDER>(simd, corners, ramps, above);
        last = Some((above, upper));
        rows.add::<ORDER>(simd, &Between::new(&lower, &upper), dt, run.end - start);
        start = run.end;
    }
}

#[inline(always)]
fn row<S: Simd, C: LaneCorners, const HEIGHTS: bool, const ORDER: u8>(
    simd: S,
    corners: &C,
    ramps: &Ramps<S>,
    line: u32,
) -> LatticeRow<S> {
    LatticeRow::new::<C, HEIGHTS, ORDER>(simd, corners, ramps, S::u32s::splat(simd, line))
}

/// The rows of a strip, from the first to the last.
trait Rows<S: Simd> {
    /// Adds to the next `count` rows, which are between the same lattice rows.
    fn add<const ORDER: u8>(&mut self, simd: S, between: &Between<S>, dt: S::f32s, count: usize);
}

/// Noise as it is, added to rows of sums, or, of the first octave, written over them.
struct Plain<I, const FIRST: bool> {
    rows: I,
    /// Where the strip begins in its rows.
    at: usize,
    slope: f32,
}

impl<'a, S: Simd, I, const FIRST: bool> Rows<S> for Plain<I, FIRST>
where
    I: Iterator<Item = ((&'a RowHeight, &'a mut [f32]), (&'a mut [f32], &'a mut [f32]))>,
{
    #[inline(always)]
    fn add<const ORDER: u8>(&mut self, simd: S, between: &Between<S>, dt: S::f32s, count: usize) {
        let at = self.at;
        // A factor of 1 changes no bits.
        if ORDER >= 1 && self.slope != 1.0 {
            let slope = S::f32s::splat(simd, self.slope);
            for _ in 0..count {
                let Some(((height, value), (dx, dz))) = self.rows.next() else { return };
                let height = Height::of_row(simd, height, dt);
                put::<S, FIRST>(simd, &mut value[at..], between.value(&height));
                put::<S, FIRST>(simd, &mut dx[at..], between.dx(&height) * slope);
                put::<S, FIRST>(simd, &mut dz[at..], between.dz(&height) * slope);
            }
            return;
        }
        for _ in 0..count {
            let Some(((height, value), (dx, dz))) = self.rows.next() else { return };
            let height = Height::of_row(simd, height, dt);
            put::<S, FIRST>(simd, &mut value[at..], between.value(&height));
            if ORDER >= 1 {
                put::<S, FIRST>(simd, &mut dx[at..], between.dx(&height));
                put::<S, FIRST>(simd, &mut dz[at..], between.dz(&height));
            }
        }
    }
}

/// Noise as it is with its second derivatives, added to rows of sums.
struct Bent<'a, 'b> {
    heights: slice::Iter<'a, RowHeight>,
    term: &'a Term<'a>,
    sums: &'a mut Sums<'b>,
    row: usize,
}

impl<S: Simd> Rows<S> for Bent<'_, '_> {
    #[inline(always)]
    fn add<const ORDER: u8>(&mut self, simd: S, between: &Between<S>, dt: S::f32s, count: usize) {
        for _ in 0..count {
            let Some(height) = self.heights.next() else { return };
            let height = Height::of_row(simd, height, dt);
            let at = self.row * S::f32s::LEN;
            add_bent::<S>(simd, between, &height, self.term, at, self.sums);
            self.row += 1;
        }
    }
}

/// Adds the noise of a vector of points with its second derivatives.
#[inline(always)]
fn add_bent<S: Simd>(
    simd: S,
    between: &Between<S>,
    height: &Height<S>,
    Term { octave, first }: &Term,
    at: usize,
    sums: &mut Sums,
) {
    let slope = S::f32s::splat(simd, octave.slope);
    put_either(simd, *first, &mut sums.value[at..], between.value(height));
    put_either(simd, *first, &mut sums.dx[at..], between.dx(height) * slope);
    put_either(simd, *first, &mut sums.dz[at..], between.dz(height) * slope);
    let [xx, xz, zz] = between.bends(height);
    put_either(simd, *first, &mut sums.bends[0][at..], xx * slope);
    put_either(simd, *first, &mut sums.bends[1][at..], xz * slope);
    put_either(simd, *first, &mut sums.bends[2][at..], zz * slope);
}

/// What a fractal makes of noise, added to rows of sums.
struct Shaped<'a, 'b> {
    heights: slice::Iter<'a, RowHeight>,
    term: &'a Term<'a>,
    shape: (Kind, f32),
    sums: &'a mut Sums<'b>,
    row: usize,
}

impl<S: Simd> Rows<S> for Shaped<'_, '_> {
    #[inline(always)]
    fn add<const ORDER: u8>(&mut self, simd: S, between: &Between<S>, dt: S::f32s, count: usize) {
        let Self { term, shape, sums, .. } = self;
        for _ in 0..count {
            let Some(height) = self.heights.next() else { return };
            let height = Height::of_row(simd, height, dt);
            let at = self.row * sums.stride;
            add_shaped::<S, ORDER>(simd, between, &height, term, *shape, at, sums);
            self.row += 1;
        }
    }
}

/// Adds what a fractal makes of the noise of a vector of points.
#[inline(always)]
fn add_shaped<S: Simd, const ORDER: u8>(
    simd: S,
    between: &Between<S>,
    height: &Height<S>,
    term: &Term,
    (kind, amplitude): (Kind, f32),
    at: usize,
    sums: &mut Sums,
) {
    let Term { octave, first } = term;
    let none = S::f32s::splat(simd, -0.0);
    let mut noise = SampleLanes::<S> { value: between.value(height), dx: none, dz: none };
    if ORDER >= 1 && octave.slope != 0.0 {
        noise.dx = between.dx(height) * octave.slope;
        noise.dz = between.dz(height) * octave.slope;
    }
    let range = at..at + S::f32s::LEN;
    let mut terms = Terms::new(kind);
    if !first {
        let [value, dx, dz] = &sums.weights;
        let mut weight = SampleLanes {
            value: S::f32s::from_slice(simd, &value[range.clone()]),
            dx: none,
            dz: none,
        };
        if ORDER >= 1 {
            weight.dx = S::f32s::from_slice(simd, &dx[range.clone()]);
            weight.dz = S::f32s::from_slice(simd, &dz[range.clone()]);
        }
        terms.weight = Some(weight);
    }
    let SampleLanes { value, dx, dz } = terms.next(noise, amplitude);
    put_either(simd, *first, &mut sums.value[at..], value);
    if ORDER >= 1 {
        put_either(simd, *first, &mut sums.dx[at..], dx);
        put_either(simd, *first, &mut sums.dz[at..], dz);
    }
    let Some(weight) = terms.weight else { return };
    let weights = &mut sums.weights;
    weight.value.store_slice(&mut weights[0][range.clone()]);
    if ORDER >= 1 {
        weight.dx.store_slice(&mut weights[1][range.clone()]);
        weight.dz.store_slice(&mut weights[2][range]);
    }
}

/// Adds to the first sums, or replaces them.
#[inline(always)]
fn put<S: Simd, const FIRST: bool>(simd: S, sums: &mut [f32], term: S::f32s) {
    let sums = &mut sums[..S::f32s::LEN];
    let sum = if FIRST { term } else { S::f32s::from_slice(simd, sums) + term };
    sum.store_slice(sums);
}

/// Points with a row each, a vector of them at a time: scattered ones, or those of a column, from `at` on.
pub(super) struct Points {
    /// Whether all share the column `at`.
    pub is_column: bool,
}

impl Pass for Points {
    #[inline(always)]
    fn add<S: Simd, C: LaneCorners, const HEIGHTS: bool, const ORDER: u8>(
        &self,
        simd: S,
        corners: &C,
        term: &Term,
        Table { columns, rows }: &Table,
        at: usize,
        sums: &mut Sums,
    ) {
        let slope = S::f32s::splat(simd, term.octave.slope);
        for start in (0..rows.len).step_by(S::f32s::LEN) {
            let x = if self.is_column {
                AxisLanes::one::<ORDER>(simd, columns, at)
            } else {
                AxisLanes::neighbours::<ORDER>(simd, columns, at + start)
            };
            let (x, z) = (Ramps::new(x), AxisLanes::neighbours::<ORDER>(simd, rows, start));
            let lower = LatticeRow::new::<C, HEIGHTS, ORDER>(simd, corners, &x, z.below);
            let upper = LatticeRow::new::<C, HEIGHTS, ORDER>(simd, corners, &x, z.above);
            let (between, height) = (Between::new(&lower, &upper), z.height());
            if ORDER == 2 {
                add_bent::<S>(simd, &between, &height, term, start, sums);
                continue;
            }
            if let Some(shape) = term.octave.shape {
                add_shaped::<S, ORDER>(simd, &between, &height, term, shape, start, sums);
                continue;
            }
            let first = term.first;
            put_either(simd, first, &mut sums.value[start..], between.value(&height));
            if ORDER >= 1 {
                put_either(simd, first, &mut sums.dx[start..], between.dx(&height) * slope);
                put_either(simd, first, &mut sums.dz[start..], between.dz(&height) * slope);
            }
        }
    }
}

#[inline(always)]
fn put_either<S: Simd>(simd: S, first: bool, sums: &mut [f32], term: S::f32s) {
    if first {
        put::<S, true>(simd, sums, term);
    } else {
        put::<S, false>(simd, sums, term);
    }
}
