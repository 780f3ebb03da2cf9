//! Passes of noise with second derivatives, and of a fractal's terms.

use fearless_simd::Simd;

use crate::kernel::corners::LaneCorners;
use crate::kernel::lattice::accumulators::Accumulators;
use crate::kernel::lattice::octave_passes::{Part, write_strip};
use crate::kernel::lattice::octave_terms::OctaveTerm;
use crate::kernel::lattice::row::{AxisLanes, Ramps};
use crate::kernel::lattice::row_writers::{AddJets, AddTerms};
use crate::kernel::tables::OctaveTable;

/// Adds noise with its second derivatives.
pub(super) fn add_jets<S: Simd, C: LaneCorners>(
    simd: S,
    corners: &C,
    OctaveTable { columns, rows, parameters, .. }: &OctaveTable,
    part: &Part,
    Accumulators { sums, stride, .. }: &mut Accumulators,
) {
    simd.vectorize(
        #[inline(always)]
        || {
            let ramps = Ramps::new(AxisLanes::consecutive::<2>(simd, columns, part.column));
            let heights = rows.heights[part.rows.clone()].iter();
            let sums = heights.zip(sums.chunks_exact_mut(*stride));
            let writer = AddJets { rows: sums, parameters };
            write_strip::<S, C, _, 2>(simd, corners, &ramps, rows, writer);
        },
    );
}

/// Adds the terms of a fractal.
pub(super) fn add_terms<S: Simd, C: LaneCorners, const ORDER: u8>(
    simd: S,
    corners: &C,
    OctaveTable { columns, rows, parameters, .. }: &OctaveTable,
    part: &Part,
    Accumulators { sums, weights, stride }: &mut Accumulators,
    term: (OctaveTerm, f32),
) {
    simd.vectorize(
        #[inline(always)]
        || {
            let ramps = Ramps::new(AxisLanes::consecutive::<ORDER>(simd, columns, part.column));
            let heights = rows.heights[part.rows.clone()].iter();
            let sums = heights.zip(sums.chunks_exact_mut(*stride));
            let sums = sums.zip(weights.chunks_exact_mut(*stride));
            let writer = AddTerms { rows: sums, parameters, term };
            write_strip::<S, C, _, ORDER>(simd, corners, &ramps, rows, writer);
        },
    );
}
