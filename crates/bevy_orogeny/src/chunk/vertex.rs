//! The packed vertex of a chunk that geomorphs, and where it lies.
//!
//! `morph.wgsl` repeats the arithmetic of this file.

use bevy_math::{Vec2, Vec3};
use bevy_mesh::{MeshVertexAttribute, VertexFormat};

use crate::chunk::height_field::is_ground;
use crate::chunk::morph::GridVertex;
use crate::chunk::octahedral;

/// The vertices of a chunk that geomorphs, instead of positions and normals: a [`ChunkVertex`] in
/// four words. Parts of a word are listed from its lowest bit.
///
/// 0. The height in metres, `f32`.
/// 1. The normal: u and v, 16 bits each, in steps of 1/32,767.
/// 2. The height of the morph target in metres, `f32`. If it is infinite or NaN, the target is in a
///    hole, and the vertex stays where it is.
/// 3. The normal of the target: u and v, 11 bits each, in steps of 1/1023 from -1 on. log2(cells),
///    3 bits. log2(spacing) + 64, 7 bits.
///
/// u and v are octahedral coordinates: (u, v) = (x + z, x - z) / (|x| + y + |z|) for a normal
/// (x, y, z). Back, x = (u + v) / 2, z = (u - v) / 2 and y = 1 - |x| - |z|, normalised.
///
/// The positions x and z are not stored. Vertex k of a mesh is vertex i = k mod (cells + 1),
/// j = floor(k / (cells + 1)) of the grid, at (i `spacing`, j `spacing`). That is exact, since
/// spacings are powers of two. In a shader, k is the vertex index without the `first_vertex_index`
/// of the mesh instance.
pub const ATTRIBUTE_VERTEX: MeshVertexAttribute =
    MeshVertexAttribute::new("Vertex_TerrainChunk", 0x006f_726f_6765_6e01, VertexFormat::Uint32x4);

/// A vertex of a chunk that geomorphs: its own height and normal, those of the vertex of the next
/// coarser level that it morphs into, and the grid of its chunk.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ChunkVertex {
    /// The height in metres.
    pub height: f32,
    /// The unit normal, to within [`NORMAL_ERROR`](Self::NORMAL_ERROR).
    pub normal: Vec3,
    /// The height of the target vertex in metres; infinite or NaN if that is in a hole.
    pub target_height: f32,
    /// The unit normal of the target, to within [`TARGET_NORMAL_ERROR`](Self::TARGET_NORMAL_ERROR).
    pub target_normal: Vec3,
    /// Cells along each side of the chunk: a power of two, up to 128.
    pub cells: u32,
    /// The distance between neighbouring vertices in metres: a power of two, 2^-63 to 2^63.
    pub spacing: f32,
}

/// The word of a vertex's normal, for the derivatives along x and z.
pub(super) fn pack_normal([dx, dz]: [f32; 2]) -> u32 {
    octahedral::pack_fine(octahedral::of_slopes(dx, dz))
}

/// The word of a target's normal, and of a grid from [`pack_grid`].
pub(super) fn pack_target_normal([dx, dz]: [f32; 2], grid: u32) -> u32 {
    octahedral::pack_coarse(octahedral::of_slopes(dx, dz)) | grid
}

/// The ten highest bits of the last word.
pub(super) fn pack_grid(cells: u32, spacing: f32) -> u32 {
    let exponent = (spacing.to_bits() >> 23) - 63;
    cells.ilog2() << 22 | exponent << 25
}

impl ChunkVertex {
    /// The largest angle in radians between [`normal`](Self::normal) and the field's.
    pub const NORMAL_ERROR: f32 = octahedral::FINE_ERROR;

    /// The largest angle in radians between [`target_normal`](Self::target_normal) and that of the
    /// coarser level.
    pub const TARGET_NORMAL_ERROR: f32 = octahedral::COARSE_ERROR;

    /// Unpacks a value of [`ATTRIBUTE_VERTEX`].
    pub fn unpack([height, normal, target_height, rest]: [u32; 4]) -> Self {
        Self {
            height: f32::from_bits(height),
            normal: octahedral::normal(octahedral::unpack_fine(normal)),
            target_height: f32::from_bits(target_height),
            target_normal: octahedral::normal(octahedral::unpack_coarse(rest)),
            cells: 1 << (rest >> 22 & 7),
            spacing: f32::from_bits(((rest >> 25) + 63) << 23),
        }
    }

    /// The vertex's indices in the grid, from its index in the mesh.
    pub fn grid_vertex(&self, index: u32) -> GridVertex {
        let side = self.cells + 1;
        GridVertex { i: index % side, j: index / side, cells: self.cells }
    }

    /// The position in metres, x and z from the chunk's origin, once the vertex has morphed into
    /// its target by `weight`.
    pub fn position(&self, GridVertex { i, j, .. }: GridVertex, weight: f32) -> Vec3 {
        let at = Vec2::new(i as f32, j as f32) * self.spacing;
        // Near vertices with even indices are their own targets. Blending would round their
        // heights.
        let stays = (i | j) & 1 == 0 && self.height.to_bits() == self.target_height.to_bits();
        if stays || !is_ground(self.target_height) {
            return Vec3::new(at.x, self.height, at.y);
        }
        let slide = weight * self.spacing;
        Vec3::new(
            at.x - slide * (i & 1) as f32,
            self.height * (1.0 - weight) + self.target_height * weight,
            at.y - slide * (j & 1) as f32,
        )
    }
}

#[cfg(test)]
mod tests {
    use bevy_math::DVec3;
    use proptest::prelude::*;

    use super::*;

    /// The vertex with the given heights, slopes and grid.
    fn vertex(heights: [f32; 2], slopes: [[f32; 2]; 2], cells: u32, spacing: f32) -> ChunkVertex {
        let normal = pack_normal(slopes[0]);
        let rest = pack_target_normal(slopes[1], pack_grid(cells, spacing));
        ChunkVertex::unpack([heights[0].to_bits(), normal, heights[1].to_bits(), rest])
    }

    /// The angle in radians between a unit vector and the normal for two slopes.
    fn angle(unit: Vec3, [dx, dz]: [f32; 2]) -> f64 {
        let exact = DVec3::new(-f64::from(dx), 1.0, -f64::from(dz)).normalize();
        exact.cross(unit.as_dvec3()).length().asin()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(20_000))]

        /// Heights, cells and spacing come back exactly, normals within the stated errors.
        #[test]
        fn vertices_come_back(
            heights in [any::<f32>(), any::<f32>()],
            slopes in [[-1e6f32..1e6, -3f32..3.0], [-3f32..3.0, -1e6f32..1e6]],
            log_cells in 0u32..8,
            log_spacing in -63i32..64,
        ) {
            let (cells, spacing) = (1 << log_cells, (log_spacing as f32).exp2());
            let back = vertex(heights, slopes, cells, spacing);
            prop_assert_eq!(back.height.to_bits(), heights[0].to_bits());
            prop_assert_eq!(back.target_height.to_bits(), heights[1].to_bits());
            prop_assert_eq!((back.cells, back.spacing), (cells, spacing));
            let [own, target] =
                [angle(back.normal, slopes[0]), angle(back.target_normal, slopes[1])];
            prop_assert!(own <= ChunkVertex::NORMAL_ERROR.into());
            prop_assert!(target <= ChunkVertex::TARGET_NORMAL_ERROR.into());
        }
    }

    #[test]
    fn vertices_are_in_rows_along_x() {
        for cells in [8, 64, 128] {
            let vertex = vertex([0.0; 2], [[0.0; 2]; 2], cells, 1.0);
            let points = (0..=cells).flat_map(|j| (0..=cells).map(move |i| (i, j)));
            for (index, (i, j)) in points.enumerate() {
                assert_eq!(vertex.grid_vertex(index as u32), GridVertex { i, j, cells });
            }
        }
    }

    #[test]
    fn odd_vertices_slide_onto_even_ones() {
        let at = |i, j| GridVertex { i, j, cells: 8 };
        let moving = vertex([1.7, 9.1], [[0.0; 2]; 2], 8, 2.0);
        assert_eq!(moving.position(at(3, 5), 1.0), Vec3::new(4.0, 9.1, 8.0));
        assert_eq!(moving.position(at(3, 5), 0.0), Vec3::new(6.0, 1.7, 10.0));
        assert_eq!(moving.position(at(2, 5), 0.5).x, 4.0);
        // Ground of the next level that differs is taken by its vertices, too.
        assert_eq!(moving.position(at(2, 4), 0.5), Vec3::new(4.0, 5.4, 8.0));
        let resting = vertex([1.7, 1.7], [[0.0; 2]; 2], 8, 2.0);
        assert_eq!(resting.position(at(2, 4), 0.3), Vec3::new(4.0, 1.7, 8.0));
    }
}
