//! Visits the positions of a fill, one vector at a time.

use core::ops::Range;

use fearless_simd::Simd;
use fearless_simd::prelude::*;

use crate::kernel::KernelPositions;
use crate::kernel::positions::{CoordinateLanes, scattered_lanes};

/// The action for each vector of positions.
pub(super) trait Visit<S: Simd> {
    /// `range` has the indices of the positions. If it is shorter than a vector, only the first
    /// lanes count.
    fn visit(&mut self, simd: S, x: CoordinateLanes<S>, z: CoordinateLanes<S>, range: Range<usize>);
}

/// Visits all positions in the plane. On a grid, no vector spans two rows.
#[inline(always)]
pub(super) fn each_vector<S: Simd>(
    simd: S,
    positions: KernelPositions,
    visitor: &mut impl Visit<S>,
) {
    let [width, height] = match positions {
        KernelPositions::Grid(axes) => [0, 1].map(|axis| axes[axis].list().len()),
        KernelPositions::Scattered { .. } => [positions.len(), 1],
    };
    for row in 0..height {
        for column in (0..width).step_by(S::f32s::LEN) {
            // Matched for each vector, so that `visit` is compiled only once.
            let (x, z) = match positions {
                KernelPositions::Grid(axes) => {
                    let z = S::f64s::splat(simd, axes[1].list()[row]);
                    (axes[0].lanes(simd, column), [z; 2])
                }
                KernelPositions::Scattered { points, .. } => (
                    scattered_lanes(simd, points, 0, column),
                    scattered_lanes(simd, points, 1, column),
                ),
            };
            let start = row * width + column;
            visitor.visit(simd, x, z, start..start + S::f32s::LEN.min(width - column));
        }
    }
}
