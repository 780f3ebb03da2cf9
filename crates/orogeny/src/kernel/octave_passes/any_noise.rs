//! Passes of any lattice noise, and of the terms that a fractal makes of it.

use fearless_simd::Simd;
use fearless_simd::prelude::*;

use crate::kernel::accumulators::{Accumulators, put_either};
use crate::kernel::corners::AnyCorners;
use crate::kernel::lattice_octaves::LatticeOctave;
use crate::kernel::lattice_row::{AxisLanes, CellPolynomial, Ramps, RowCoefficients};
use crate::kernel::octave_passes::{Part, write_strip};
use crate::kernel::octave_terms::OctaveTerm;
use crate::kernel::row_writers::{AddJets, AddNoise, AddTerms, add_jets, add_terms};
use crate::kernel::tables::OctaveTable;

/// Adds any noise, or the terms that a fractal makes of it.
#[inline(always)]
pub(super) fn add_any<S: Simd, const ORDER: u8>(
    simd: S,
    octave: &LatticeOctave,
    table: &OctaveTable,
    part: &Part,
    sums: &mut Accumulators,
) {
    // `const` keeps the compiler from generating the branch that is never taken.
    if const { ORDER == 2 } {
        add_any_jets(simd, octave, table, part, sums);
    } else if let Some(term) = table.parameters.term {
        add_any_terms::<S, ORDER>(simd, octave, table, part, sums, term);
    } else {
        add_any_noise::<S, ORDER>(simd, octave, table, part, sums);
    }
}

fn add_any_jets<S: Simd>(
    simd: S,
    octave: &LatticeOctave,
    OctaveTable { columns, rows, parameters }: &OctaveTable,
    part: &Part,
    Accumulators { sums, stride, .. }: &mut Accumulators,
) {
    simd.vectorize(
        #[inline(always)]
        || {
            let corners = &AnyCorners::new(octave, parameters);
            let ramps = Ramps::new(AxisLanes::consecutive::<2>(simd, columns, part.column));
            let heights = rows.heights[part.rows.clone()].iter();
            let sums = heights.zip(sums.chunks_exact_mut(*stride));
            let writer = AddJets { rows: sums, parameters };
            write_strip::<S, _, _, 2>(simd, corners, &ramps, rows, writer);
        },
    );
}

fn add_any_terms<S: Simd, const ORDER: u8>(
    simd: S,
    octave: &LatticeOctave,
    OctaveTable { columns, rows, parameters }: &OctaveTable,
    part: &Part,
    Accumulators { sums, weights, stride }: &mut Accumulators,
    term: (OctaveTerm, f32),
) {
    simd.vectorize(
        #[inline(always)]
        || {
            let corners = &AnyCorners::new(octave, parameters);
            let ramps = Ramps::new(AxisLanes::consecutive::<ORDER>(simd, columns, part.column));
            let heights = rows.heights[part.rows.clone()].iter();
            let sums = heights.zip(sums.chunks_exact_mut(*stride));
            let sums = sums.zip(weights.chunks_exact_mut(*stride));
            let writer = AddTerms { rows: sums, parameters, term };
            write_strip::<S, _, _, ORDER>(simd, corners, &ramps, rows, writer);
        },
    );
}

fn add_any_noise<S: Simd, const ORDER: u8>(
    simd: S,
    octave: &LatticeOctave,
    OctaveTable { columns, rows, parameters }: &OctaveTable,
    part: &Part,
    Accumulators { sums, stride, .. }: &mut Accumulators,
) {
    simd.vectorize(
        #[inline(always)]
        || {
            let corners = &AnyCorners::new(octave, parameters);
            let ramps = Ramps::new(AxisLanes::consecutive::<ORDER>(simd, columns, part.column));
            if parameters.first {
                // Adding to -0 changes no bits.
                sums.fill(-0.0);
            }
            let heights = rows.heights[part.rows.clone()].iter();
            let sums = heights.zip(sums.chunks_exact_mut(*stride));
            let writer = AddNoise::<_, false> { rows: sums, slope: parameters.slope };
            write_strip::<S, _, _, ORDER>(simd, corners, &ramps, rows, writer);
        },
    );
}

/// Adds any noise, or its terms, to points that have two lattice rows each.
pub(super) fn add_points<S: Simd, const ORDER: u8>(
    simd: S,
    octave: &LatticeOctave,
    OctaveTable { columns, rows, parameters }: &OctaveTable,
    part: &Part,
    is_column: bool,
    Accumulators { sums, weights, stride }: &mut Accumulators,
) {
    simd.vectorize(
        #[inline(always)]
        || {
            let corners = &AnyCorners::new(octave, parameters);
            let slope = S::f32s::splat(simd, parameters.slope);
            let first = parameters.first;
            let sums = sums.chunks_exact_mut(*stride).zip(weights.chunks_exact_mut(*stride));
            for (start, (sums, weights)) in part.rows.clone().step_by(S::f32s::LEN).zip(sums) {
                let x = if is_column {
                    AxisLanes::splat::<ORDER>(simd, columns, part.column)
                } else {
                    AxisLanes::consecutive::<ORDER>(simd, columns, start)
                };
                let (x, z) = (Ramps::new(x), AxisLanes::consecutive::<ORDER>(simd, rows, start));
                let lower = RowCoefficients::new::<_, ORDER>(simd, corners, &x, z.below);
                let upper = RowCoefficients::new::<_, ORDER>(simd, corners, &x, z.above);
                let (cell, height) = (CellPolynomial::new(&lower, &upper), z.heights());
                if ORDER == 2 {
                    add_jets::<S>(simd, &cell, &height, parameters, sums);
                    continue;
                }
                if let Some(term) = parameters.term {
                    add_terms::<S, ORDER>(simd, &cell, &height, parameters, term, sums, weights);
                    continue;
                }
                put_either(simd, first, sums, 0, cell.value(&height));
                if ORDER >= 1 {
                    put_either(simd, first, sums, 1, cell.dx(&height) * slope);
                    put_either(simd, first, sums, 2, cell.dz(&height) * slope);
                }
            }
        },
    );
}
