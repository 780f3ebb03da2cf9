//! Places in two dimensions, a vector at a time.

use core::ops::Range;

use fearless_simd::Simd;
use fearless_simd::prelude::*;

use crate::kernel::Where;
use crate::kernel::position::{Coordinates, OnGrid, Positions, Scattered};

/// What is done with a vector of places.
pub(super) trait Visit<S: Simd> {
    /// `range` are the indices of the places: the first lanes, where there are fewer of them than lanes.
    fn visit(&mut self, simd: S, x: Positions<S>, z: Positions<S>, range: Range<usize>);
}

/// Visits all places: on a grid no vector spans two rows.
#[inline(always)]
pub(super) fn each_vector<S: Simd>(simd: S, places: Where, visitor: &mut impl Visit<S>) {
    match places {
        Where::Grid(grid) => {
            let [width, height] = grid.size;
            let columns = OnGrid { grid, axis: 0 };
            for row in 0..height {
                let z = [S::f64s::splat(simd, grid.coordinate(1, row)); 2];
                for column in (0..width).step_by(S::f32s::LEN) {
                    let start = row * width + column;
                    let end = start + S::f32s::LEN.min(width - column);
                    visitor.visit(simd, columns.lanes(simd, column), z, start..end);
                }
            }
        }
        Where::Points(points) => {
            let count = points.len() / 2;
            let [x, z] = [0, 1].map(|axis| Scattered { points, axis });
            for start in (0..count).step_by(S::f32s::LEN) {
                let end = count.min(start + S::f32s::LEN);
                visitor.visit(simd, x.lanes(simd, start), z.lanes(simd, start), start..end);
            }
        }
    }
}
