//! Lattice noise in three and four dimensions.
//!
//! The noise is interpolated as in the plane, along one axis after another ([`rows`]). A grid in
//! three dimensions shares lattice rows between the samples of a cell ([`grid`]). Scattered points,
//! grids in four dimensions, and rotated octaves have lattice rows of their own in each lane
//! ([`points`]). Start with [`fill`].

mod corners;
mod grid;
mod points;
mod rows;

use fearless_simd::Simd;
use fearless_simd::prelude::*;

use crate::kernel::lattice::bands::copy;
use crate::kernel::lattice::octaves::LatticeOctave;
use crate::kernel::tables::KernelTables;
use crate::kernel::{KernelPositions, MAX_DIMENSIONS, OutputSlices};
use crate::simd::dispatch;

/// Writes the sum of `octaves` in N dimensions, 3 or 4, to `out`. They must not have terms.
pub(super) fn fill<const N: usize>(
    octaves: &[LatticeOctave],
    positions: KernelPositions,
    tables: &mut KernelTables,
    OutputSlices { value, slopes, .. }: OutputSlices,
) {
    let level = tables.level;
    match slopes {
        Some(slopes) => {
            let out = &mut Output { value, slopes };
            dispatch!(level, simd => fill_with::<_, N, 1>(simd, octaves, positions, tables, out));
        }
        None => {
            let out = &mut Output { value, slopes: Default::default() };
            dispatch!(level, simd => fill_with::<_, N, 0>(simd, octaves, positions, tables, out));
        }
    }
}

/// `ORDER` 0 writes values, 1 gradients as well.
fn fill_with<S: Simd, const N: usize, const ORDER: u8>(
    simd: S,
    octaves: &[LatticeOctave],
    positions: KernelPositions,
    tables: &mut KernelTables,
    out: &mut Output,
) {
    match positions {
        KernelPositions::Grid(axes) if N == 3 && octaves.iter().all(|o| o.rotation.is_none()) => {
            grid::fill::<S, ORDER>(simd, octaves, axes, tables, out);
        }
        _ => points::fill::<S, N, ORDER>(simd, octaves, positions, tables, out),
    }
}

/// The slices that a fill writes to.
struct Output<'a> {
    value: &'a mut [f32],
    /// One slice for each dimension, the others are empty.
    slopes: [&'a mut [f32]; MAX_DIMENSIONS],
}

impl Output<'_> {
    /// Copies a row of accumulators to the samples from index `at` on.
    #[inline(always)]
    fn copy<S: Simd>(&mut self, row: &[f32], at: usize, count: usize) {
        let mut vectors = row.chunks_exact(S::f32s::LEN);
        if let Some(vector) = vectors.next() {
            copy::<S>(vector, &mut self.value[at..at + count]);
        }
        for (vector, out) in vectors.zip(&mut self.slopes) {
            copy::<S>(vector, &mut out[at..at + count]);
        }
    }
}

/// The numbers of a sample: its value, and with `ORDER` 1 its derivatives.
const fn components<const N: usize>(order: u8) -> usize {
    if order == 0 { 1 } else { 1 + N }
}

/// Calls a pass with the code for the octave's lattice, and without derivatives if the octave adds
/// none.
macro_rules! call_pass {
    (
        $octave:expr, $table:expr, $sums:expr, $N:expr,
        $pass:ident::<$S:ident, $ORDER:ident>($simd:expr $(, $argument:expr)*)
    ) => {
        let is_flat = $table.parameters.is_flat();
        if $ORDER >= 1 && is_flat && $table.parameters.first {
            // Adding to -0 changes no bits.
            $sums.sums.fill(-0.0);
        }
        match $crate::kernel::space::corners::HashedCorners::new(&$table.parameters) {
            Some(corners) if $ORDER == 0 || is_flat => {
                $pass::<$S, _, $N, 0>($simd, &corners, $table, $sums $(, $argument)*);
            }
            Some(corners) => {
                $pass::<$S, _, $N, $ORDER>($simd, &corners, $table, $sums $(, $argument)*);
            }
            None => {
                let corners = &$crate::kernel::corners::LookedUpCorners::new($octave);
                if $ORDER == 0 || is_flat {
                    $pass::<$S, _, $N, 0>($simd, corners, $table, $sums $(, $argument)*);
                } else {
                    $pass::<$S, _, $N, $ORDER>($simd, corners, $table, $sums $(, $argument)*);
                }
            }
        }
    };
}
use call_pass;
