//! The mesh of a chunk. A pure function of the field, the layout and the key.
//!
//! Vertices lie on a grid of `cells` + 1 by `cells` + 1 points, heights are the field's values and normals come from its
//! gradient, so that every vertex equals a query at its place. Cells are split along the diagonal from (0, 0) to (1, 1).
//!
//! A skirt hangs from the border. Neighbours that differ by one level share every other vertex; between those, the finer
//! edge leaves the straight coarser one by the distance that is measured here, on both sides of the level. So far
//! down reaches the skirt, and no gap shows.

use std::cell::RefCell;

use bevy_asset::RenderAssetUsages;
use bevy_camera::primitives::Aabb;
use bevy_math::Vec3;
use bevy_mesh::{Indices, Mesh, PrimitiveTopology};
use orogeny::{Field, Grid, Sample, Samples};

use crate::chunk::{ChunkKey, Layout};

/// A field that a terrain can stand on: height in metres over (x, z) in metres.
///
/// Every [`Field`] of two dimensions that threads can share is one.
pub trait HeightField: Field<2> + Send + Sync + 'static {}

impl<F: Field<2> + Send + Sync + 'static> HeightField for F {}

/// What a chunk's task delivers.
#[derive(Debug)]
pub struct ChunkMesh {
    /// Positions, normals and texture coordinates, in metres from the chunk's origin; heights from that of the terrain.
    pub mesh: Mesh,
    /// The box around all vertices.
    pub aabb: Aabb,
    /// Whether every height and slope is finite. Vertices at which they are not lie at height 0.
    pub finite: bool,
}

/// The buffers of one building thread, used again for each chunk.
#[derive(Default)]
struct Scratch {
    surface: Samples<2>,
    edge: Samples<2>,
}

/// The number of triangles of a chunk, skirt included.
pub fn triangles(layout: &Layout) -> usize {
    let cells = layout.cells as usize;
    2 * cells * cells + 8 * cells
}

/// Builds the mesh of a chunk. The layout must keep the limits [`CELLS`](crate::CELLS) and [`SPACING`](crate::SPACING), as that of
/// a [`Terrain`](crate::Terrain) does.
pub fn build(field: &dyn HeightField, layout: &Layout, key: ChunkKey) -> ChunkMesh {
    thread_local!(static SCRATCH: RefCell<Scratch> = RefCell::default());
    SCRATCH.with_borrow_mut(|scratch| build_with(field, layout, key, scratch))
}

fn build_with(
    field: &dyn HeightField,
    layout: &Layout,
    key: ChunkKey,
    scratch: &mut Scratch,
) -> ChunkMesh {
    let spacing = layout.spacing(key.lod);
    let side = layout.cells as usize + 1;
    let grid = Grid { origin: layout.origin(key), spacing, size: [side, side] };
    field.fill(&grid, &mut scratch.surface);

    let count = side * side + 4 * side;
    let mut positions = Vec::with_capacity(count);
    let mut normals = Vec::with_capacity(count);
    let mut uvs = Vec::with_capacity(count);
    let (mut low, mut high, mut finite) = (f32::INFINITY, f32::NEG_INFINITY, true);
    for (index, sample) in scratch.surface.iter().enumerate() {
        let (x, z) =
            ((index % side) as f32 * spacing as f32, (index / side) as f32 * spacing as f32);
        let usable = sample.value.is_finite() && sample.gradient.iter().all(|g| g.is_finite());
        let sample = if usable { sample } else { Sample::default() };
        finite &= usable;
        low = low.min(sample.value);
        high = high.max(sample.value);
        positions.push([x, sample.value, z]);
        normals.push(normal(sample).to_array());
        uvs.push([x, z]);
    }

    let (depth, edges_finite) = skirt_depth(field, &grid, &mut scratch.edge);
    finite &= edges_finite;
    for edge in edges(side) {
        for i in 0..side {
            let top = edge.vertex(i);
            let [x, y, z] = positions[top];
            positions.push([x, y - depth, z]);
            normals.push(normals[top]);
            uvs.push(uvs[top]);
        }
    }

    let size = layout.size(key.lod) as f32;
    let mesh = Mesh::new(PrimitiveTopology::TriangleList, RenderAssetUsages::RENDER_WORLD)
        .with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, positions)
        .with_inserted_attribute(Mesh::ATTRIBUTE_NORMAL, normals)
        .with_inserted_attribute(Mesh::ATTRIBUTE_UV_0, uvs)
        .with_inserted_indices(indices(side));
    let aabb = Aabb::from_min_max(Vec3::new(0.0, low - depth, 0.0), Vec3::new(size, high, size));
    ChunkMesh { mesh, aabb, finite }
}

/// The unit normal of the graph y = f(x, z): (-df/dx, 1, -df/dz), normalised.
pub fn normal(sample: Sample<2>) -> Vec3 {
    let [dx, dz] = sample.gradient;
    Vec3::new(-dx, 1.0, -dz).normalize()
}

/// How far, in metres, the edges of the grid depart from those of neighbours one level finer or coarser, and whether the
/// edges are finite.
///
/// Each edge is sampled at half the spacing: every second sample is a vertex, those between are the vertices of a finer
/// neighbour; and vertices with odd indices lie between those of a coarser one.
fn skirt_depth(field: &dyn HeightField, grid: &Grid<2>, edge: &mut Samples<2>) -> (f32, bool) {
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
        field.fill(&Grid { origin, spacing: grid.spacing / 2.0, size }, edge);
        let heights = edge.values();
        finite &= heights.iter().all(|height| height.is_finite());
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
    // A little more, for the rounding of a rasteriser.
    (1.01 * depth + 0.01 * grid.spacing as f32, finite)
}

/// One side of the grid, walked so that the chunk lies to the left seen from above.
struct Edge {
    start: usize,
    step: isize,
}

impl Edge {
    /// The index of the i-th vertex of the edge.
    fn vertex(&self, i: usize) -> usize {
        self.start.wrapping_add_signed(self.step * i as isize)
    }
}

/// The four sides in the order of their skirts.
fn edges(side: usize) -> [Edge; 4] {
    let (row, last) = (side as isize, side * side - 1);
    [
        Edge { start: last - (side - 1), step: 1 },
        Edge { start: last, step: -row },
        Edge { start: side - 1, step: -1 },
        Edge { start: 0, step: row },
    ]
}

/// The triangles of a chunk with `side` vertices along each side: the grid's, then the skirt's. The largest chunk, of 128
/// cells, has 17,157 vertices, so 16 bits suffice.
fn indices(side: usize) -> Indices {
    let cells = side - 1;
    let mut list = Vec::with_capacity(6 * cells * cells + 24 * cells);
    let mut quad = |a: usize, b: usize, c: usize, d: usize| {
        list.extend([a, b, c, a, c, d].map(|index| index as u16));
    };
    for z in 0..cells {
        for x in 0..cells {
            let a = z * side + x;
            quad(a, a + side, a + side + 1, a + 1);
        }
    }
    for (k, edge) in edges(side).iter().enumerate() {
        let bottom = side * side + k * side;
        for i in 0..cells {
            let (a, b) = (edge.vertex(i), edge.vertex(i + 1));
            quad(a, bottom + i, bottom + i + 1, b);
        }
    }
    Indices::U16(list)
}

#[cfg(test)]
mod tests {
    use super::*;
    use bevy_mesh::VertexAttributeValues;
    use orogeny::{Fractal, GradientNoise, Recipe};

    const LAYOUT: Layout = Layout { cells: 16, spacing: 2.0 };
    const KEY: ChunkKey = ChunkKey { lod: 2, x: -3, z: 31_250_000_000 };

    fn field() -> impl HeightField {
        let fbm = Fractal::fbm(8.0, GradientNoise::seeded(0));
        let field = Fractal { frequency: 0.005, amplitude: 100.0, ..fbm }.into();
        Recipe { seed: 4, height: 1.0, field }.build().unwrap()
    }

    fn attribute(mesh: &Mesh, normal: bool) -> &[[f32; 3]] {
        let id = if normal { Mesh::ATTRIBUTE_NORMAL } else { Mesh::ATTRIBUTE_POSITION };
        match mesh.attribute(id) {
            Some(VertexAttributeValues::Float32x3(values)) => values,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn vertices_equal_queries_bit_for_bit() {
        let chunk = build(&field(), &LAYOUT, KEY);
        let (positions, normals) = (attribute(&chunk.mesh, false), attribute(&chunk.mesh, true));
        let [ox, oz] = LAYOUT.origin(KEY);
        for (p, n) in positions.iter().zip(normals).take(17 * 17) {
            let sample = field().sample([ox + f64::from(p[0]), oz + f64::from(p[2])]);
            assert_eq!(p[1].to_bits(), sample.value.to_bits());
            assert_eq!(Vec3::from(*n), normal(sample));
        }
        assert!(chunk.finite);
    }

    /// Every triangle of the surface faces up, and every one of the skirt faces away from the chunk.
    #[test]
    fn triangles_face_outwards_and_are_counted() {
        let chunk = build(&field(), &LAYOUT, KEY);
        let positions = attribute(&chunk.mesh, false);
        let centre =
            Vec3::new(LAYOUT.size(KEY.lod) as f32 / 2.0, 0.0, LAYOUT.size(KEY.lod) as f32 / 2.0);
        let corners: Vec<usize> = chunk.mesh.indices().unwrap().iter().collect();
        assert_eq!(corners.len(), 3 * triangles(&LAYOUT));
        for (i, triangle) in corners.chunks(3).enumerate() {
            let [a, b, c] = [0, 1, 2].map(|k| Vec3::from(positions[triangle[k]]));
            let facing = (b - a).cross(c - a);
            if i < 2 * 16 * 16 {
                assert!(facing.y > 0.0);
            } else {
                let outwards = (a + b + c) / 3.0 - centre;
                assert!(
                    facing.dot(outwards.with_y(0.0)) > 0.0
                        && facing.y.abs() < 1e-3 * facing.length()
                );
            }
        }
    }

    /// Along a border, no vertex of a chunk one level finer lies farther from the edge than either skirt reaches.
    #[test]
    fn skirts_close_the_gaps_and_boxes_hold_them() {
        let field = field();
        let coarse = build(&field, &LAYOUT, KEY);
        let skirt = |chunk: &ChunkMesh| {
            let positions = attribute(&chunk.mesh, false);
            // The third edge, z = 0, runs backwards.
            (positions[16][1] - positions[17 * 17 + 2 * 17][1], positions.to_vec())
        };
        let (coarse_depth, coarse_positions) = skirt(&coarse);
        for (half, child) in KEY.children()[..2].iter().enumerate() {
            let (fine_depth, fine_positions) = skirt(&build(&field, &LAYOUT, *child));
            for (i, vertex) in fine_positions.iter().take(17).enumerate() {
                let along = half as f32 * 8.0 + i as f32 / 2.0;
                let (a, b) = (
                    coarse_positions[along.floor() as usize][1],
                    coarse_positions[along.ceil() as usize][1],
                );
                let gap = vertex[1] - 0.5 * (a + b);
                assert!(
                    gap <= fine_depth && -gap <= coarse_depth,
                    "{gap} {fine_depth} {coarse_depth}"
                );
            }
        }
        for p in coarse_positions {
            let d = (Vec3::from(p) - Vec3::from(coarse.aabb.center)).abs();
            assert!((d - Vec3::from(coarse.aabb.half_extents)).max_element() < 1e-3);
        }
    }

    #[test]
    fn fields_that_are_not_finite_give_a_mesh_that_is() {
        struct Broken(f32);
        impl Field<2> for Broken {
            fn sample(&self, [x, _]: [f64; 2]) -> Sample<2> {
                // Between vertices as well, where only a finer neighbour would look.
                let broken = x > 40.0 || x.fract() == 0.5;
                Sample::constant(if broken { self.0 } else { 5.0 })
            }
        }
        const FINE: Layout = Layout { cells: 16, spacing: 1.0 };
        for (value, x) in [f32::NAN, f32::INFINITY, f32::MIN, -f32::INFINITY]
            .into_iter()
            .flat_map(|value| [(value, 0), (value, 2), (value, 3)])
        {
            let chunk = build(&Broken(value), &FINE, ChunkKey { lod: 0, x, z: 0 });
            assert_eq!(chunk.finite, value.is_finite(), "{value} {x}");
            if !value.is_finite() {
                let numbers =
                    [false, true].map(|normal| attribute(&chunk.mesh, normal).as_flattened());
                assert!(numbers.concat().iter().all(|x| x.is_finite()), "{value} {x}");
                assert!(chunk.aabb.center.is_finite() && chunk.aabb.half_extents.is_finite());
            }
        }
    }
}
