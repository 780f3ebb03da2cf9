//! Passes of the default noise: the hashed lattice with even directions, added as it is.

use fearless_simd::Simd;

use crate::kernel::accumulators::Accumulators;
use crate::kernel::axis_table::{AxisTable, RowHeight};
use crate::kernel::corners::LaneCorners;
use crate::kernel::directions::Directions;
use crate::kernel::lattice_row::{AxisLanes, Ramps};
use crate::kernel::octave_passes::{Part, write_strip};
use crate::kernel::row_writers::{AddNoise, GridRow, OutputRow};
use crate::kernel::tables::{OctaveParameters, OctaveTable};

/// Adds the default noise.
pub(super) fn add_default<S: Simd, const ORDER: u8>(
    simd: S,
    corners: &Directions,
    OctaveTable { columns, rows, parameters }: &OctaveTable,
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
            add_noise::<S, _, _, _, ORDER>(simd, corners, &ramps, rows, parameters, sums);
        },
    );
}

/// Adds it as the last octave, and writes the finished rows to the grid.
pub(super) fn finish_default<S: Simd, const ORDER: u8>(
    simd: S,
    corners: &Directions,
    OctaveTable { columns, rows, parameters }: &OctaveTable,
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
                add_noise::<S, _, _, _, ORDER>(simd, corners, &ramps, rows, parameters, finished);
            } else {
                let dx = dx[band.clone()].chunks_exact_mut(width);
                let dz = dz[band].chunks_exact_mut(width);
                let finished = sums.zip(dx.zip(dz)).map(|(((height, sums), value), (dx, dz))| {
                    (height, GridRow { sums, out: [value, dx, dz], column })
                });
                add_noise::<S, _, _, _, ORDER>(simd, corners, &ramps, rows, parameters, finished);
            }
        },
    );
}

/// Adds noise as it is.
#[inline(always)]
fn add_noise<'a, S: Simd, C: LaneCorners, I, R: OutputRow, const ORDER: u8>(
    simd: S,
    corners: &C,
    ramps: &Ramps<S>,
    table: &AxisTable,
    parameters: &OctaveParameters,
    rows: I,
) where
    I: Iterator<Item = (&'a RowHeight, R)>,
{
    let slope = parameters.slope;
    if parameters.first {
        let writer = AddNoise::<_, true> { rows, slope };
        write_strip::<S, C, _, ORDER>(simd, corners, ramps, table, writer);
    } else {
        let writer = AddNoise::<_, false> { rows, slope };
        write_strip::<S, C, _, ORDER>(simd, corners, ramps, table, writer);
    }
}
