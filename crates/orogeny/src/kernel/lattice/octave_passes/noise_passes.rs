//! Passes of plain noise.

use fearless_simd::Simd;

use crate::kernel::corners::LaneCorners;
use crate::kernel::lattice::accumulators::Accumulators;
use crate::kernel::lattice::octave_passes::{Part, write_strip};
use crate::kernel::lattice::row::{AxisLanes, Ramps};
use crate::kernel::lattice::row_writers::{AddNoise, GridRow};
use crate::kernel::tables::OctaveTable;

/// Adds the noise.
pub(super) fn add_noise<S: Simd, C: LaneCorners, const ORDER: u8>(
    simd: S,
    corners: &C,
    OctaveTable { columns, rows, parameters, .. }: &OctaveTable,
    part: &Part,
    Accumulators { sums, stride, .. }: &mut Accumulators,
) {
    simd.vectorize(
        #[inline(always)]
        || {
            let ramps = Ramps::new(AxisLanes::consecutive::<ORDER>(simd, columns, part.column));
            // One iterator for the whole strip. The finest octaves have one sample row between
            // lattice rows; an iterator for each would cost as much as that row.
            let sums = rows.heights[part.rows.clone()].iter().zip(sums.chunks_exact_mut(*stride));
            let writer = AddNoise::new(sums, parameters);
            write_strip::<S, C, _, ORDER>(simd, corners, &ramps, rows, writer);
        },
    );
}

/// Adds the noise as the last octave, and writes the finished rows to the grid.
pub(super) fn finish_noise<S: Simd, C: LaneCorners, const ORDER: u8>(
    simd: S,
    corners: &C,
    OctaveTable { columns, rows, parameters, .. }: &OctaveTable,
    part: &Part,
    Accumulators { sums, stride, .. }: &mut Accumulators,
    out: &mut [&mut [f32]; 6],
) {
    simd.vectorize(
        #[inline(always)]
        || {
            let ramps = Ramps::new(AxisLanes::consecutive::<ORDER>(simd, columns, part.column));
            let (column, width) = (part.column, columns.len);
            let band = part.rows.start * width..part.rows.end * width;
            let [value, dx, dz, ..] = out;
            let sums = rows.heights[part.rows.clone()].iter().zip(sums.chunks_exact(*stride));
            let sums = sums.zip(value[band.clone()].chunks_exact_mut(width));
            if ORDER == 0 {
                let finished = sums.map(|((height, sums), value)| {
                    (height, GridRow { sums, out: [value, &mut [], &mut []], column })
                });
                let writer = AddNoise::new(finished, parameters);
                write_strip::<S, C, _, ORDER>(simd, corners, &ramps, rows, writer);
            } else {
                let dx = dx[band.clone()].chunks_exact_mut(width);
                let dz = dz[band].chunks_exact_mut(width);
                let finished = sums.zip(dx.zip(dz)).map(|(((height, sums), value), (dx, dz))| {
                    (height, GridRow { sums, out: [value, dx, dz], column })
                });
                let writer = AddNoise::new(finished, parameters);
                write_strip::<S, C, _, ORDER>(simd, corners, &ramps, rows, writer);
            }
        },
    );
}
