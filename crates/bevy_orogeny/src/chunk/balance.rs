//! Heights of far levels that lie as far above the ground as below it.
//!
//! Triangles between vertices on the ground cut off all crests and fill all valleys. So from some
//! level on, a vertex moves by the mean distance of the ground from the middles of its six edges,
//! as far as its neighbours show it: by -1/24 of the sum of their heights relative to its own,
//! which is exact where the ground is a parabola. The largest distances of the ground from the
//! triangles become smaller by 7 to 30 %, and the mean height of crests is that of the ground.
//!
//! A vertex that has a hole next to it stays on the ground, since it has no such mean. The walls of
//! a void stand a cell farther out, on the ground: they are off by as much as vertices there move.

use orogeny::{Grid, Sample, Samples};

use crate::chunk::height_field::is_ground;
use crate::chunk::relief::Relief;

/// The finest level that is balanced: of chunks of 32 cells, with vertices 1 m apart at level 0, it
/// is drawn from some hundred metres on.
pub(super) const FINEST: u8 = 3;

/// A proven bound on how far a vertex moves, given that on the distance of the ground from the
/// triangles of the next coarser level: the middle of an edge of those is a vertex.
pub(crate) fn reach(error_of_next_level: f64) -> f64 {
    error_of_next_level / 4.0
}

/// The error of balanced levels, relative to that with vertices on the ground: see the test
/// `of_1000_points_in_view_999_keep_the_pixel_error`.
const SMALLER: f64 = 0.87;

/// The relief of a balanced level, given that with vertices on the ground.
pub(super) fn relief(lod: u8, relief: Relief) -> Relief {
    // The next finer level is not balanced.
    let shrinking = if lod == FINEST { relief.shrinking / SMALLER } else { relief.shrinking };
    Relief { error: SMALLER * relief.error, shrinking: shrinking.min(1.0), ..relief }
}

/// The grid with another vertex at each end of its sides.
pub(super) fn surroundings(grid: &Grid<2>) -> Grid<2> {
    let &Grid { origin: [x, z], spacing: [dx, dz], size: [width, depth], .. } = grid;
    Grid { origin: [x - dx, z - dz], size: [width + 2, depth + 2], ..*grid }
}

/// The samples of the vertices of a grid with their heights balanced, given those of its
/// [`surroundings`] with `width` vertices in a row.
pub(super) fn balance(around: &Samples<2>, width: usize, out: &mut Samples<2>) {
    let heights = around.values();
    let rows = 1..heights.len() / width - 1;
    out.write(rows.flat_map(|j| {
        (1..width - 1).map(move |i| {
            let at = j * width + i;
            let Sample { value, gradient } = around.get(at);
            // Cells are split along the diagonal from (0, 0) to (1, 1).
            let next = [at - width - 1, at - width, at - 1, at + 1, at + width, at + width + 1];
            let rise: f32 = next.iter().map(|&next| heights[next] - value).sum();
            let balanced = value - rise / 24.0;
            Sample { value: if is_ground(balanced) { balanced } else { value }, gradient }
        })
    }));
}

/// The heights of the vertices themselves, row by row, `width` apart.
pub(super) fn inner(around: &Samples<2>, width: usize) -> &[f32] {
    &around.values()[width + 1..]
}

#[cfg(test)]
mod tests {
    use orogeny::{Field, Landscape};

    use super::*;
    use crate::chunk::key::{ChunkKey, Layout};
    use crate::chunk::mesh_tests::{attribute, build, field, holey_field};
    use crate::chunk::seams::Seams;

    const LAYOUT: Layout = Layout { cells: 16, spacing: 1.0 };

    /// The heights of a chunk's vertices above the ground of a field, row by row.
    fn above(field: Landscape, key: ChunkKey) -> Vec<f32> {
        let chunk = build(field.clone(), LAYOUT, Seams::Morph, key);
        let [ox, oz] = LAYOUT.origin(key);
        let positions = attribute(&chunk.mesh, false);
        let ground = |[x, _, z]: [f32; 3]| field.value([ox + f64::from(x), oz + f64::from(z)]);
        positions.iter().map(|&p| p[1] - ground(p)).collect()
    }

    /// On a parabola the middles of edges are on the ground, in the mean.
    #[test]
    fn parabolas_are_met_in_the_mean() {
        let bend = |x: f64, z: f64| (0.01 * (x * x + 0.5 * z * z - 0.7 * x * z)) as f32;
        let grid = Grid::new([24.0, -80.0], 8.0, [9, 9]);
        let at = |x: f64, z: f64| Sample { value: bend(x, z), gradient: [0.0; 2] };
        let wide = surroundings(&grid);
        let (mut around, mut found) = (Samples::new(), Samples::new());
        around.write(wide.points().map(|[x, z]| at(x, z)));
        balance(&around, wide.size[0], &mut found);
        assert_eq!(found.len(), 81);
        let own: Vec<f32> = grid.points().map(|[x, z]| bend(x, z)).collect();
        let rows = inner(&around, 11).chunks(11).take(9).map(|row| &row[..9]);
        assert_eq!(rows.flatten().collect::<Vec<_>>(), own.iter().collect::<Vec<_>>());
        // The mean distance of the ground from the middles of the edges, and from the vertices.
        let vertices: Vec<f32> = found.values().iter().zip(&own).map(|(y, own)| own - y).collect();
        let mut edges = Vec::new();
        for (j, i) in (0..8).flat_map(|j| (0..8).map(move |i| (j, i))) {
            let [x, z] = [24.0 + 8.0 * i as f64, -80.0 + 8.0 * j as f64];
            for (di, dj) in [(1, 0), (0, 1), (1, 1)] {
                let ends = [found.values()[j * 9 + i], found.values()[(j + dj) * 9 + i + di]];
                let middle = bend(x + 4.0 * di as f64, z + 4.0 * dj as f64);
                edges.push(middle - 0.5 * (ends[0] + ends[1]));
            }
        }
        let [vertex, edge] =
            [&vertices, &edges].map(|all| all.iter().sum::<f32>() / all.len() as f32);
        // With vertices on the ground, all edges would be above it, by so much in the mean.
        assert!((vertex - 0.1227).abs() < 1e-3 && edge.abs() < 1e-3, "{vertex} {edge}");
    }

    /// Near levels lie on the ground, and so do vertices beside holes at any level. Chunks that do
    /// not geomorph have vertices of other levels beside them, so they are not balanced either.
    #[test]
    fn some_vertices_stay_on_the_ground() {
        let key = |lod| ChunkKey { lod, x: -3, z: 5 };
        assert!(above(field(), key(FINEST - 1)).iter().all(|&above| above == 0.0));
        let moved = above(field(), key(FINEST));
        assert!(moved.iter().filter(|&&above| above != 0.0).count() > 200, "{moved:?}");
        let proven = reach(field().interpolation_error(LAYOUT.spacing(FINEST + 1))) as f32;
        assert!(moved.iter().all(|above| above.abs() <= proven + 1e-3), "{moved:?} {proven}");
        let key = key(FINEST);
        let open = build(field(), LAYOUT, Seams::Open, key);
        let [ox, oz] = LAYOUT.origin(key);
        for &[x, y, z] in attribute(&open.mesh, false) {
            assert_eq!(y, field().value([ox + f64::from(x), oz + f64::from(z)]));
        }
        let mut beside = 0;
        let width = LAYOUT.cells as usize + 1;
        for x in -20..20 {
            let above = above(Landscape::of(holey_field()), ChunkKey { x, ..key });
            let is_hole = |at: usize| above[at].is_nan();
            let inside = (1..width - 1).flat_map(|j| (1..width - 1).map(move |i| j * width + i));
            for at in inside.filter(|&at| !is_hole(at)) {
                let next = [at - width - 1, at - width, at - 1, at + 1, at + width, at + width + 1];
                if next.into_iter().any(is_hole) {
                    assert_eq!(above[at], 0.0);
                    beside += 1;
                }
            }
        }
        assert!(beside > 20, "{beside}");
    }
}
