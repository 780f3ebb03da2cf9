//! Fills a grid, or scattered points, with a sum of octaves of lattice noise.

use alloc::sync::Arc;

use fearless_simd::Simd;

use crate::kernel::lattice::octave_terms::OctaveTerm;
use crate::kernel::lattice::rotation::Rotation;
use crate::kernel::lattice::{bands, points};
use crate::kernel::tables::KernelTables;
use crate::kernel::{KernelPositions, MAX_DIMENSIONS, OutputSlices, space};
use crate::lattice::fade::Fade;
use crate::lattice::hash::Key;
use crate::lattice::{CornerLookup, CornerRule};
use crate::simd::dispatch;

/// One octave of lattice noise, prepared when the field is built. Axes that it does not have are
/// unused.
#[derive(Clone, Debug)]
pub(crate) struct LatticeOctave {
    pub frequency: f64,
    /// The fraction of a cell that is added to position * frequency.
    pub offset: [f64; MAX_DIMENSIONS],
    pub fade: Fade,
    pub lattice: Arc<dyn CornerLookup>,
    /// The keys of the axes, if lattice lines are hashed and not periodic.
    pub keys: Option<[Key; MAX_DIMENSIONS]>,
    pub corners: CornerRule,
    /// Whether corners have values.
    pub has_values: bool,
    pub amplitude: f32,
    /// The factor of the gradient. Zero leaves the gradient of the sum as it is.
    pub slope: f32,
    /// The term that a fractal makes of the octave, and its amplitude. `None` adds the octave as it
    /// is. Second derivatives require `None`.
    pub term: Option<(OctaveTerm, f32)>,
    /// Applied to positions before the noise.
    pub rotation: Option<Rotation>,
}

/// Writes the sum of `octaves`, in two to four dimensions, to `out`. Second derivatives and terms
/// require two.
pub(crate) fn fill(
    octaves: &[LatticeOctave],
    positions: KernelPositions,
    tables: &mut KernelTables,
    out: OutputSlices,
) {
    let level = tables.level;
    match positions.dimensions() {
        3 => return space::fill::<3>(octaves, positions, tables, out),
        4 => return space::fill::<4>(octaves, positions, tables, out),
        _ => {}
    }
    let OutputSlices { value, slopes, bends } = out;
    match (slopes, bends) {
        (Some([dx, dz, ..]), Some([xx, xz, zz])) => {
            let out = [value, dx, dz, xx, xz, zz];
            dispatch!(level, simd => fill_with::<_, 2>(simd, octaves, positions, tables, out));
        }
        (Some([dx, dz, ..]), None) => {
            let out = [value, dx, dz, &mut [], &mut [], &mut []];
            dispatch!(level, simd => fill_with::<_, 1>(simd, octaves, positions, tables, out));
        }
        (None, _) => {
            let out = [value, &mut [], &mut [], &mut [], &mut [], &mut []];
            dispatch!(level, simd => fill_with::<_, 0>(simd, octaves, positions, tables, out));
        }
    }
}

/// `ORDER` 0 writes values, 1 also gradients, 2 also second derivatives.
fn fill_with<S: Simd, const ORDER: u8>(
    simd: S,
    octaves: &[LatticeOctave],
    positions: KernelPositions,
    tables: &mut KernelTables,
    out: [&mut [f32]; 6],
) {
    simd.vectorize(
        #[inline(always)]
        || match positions {
            // The rows of rotated octaves are not those of the grid.
            KernelPositions::Grid(axes) if octaves.iter().all(|o| o.rotation.is_none()) => {
                tables.prepare(octaves.len());
                let KernelTables { octaves: octave_tables, accumulators, .. } = tables;
                for (i, (octave, table)) in octaves.iter().zip(&mut *octave_tables).enumerate() {
                    table.fill(simd, octave, i == 0, axes, ORDER == 2);
                    table.rows.find_heights();
                }
                let octave_tables = &mut octave_tables[..octaves.len()];
                bands::fill::<S, ORDER>(simd, octaves, octave_tables, accumulators, out);
            }
            _ => {
                tables.prepare(1);
                points::fill::<S, ORDER>(simd, octaves, positions, tables, out);
            }
        },
    );
}
