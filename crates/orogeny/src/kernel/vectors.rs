//! Places in two dimensions, a vector at a time.

use core::ops::Range;

use fearless_simd::Simd;
use fearless_simd::prelude::*;

use crate::kernel::Where;
use crate::kernel::position::{Coordinates, OnGrid, Positions, Scattered};

/// What is done with a vector of places.
pub(super) trait Visit<S: Simd> {
    /// `range` are the indices of the places: the first lanes, where there are fewer of them than
    /// lanes.
    fn visit(&mut self, simd: S, x: Positions<S>, z: Positions<S>, range: Range<usize>);
}

/// Visits all places: on a grid no vector spans two rows.
#[inline(always)]
pub(super) fn each_vector<S: Simd>(simd: S, places: Where, visitor: &mut impl Visit<S>) {
    let [width, height] = match places {
        Where::Grid(grid) => grid.size,
        Where::Points(points) => [points.len() / 2, 1],
    };
    for row in 0..height {
        for column in (0..width).step_by(S::f32s::LEN) {
            // A choice for each vector, so that there is one copy of what is done with it.
            let [x, z] = match places {
                Where::Grid(grid) => {
                    let z = [S::f64s::splat(simd, grid.coordinate(1, row)); 2];
                    [OnGrid { grid, axis: 0 }.lanes(simd, column), z]
                }
                Where::Points(points) => [
                    Scattered { points, axis: 0 }.lanes(simd, column),
                    Scattered { points, axis: 1 }.lanes(simd, column),
                ],
            };
            let start = row * width + column;
            visitor.visit(simd, x, z, start..start + S::f32s::LEN.min(width - column));
        }
    }
}
