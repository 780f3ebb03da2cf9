//! A tile as a triangle mesh of parry, the collision library of both engines. Each engine has its
//! own version of parry.

/// A tile's triangles as a parry shape, wound so that the outside is up. `None` if it has none.
///
/// A height field would build five times faster, but bodies catch on its inner edges. With cells
/// split along this crate's diagonal (parry's zigzag), parry corrects contact normals by the wrong
/// neighbours, and not at all at the border. `FIX_INTERNAL_EDGES` on a triangle mesh corrects every
/// edge. At an edge without a neighbour the normal is that of the triangle, so bodies also slide
/// smoothly from one tile to the next.
macro_rules! tri_mesh {
    ($engine:ident, $tile:expr) => {{
        use $engine::parry::math::Vector;
        use $engine::parry::shape::{SharedShape, TriMeshFlags};

        let vertices = $tile.vertices().map(Vector::from_array).collect();
        let triangles: Vec<_> = $tile.triangles().collect();
        let flags = TriMeshFlags::FIX_INTERNAL_EDGES;
        // Only an empty list of triangles is refused.
        SharedShape::trimesh_with_flags(vertices, triangles, flags).ok()
    }};
}
pub(crate) use tri_mesh;
