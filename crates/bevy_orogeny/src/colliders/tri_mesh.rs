//! The shape of a tile in parry, which both engines stand on, each in a version of its own.

/// Parry's triangle mesh for a tile: the triangles of the meshes, in the order of their winding, so
/// up is outside.
///
/// A height field would be built much faster, but bodies that slide or roll over it stumble: with
/// cells divided along our diagonal, which parry calls zigzag, it corrects the normals at inner
/// edges by the wrong neighbours, and those at the border not at all. The triangle mesh corrects
/// them all: at an edge that it shares with no other triangle, a contact's normal is that of the
/// triangle, so nothing stumbles from one tile to the next either.
macro_rules! tri_mesh {
    ($engine:ident, $tile:expr) => {{
        use $engine::parry::math::Vector;
        use $engine::parry::shape::{SharedShape, TriMeshFlags};

        let vertices = $tile.vertices().map(Vector::from_array).collect();
        let triangles = $tile.triangles().collect();
        let flags = TriMeshFlags::FIX_INTERNAL_EDGES;
        SharedShape::trimesh_with_flags(vertices, triangles, flags).expect("a tile has triangles")
    }};
}
pub(super) use tri_mesh;
