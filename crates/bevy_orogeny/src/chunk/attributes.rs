//! The vertex attributes of chunks: those that any material and any reader of meshes knows, with
//! the vertices of skirts, and those of chunks that geomorph.

use bevy_mesh::{Mesh, VertexAttributeValues};
use orogeny::{Grid, Samples};

use crate::chunk::curvature::{self, Curvatures, Points};
use crate::chunk::height_field::{
    is_ground, make_slopes_finite, normal_of, range, range_of_ground,
};
use crate::chunk::key::ChunkKey;
use crate::chunk::mesh::ChunkBuilder;
use crate::chunk::triangles::edges;
use crate::chunk::vertex::{pack_grid, pack_normal, pack_target_normal};
use crate::slices::Pace;

/// Adds positions, normals and texture coordinates for samples on a grid with `side` vertices along
/// each side, `step` apart. Vertices without ground are at the height `hole`. `skirt` is the depth
/// of a skirt in metres, for chunks that have one.
pub(super) fn insert_plain(
    mesh: &mut Mesh,
    surface: &Samples<2>,
    side: usize,
    step: f32,
    hole: f32,
    with_uvs: bool,
    skirt: Option<f32>,
) {
    let count = side * side + if skirt.is_some() { 4 * side } else { 0 };
    let mut positions = Vec::with_capacity(count);
    let mut normals = Vec::with_capacity(count);
    let mut uvs = Vec::with_capacity(if with_uvs { count } else { 0 });
    for (j, heights) in surface.values().chunks_exact(side).enumerate() {
        let z = j as f32 * step;
        let x = |i| i as f32 * step;
        let height = |y| if is_ground(y) { y } else { hole };
        positions.extend(heights.iter().enumerate().map(|(i, &y)| [x(i), height(y), z]));
        if with_uvs {
            uvs.extend((0..side).map(|i| [x(i), z]));
        }
    }
    let slopes = surface.derivatives(0).iter().zip(surface.derivatives(1));
    normals.extend(slopes.map(|(&dx, &dz)| normal_of(dx, dz).to_array()));

    if let Some(depth) = skirt {
        for edge in edges(side) {
            for top in (0..side).map(|i| edge.vertex(i)) {
                let [x, y, z] = positions[top];
                positions.push([x, y - depth, z]);
                normals.push(normals[top]);
                if with_uvs {
                    uvs.push(uvs[top]);
                }
            }
        }
    }
    mesh.insert_attribute(Mesh::ATTRIBUTE_POSITION, positions);
    mesh.insert_attribute(Mesh::ATTRIBUTE_NORMAL, normals);
    if with_uvs {
        mesh.insert_attribute(Mesh::ATTRIBUTE_UV_0, uvs);
    }
}

/// Scratch buffers of chunks that geomorph.
#[derive(Default)]
pub(super) struct Scratch {
    coarser: Samples<2>,
    /// The same with its surroundings.
    around: Samples<2>,
    /// The words of the vertices' normals.
    normals: Vec<u32>,
    /// The same of the vertices of the coarser level, as targets.
    target_normals: Vec<u32>,
    curvatures: Curvatures,
    target_curvatures: Curvatures,
}

/// The vertices of a chunk that geomorphs.
pub(super) struct Vertices {
    /// The values of [`ATTRIBUTE_VERTEX`](super::vertex::ATTRIBUTE_VERTEX).
    pub packed: VertexAttributeValues,
    /// The minimum and maximum of the heights of targets, if they may be beyond the chunk's own.
    pub targets: Option<[f32; 2]>,
}

/// The vertices for the samples of a chunk.
///
/// The indices of a vertex's target are its own, rounded down to even numbers. The target has the
/// height and the normal of the vertex there in the next coarser level. A vertex whose target is in
/// a hole stays where it is. Vertices in holes have the height `hole`.
pub(super) async fn morph_vertices(
    builder: &ChunkBuilder,
    key: ChunkKey,
    surface: &Samples<2>,
    hole: f32,
    scratch: &mut Scratch,
    pace: Pace,
) -> Vertices {
    let Scratch { coarser, around, normals, target_normals, .. } = scratch;
    let layout = builder.layout();
    let cells = layout.cells as usize;
    let (side, half) = (cells + 1, cells / 2 + 1);
    normals.clear();
    normals.extend(slopes(surface).map(pack_normal));

    let spacing = layout.spacing(key.lod);
    let grid = pack_grid(layout.cells, spacing as f32);
    let pack_target = |slopes| pack_target_normal(slopes, grid);
    target_normals.clear();
    let is_same = builder.has_ground_of_next_level(key.lod);
    let mut targets = None;
    if is_same {
        let [along_x, along_z] = [surface.derivatives(0), surface.derivatives(1)];
        for row in (0..side).step_by(2).map(|j| j * side) {
            let even = (0..half).map(|i| row + 2 * i);
            target_normals.extend(even.map(|at| pack_target([along_x[at], along_z[at]])));
        }
    } else {
        let next = Grid::new(layout.origin(key), 2.0 * spacing, [half, half]);
        builder.sample_level(key.lod + 1, &next, coarser, around, pace).await;
        let flaws = make_slopes_finite(coarser);
        let heights = coarser.values();
        targets = Some(if flaws.holes { range_of_ground(heights) } else { range(heights) });
        target_normals.extend(slopes(coarser).map(pack_target));
    }

    let heights = surface.values();
    // The width of the targets' rows, and the distance between targets in them.
    let (all_targets, width, stride) =
        if is_same { (heights, side, 2) } else { (coarser.values(), half, 1) };
    let mut packed = Vec::with_capacity(side * side);
    for j in 0..side {
        let heights = &heights[j * side..][..side];
        let target_heights = &all_targets[j / 2 * stride * width..][..width];
        let normals = &normals[j * side..][..side];
        let target_normals = &target_normals[j / 2 * half..][..half];
        packed.extend((0..side).map(|i| {
            let (height, target_height) = (heights[i], target_heights[i / 2 * stride]);
            let height = if is_ground(height) { height } else { hole };
            let target_normal = if is_ground(target_height) {
                target_normals[i / 2]
            } else {
                let at = j * side + i;
                pack_target([surface.derivatives(0)[at], surface.derivatives(1)[at]])
            };
            [height.to_bits(), normals[i], target_height.to_bits(), target_normal]
        }));
    }
    Vertices { packed: VertexAttributeValues::Uint32x4(packed), targets }
}

/// The derivatives along x and z.
fn slopes(samples: &Samples<2>) -> impl Iterator<Item = [f32; 2]> {
    samples.derivatives(0).iter().zip(samples.derivatives(1)).map(|(&dx, &dz)| [dx, dz])
}

/// The values of [`ATTRIBUTE_CURVATURE`](curvature::ATTRIBUTE_CURVATURE): the curvatures at each
/// vertex and at its target.
pub(super) async fn curvatures(
    builder: &ChunkBuilder,
    key: ChunkKey,
    scratch: &mut Scratch,
    pace: Pace,
) -> VertexAttributeValues {
    let Scratch { curvatures, target_curvatures, .. } = scratch;
    let layout = builder.layout();
    let (origin, spacing) = (layout.origin(key), layout.spacing(key.lod));
    let cells = layout.cells as usize;
    let (side, half) = (cells + 1, cells / 2 + 1);
    let fill = async |lod: u8, spacing, side, out: &mut Curvatures| {
        let scale = curvature::scale(layout, lod);
        let points = Points { scale, origin, spacing, side };
        match builder.smooth(lod) {
            Some(smooth) => out.fill(&**smooth, points, pace).await,
            None => out.fill(builder.ground(), points, pace).await,
        }
    };
    fill(key.lod, spacing, side, curvatures).await;
    let own = curvatures.packed();
    let mut packed = Vec::with_capacity(side * side);
    // Levels finer than the scale share one curvature field: the curvature of a target is the value
    // at its vertex.
    let same = curvature::scale(layout, key.lod) == curvature::scale(layout, key.lod + 1);
    let (targets, width, stride) = if same {
        (own, side, 2)
    } else {
        fill(key.lod + 1, 2.0 * spacing, half, target_curvatures).await;
        (target_curvatures.packed(), half, 1)
    };
    for (j, row) in own.chunks_exact(side).enumerate() {
        let targets = &targets[j / 2 * stride * width..][..width];
        let pairs = row.chunks_exact(2).zip(targets.iter().step_by(stride));
        packed.extend(pairs.flat_map(|(pair, &target)| [[pair[0], target], [pair[1], target]]));
        // The last vertex of a row has no partner.
        packed.push([row[side - 1], targets[width - 1]]);
    }
    VertexAttributeValues::Snorm16x2(packed)
}
