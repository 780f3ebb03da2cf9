//! Visits the positions of a fill, one vector at a time.

use core::ops::Range;

use fearless_simd::Simd;
use fearless_simd::prelude::*;

use crate::kernel::PlanePositions;
use crate::kernel::positions::CoordinateLanes;

/// The action for each vector of positions.
pub(super) trait Visit<S: Simd> {
    /// `range` has the indices of the positions. If it is shorter than a vector, only the first
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
        PlanePositions::Grid(grid) => grid.size,
        PlanePositions::Scattered(points) => [points.len() / 2, 1],
    };
    for row in 0..height {
        for column in (0..width).step_by(S::f32s::LEN) {
            // Matched for each vector, so that `visit` is compiled only once.
            let x = positions.lanes(simd, 0, column);
            let z = match positions {
                PlanePositions::Grid(grid) => [S::f64s::splat(simd, grid.coordinate(1, row)); 2],
                PlanePositions::Scattered(_) => positions.lanes(simd, 1, column),
            };
            let start = row * width + column;
            visitor.visit(simd, x, z, start..start + S::f32s::LEN.min(width - column));
        }
    }
}
