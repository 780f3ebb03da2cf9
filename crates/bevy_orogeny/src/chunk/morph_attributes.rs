//! The vertex attributes of chunks that geomorph: the morph target of each vertex.

use bevy_mesh::{MeshVertexAttribute, VertexAttributeValues, VertexFormat};
use orogeny::{Grid, Samples};

use crate::chunk::curvature::{self, Curvatures};
use crate::chunk::height_field::{make_finite, normal_of};
use crate::chunk::key::ChunkKey;
use crate::chunk::mesh::ChunkBuilder;
use crate::chunk::morph::Target;

/// The vertex that a vertex of a geomorphing chunk moves onto: a packed [`Target`].
pub const ATTRIBUTE_TARGET: MeshVertexAttribute =
    MeshVertexAttribute::new("Vertex_MorphTarget", 0x006f_726f_6765_6e01, VertexFormat::Uint32x2);

/// Scratch buffers of one worker thread.
#[derive(Default)]
pub(super) struct Scratch {
    coarser: Samples<2>,
    /// The vertices of the coarser level, as targets.
    packed: Vec<[u32; 2]>,
    curvatures: Curvatures,
    target_curvatures: Curvatures,
}

/// The values of [`ATTRIBUTE_TARGET`]. The indices of a vertex's target are its own, rounded down
/// to even numbers. The target is as in a chunk of the next coarser level.
pub(super) fn targets(
    builder: &ChunkBuilder,
    key: ChunkKey,
    scratch: &mut Scratch,
) -> VertexAttributeValues {
    let Scratch { coarser, packed, .. } = scratch;
    let layout = builder.layout();
    let cells = layout.cells as usize;
    let (side, half) = (cells + 1, cells / 2 + 1);
    let spacing = layout.spacing(key.lod);
    let grid = Grid::new(layout.origin(key), 2.0 * spacing, [half, half]);
    builder.sample_level(key.lod + 1, &grid, coarser);
    make_finite(coarser);
    packed.clear();
    let slopes = coarser.derivatives(0).iter().zip(coarser.derivatives(1));
    packed.extend(coarser.values().iter().zip(slopes).map(|(&height, (&dx, &dz))| {
        let normal = normal_of(dx, dz);
        let (cells, spacing) = (cells as u32, spacing as f32);
        Target { height, normal: [normal.x, normal.z], cells, spacing }.pack()
    }));
    let mut targets = Vec::with_capacity(side * side);
    for j in 0..side {
        let row = &packed[j / 2 * half..][..half];
        targets.extend(row.iter().flat_map(|&target| [target; 2]).take(side));
    }
    VertexAttributeValues::Uint32x2(targets)
}

/// The values of [`ATTRIBUTE_CURVATURE`](curvature::ATTRIBUTE_CURVATURE): the curvatures at each
/// vertex and at its target.
pub(super) fn curvatures(
    builder: &ChunkBuilder,
    key: ChunkKey,
    scratch: &mut Scratch,
) -> VertexAttributeValues {
    let Scratch { curvatures, target_curvatures, .. } = scratch;
    let layout = builder.layout();
    let (origin, spacing) = (layout.origin(key), layout.spacing(key.lod));
    let cells = layout.cells as usize;
    let (side, half) = (cells + 1, cells / 2 + 1);
    let fill = |lod: u8, spacing, side, out: &mut Curvatures| {
        let scale = curvature::scale(layout, lod);
        match builder.smooth(lod) {
            Some(smooth) => out.fill(&**smooth, scale, origin, spacing, side),
            None => out.fill(&**builder.field(), scale, origin, spacing, side),
        }
    };
    fill(key.lod, spacing, side, curvatures);
    let own = curvatures.packed();
    let mut packed = Vec::with_capacity(side * side);
    // Levels finer than the scale share one curvature field: the curvature of a target is the value
    // at its vertex.
    let same = curvature::scale(layout, key.lod) == curvature::scale(layout, key.lod + 1);
    let (targets, width, stride) = if same {
        (own, side, 2)
    } else {
        fill(key.lod + 1, 2.0 * spacing, half, target_curvatures);
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
