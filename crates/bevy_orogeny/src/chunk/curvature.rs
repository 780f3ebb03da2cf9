//! The curvature at a chunk's vertices, for the selection of cover.
//!
//! Its scale is [`CoverPoint::SCALE`], or four cells of the level if that is wider. It is computed
//! from the field band-limited to the scale, on a grid of that spacing which all chunks share, and
//! interpolated to the vertices.
//!
//! Of ground with rivers, it has those that are at least two scales apart: the slopes of others are
//! not in its gradient, so their network, which costs most, is left out.

use bevy_mesh::{MeshVertexAttribute, VertexFormat};
use orogeny::cover::CoverPoint;
use orogeny::{Field, Grid, Samples, SharedField};

use crate::chunk::height_field::{HeightField, limited};
use crate::chunk::key::Layout;
use crate::slices::Pace;

/// The curvature at a vertex of a chunk that geomorphs, and that of its target vertex at the next
/// coarser level, in 1/m. Limited to -1 to 1.
pub const ATTRIBUTE_CURVATURE: MeshVertexAttribute = MeshVertexAttribute::new(
    "Vertex_TerrainCurvature",
    0x006f_726f_6765_6e02,
    VertexFormat::Snorm16x2,
);

/// The smallest scale, in cells of a level.
const CELLS: f64 = 4.0;

/// The scale of the curvature at a level in metres: a power of two.
pub(crate) fn scale(layout: &Layout, lod: u8) -> f64 {
    CoverPoint::SCALE.max(CELLS * layout.spacing(lod))
}

/// The field whose curvature is that of a scale. `None` if that is the field itself.
pub(crate) fn smooth(field: &dyn HeightField, scale: f64) -> Option<SharedField<2>> {
    limited(field, 2.0 * scale, scale)
}

/// `side` by `side` vertices, `spacing` apart, from `origin` on, and the scale of their curvature.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Points {
    pub scale: f64,
    pub origin: [f64; 2],
    pub spacing: f64,
    pub side: usize,
}

/// Scratch buffers.
#[derive(Default)]
pub(crate) struct Curvatures {
    slopes: Samples<2>,
    /// The curvatures on the shared grid.
    coarse: Vec<f32>,
    /// For each column of vertices, the column of the shared grid to its left, and the fraction of
    /// the way from there to the next.
    columns: Vec<(usize, f32)>,
    /// The curvatures at the columns of vertices, along the rows of the shared grid.
    rows: Vec<f32>,
    /// The curvatures at the vertices, row by row.
    values: Vec<f32>,
    /// `values`, packed.
    packed: Vec<i16>,
}

impl Curvatures {
    /// The curvatures of the last fill, in the format of [`ATTRIBUTE_CURVATURE`].
    pub fn packed(&self) -> &[i16] {
        &self.packed
    }

    /// Computes the curvatures at some vertices.
    pub async fn fill(
        &mut self,
        field: &(impl Field<2> + Sync + ?Sized),
        Points { scale, origin, spacing, side }: Points,
        pace: Pace,
    ) {
        let Self { slopes, coarse, columns, rows, values, packed } = self;
        let start = origin.map(|x| (x / scale).floor() * scale);
        // The first vertex, and the step to the next, in cells of the shared grid. Both are exact,
        // since all spacings are powers of two.
        let first = [0, 1].map(|k| (origin[k] - start[k]) / scale);
        let step = spacing / scale;
        let cells = first.map(|first| ((first + step * (side - 1) as f64).ceil() as usize).max(1));
        let [nx, nz] = cells.map(|cells| cells + 1);
        let grid = Grid::new(start.map(|x| x - scale), scale, [nx + 2, nz + 2]);
        pace.sample_grid(field, &grid, slopes).await;

        let [along_x, along_z] = [slopes.derivatives(0), slopes.derivatives(1)];
        let (width, factor) = (nx + 2, (4.0 * scale).recip() as f32);
        coarse.clear();
        for j in 1..=nz {
            coarse.extend((1..=nx).map(|i| {
                let at = j * width + i;
                let bend_x = along_x[at + 1] - along_x[at - 1];
                let bend_z = along_z[at + width] - along_z[at - width];
                (bend_x + bend_z) * factor
            }));
        }

        columns.clear();
        columns.extend((0..side).map(|i| cell(first[0] + step * i as f64, cells[0])));
        rows.clear();
        for row in coarse.chunks_exact(nx) {
            rows.extend(columns.iter().map(|&(k, t)| mix(row[k], row[k + 1], t)));
        }
        values.clear();
        for j in 0..side {
            let (k, t) = cell(first[1] + step * j as f64, cells[1]);
            let (above, below) = rows[k * side..][..2 * side].split_at(side);
            values.extend(above.iter().zip(below).map(|(a, b)| mix(*a, *b, t)));
        }
        packed.clear();
        packed.extend(values.iter().map(|&curvature| pack(curvature)));
    }
}

/// Linear interpolation from a to b, exact at both ends.
fn mix(a: f32, b: f32, t: f32) -> f32 {
    a * (1.0 - t) + b * t
}

/// The cell of a coordinate on an axis with `cells` cells, and the position within the cell.
fn cell(at: f64, cells: usize) -> (usize, f32) {
    let cell = (at as usize).min(cells - 1);
    (cell, (at - cell as f64) as f32)
}

/// Rounds to the nearest multiple of 1/32,767. NaN becomes 0.
fn pack(curvature: f32) -> i16 {
    // Adding this rounds the number of steps into the lowest bits, without a function call.
    const ONES: f32 = (3 << 22) as f32;
    let curvature = if curvature.is_nan() { 0.0 } else { curvature.clamp(-1.0, 1.0) };
    (curvature * 32_767.0 + ONES).to_bits() as i16
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chunk::key::ChunkKey;

    fn fill(curvatures: &mut Curvatures, field: &(impl Field<2> + Sync + ?Sized), points: Points) {
        bevy_tasks::block_on(curvatures.fill(field, points, Pace::AtOnce));
    }

    /// On the shared grid, the curvatures of chunks of all levels equal those of a query.
    /// Neighbouring chunks agree on their border.
    #[test]
    fn chunks_and_queries_have_the_same_curvature() {
        let layout = Layout { cells: 16, spacing: 1.0 };
        let field = crate::Terrain::default().build().unwrap();
        let [mut one, mut other] = [Curvatures::default(), Curvatures::default()];
        for lod in 0..6 {
            let scale = scale(&layout, lod);
            let limited = field.band_limited(scale).unwrap();
            let spacing = layout.spacing(lod);
            let origin = layout.origin(ChunkKey { lod, x: -7, z: 1 << 30 });
            fill(&mut one, &*limited, Points { scale, origin, spacing, side: 17 });
            let values = &one.values;
            assert!(values.iter().all(|&c| c != 0.0 && c.is_finite()));
            let stride = (scale / spacing) as usize;
            for (j, i) in
                (0..17).step_by(stride).flat_map(|j| (0..17).step_by(stride).map(move |i| (j, i)))
            {
                let position = [origin[0] + i as f64 * spacing, origin[1] + j as f64 * spacing];
                assert_eq!(
                    values[j * 17 + i],
                    CoverPoint::curvature_of(&limited, position, scale),
                    "{lod} {i} {j}"
                );
            }
            let adjacent = [origin[0] + 16.0 * spacing, origin[1]];
            fill(&mut other, &*limited, Points { scale, origin: adjacent, spacing, side: 17 });
            let next = &other.values;
            (0..17).for_each(|j| assert_eq!(values[j * 17 + 16], next[j * 17]));
        }
    }

    /// Chunks narrower than the scale lie within one cell of the shared grid.
    #[test]
    fn small_chunks_interpolate() {
        let layout = Layout { cells: 8, spacing: 0.125 };
        let field = crate::Terrain::default().build().unwrap();
        let limited = field.band_limited(scale(&layout, 0)).unwrap();
        let mut all = Curvatures::default();
        // The cell from (8, -8) on is eight chunks wide.
        let corner = CoverPoint::curvature_of(&limited, [16.0, 0.0], 8.0);
        let points = Points { scale: 8.0, origin: [15.0, -1.0], spacing: 0.125, side: 9 };
        fill(&mut all, &*limited, points);
        assert_eq!(all.values[80], corner);
    }

    #[test]
    fn packing_keeps_what_is_finite() {
        assert_eq!([0.0, f32::NAN, f32::from_bits(0x7fc0_7fff)].map(pack), [0; 3]);
        assert_eq!([2.0, -1.0].map(pack), [32_767, -32_767]);
        assert_eq!([0.01, -0.01].map(pack), [328, -328]);
    }
}
