//! The pass of points that each have two lattice rows of their own.

use fearless_simd::Simd;
use fearless_simd::prelude::*;

use crate::kernel::corners::LaneCorners;
use crate::kernel::lattice::accumulators::{Accumulators, put_either};
use crate::kernel::lattice::octave_passes::Part;
use crate::kernel::lattice::row::{AxisLanes, CellPolynomial, Ramps, RowCoefficients};
use crate::kernel::lattice::row_writers::{add_jets, add_terms};
use crate::kernel::tables::OctaveTable;

/// Adds an octave to points that each have two lattice rows of their own.
pub(super) fn add_points<S: Simd, C: LaneCorners, const ORDER: u8>(
    simd: S,
    corners: &C,
    OctaveTable { columns, rows, parameters, .. }: &OctaveTable,
    part: &Part,
    is_column: bool,
    Accumulators { sums, weights, stride }: &mut Accumulators,
) {
    simd.vectorize(
        #[inline(always)]
        || {
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
                    let [dx, dz] = parameters.gradient(&cell, &height);
                    put_either(simd, first, sums, 1, dx);
                    put_either(simd, first, sums, 2, dz);
                }
            }
        },
    );
}
