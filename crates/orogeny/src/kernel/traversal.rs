//! Visits the positions of a fill, one vector at a time.

use core::ops::Range;

use fearless_simd::Simd;
use fearless_simd::prelude::*;

use crate::kernel::PlanePositions;
use crate::kernel::positions::CoordinateLanes;

/// What to do with each vector of positions.
pub(super) trait Visit<S: Simd> {
    /// `range` holds the indices of the positions. If it is shorter than a vector, only the first
    /// lanes count.
    fn visit(&mut self, simd: S, x: CoordinateLanes<S>, z: CoordinateLanes<S>, range: Range<usize>);
}

/// Visits all positions. On a grid, no vector spans two rows.
#[inline(always)]
pub(super) fn each_vector<S: Simd>(
    simd: S,
    positions: PlanePositions,
    visitor: &mut impl Visit<S>,
) {
    let [width, height] = match positions {
        PlanePositions::Grid(_) => [0, 1].map(|axis| positions.len(axis)),
        PlanePositions::Scattered(points) => [points.len() / 2, 1],
    };
    for row in 0..height {
        for column in (0..width).step_by(S::f32s::LEN) {
            // Matched for every vector, so that `visit` is compiled once.
            let x = positions.lanes(simd, 0, column);
            let z = match positions {
                PlanePositions::Grid(_) => [S::f64s::splat(simd, positions.coordinate(1, row)); 2],
                PlanePositions::Scattered(_) => positions.lanes(simd, 1, column),
            };
            let start = row * width + column;
            visitor.visit(simd, x, z, start..start + S::f32s::LEN.min(width - column));
        }
    }
}
