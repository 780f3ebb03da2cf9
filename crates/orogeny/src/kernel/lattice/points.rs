//! Fills points that have two lattice rows each: scattered points, and grids of rotated octaves.

use fearless_simd::Simd;
use fearless_simd::prelude::*;

use crate::kernel::lattice::accumulators::{Accumulators, components};
use crate::kernel::lattice::bands::copy;
use crate::kernel::lattice::octave_passes::{Part, add_to_points};
use crate::kernel::lattice::octaves::LatticeOctave;
use crate::kernel::tables::KernelTables;
use crate::kernel::{Coordinates, KernelPositions, MAX_DIMENSIONS};

/// Points are filled in blocks of this many, so that their sums stay in the L1 cache.
pub(in crate::kernel) const BLOCK: usize = 256;

/// Fills positions in the plane.
#[inline(always)]
pub(in crate::kernel) fn fill<S: Simd, const ORDER: u8>(
    simd: S,
    octaves: &[LatticeOctave],
    positions: KernelPositions,
    tables: &mut KernelTables,
    mut out: [&mut [f32]; 6],
) {
    let KernelTables { octaves: tables, accumulators, block: [block, rotated], .. } = tables;
    let Some(table) = tables.first_mut() else { return };
    let (lanes, len) = (S::f32s::LEN, positions.len());
    let mut sums = Accumulators::new(accumulators, BLOCK / lanes, components(ORDER) * lanes);
    for start in (0..len).step_by(BLOCK) {
        let count = BLOCK.min(len - start);
        positions.block(simd, start..start + count, &mut block[..2]);
        let part = Part { column: 0, rows: 0..count };
        for (i, octave) in octaves.iter().enumerate() {
            let coordinates = rotated_block::<S, 2>(simd, octave, block, rotated);
            table.fill(simd, octave, i == 0, &coordinates[..2], ORDER == 2);
            add_to_points::<S, ORDER>(simd, octave, table, &part, false, &mut sums);
        }
        let starts = (start..start + count).step_by(lanes);
        for (at, sums) in starts.zip(sums.sums.chunks_exact(sums.stride)) {
            let end = (at + lanes).min(start + count);
            for (vector, out) in sums.chunks_exact(lanes).zip(&mut out) {
                copy::<S>(vector, &mut out[at..end]);
            }
        }
    }
}

/// The coordinates of a block as an octave in N dimensions samples them.
#[inline(always)]
pub(in crate::kernel) fn rotated_block<'a, S: Simd, const N: usize>(
    simd: S,
    octave: &LatticeOctave,
    block: &'a [Coordinates; MAX_DIMENSIONS],
    rotated: &'a mut [Coordinates; MAX_DIMENSIONS],
) -> &'a [Coordinates; MAX_DIMENSIONS] {
    let Some(rotation) = &octave.rotation else { return block };
    simd.vectorize(
        #[inline(always)]
        || rotation.apply::<S, N>(simd, block, rotated),
    );
    rotated
}
