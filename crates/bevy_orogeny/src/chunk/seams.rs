//! How gaps between chunks of different levels are closed.

use bevy_ecs::prelude::*;
use orogeny::{Grid, Samples};

use crate::chunk::height_field::HeightField;

/// How gaps between chunks of different levels are closed. On a terrain it applies to the chunks
/// that are built next, on a chunk to its mesh.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Seams {
    /// Gaps stay open: for servers, which draw nothing.
    #[default]
    Open,
    /// Skirts hang down from the border, as deep as the finer and the coarser edge differ. For
    /// materials that were not written for chunks.
    Skirts,
    /// Vertices geomorph in the vertex shader, which reads
    /// [`ATTRIBUTE_VERTEX`](crate::advanced::ATTRIBUTE_VERTEX).
    Morph,
}

/// How deep skirts must hang: the largest distance, in metres, between the edges of the grid and
/// those of neighbours one level finer or coarser. Also whether no height at the edges is infinite.
///
/// Each edge is sampled at half the spacing. Every other sample is a vertex; those between are
/// vertices of a finer neighbour. Vertices with odd indices lie between those of a coarser
/// neighbour.
pub(super) fn skirt_depth(
    field: &dyn HeightField,
    grid: &Grid<2>,
    edge: &mut Samples<2>,
) -> (f32, bool) {
    let [nx, nz] = grid.size;
    let [right, far] = [grid.coordinate(0, nx - 1), grid.coordinate(1, nz - 1)];
    let [x, z] = grid.origin;
    let sides = [
        ([x, z], [2 * nx - 1, 1]),
        ([x, far], [2 * nx - 1, 1]),
        ([x, z], [1, 2 * nz - 1]),
        ([right, z], [1, 2 * nz - 1]),
    ];
    let (mut depth, mut finite) = (0f32, true);
    for (origin, size) in sides {
        field.sample_grid(&Grid::new(origin, grid.spacing[0] / 2.0, size), edge);
        let heights = edge.values();
        finite &= !heights.iter().any(|height| height.is_infinite());
        for stride in [1, 2] {
            for i in (stride..heights.len() - stride).step_by(2 * stride) {
                let line = 0.5 * (heights[i - stride] + heights[i + stride]);
                let gap = (heights[i] - line).abs();
                if gap.is_finite() {
                    depth = depth.max(gap);
                }
            }
        }
    }
    // Slightly deeper, for the rounding of the rasteriser. Limited, so that a skirt can hang down
    // from any height.
    ((1.01 * depth + 0.01 * grid.spacing[0] as f32).min(1e30), finite)
}
