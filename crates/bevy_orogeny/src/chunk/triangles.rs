//! The triangle indices of a chunk: the same for all chunks without holes.

use crate::chunk::key::Layout;
use crate::chunk::seams::Seams;

/// The number of triangles of a chunk, skirt included.
pub(crate) fn count(layout: &Layout, seams: Seams) -> usize {
    let cells = layout.cells as usize;
    2 * cells * cells + if seams == Seams::Skirts { 8 * cells } else { 0 }
}

/// The bytes of a chunk's vertices and indices.
pub(crate) fn bytes(layout: &Layout, seams: Seams, kept: bool) -> usize {
    let side = layout.cells as usize + 1;
    let skirt = if seams == Seams::Skirts { 4 * side } else { 0 };
    vertex_bytes(seams, kept) * (side * side + skirt) + 3 * size_of::<u16>() * count(layout, seams)
}

/// The bytes of a vertex, in a mesh that is kept for the CPU or not.
fn vertex_bytes(seams: Seams, kept: bool) -> usize {
    const POSITION_AND_NORMAL: usize = 6 * size_of::<f32>();
    const TEXTURE_COORDINATES: usize = 2 * size_of::<f32>();
    const CHUNK_VERTEX: usize = 4 * size_of::<u32>();
    const CURVATURES: usize = 2 * size_of::<i16>();
    match (seams, kept) {
        (Seams::Open | Seams::Skirts, _) => POSITION_AND_NORMAL + TEXTURE_COORDINATES,
        (Seams::Morph, false) => CHUNK_VERTEX + CURVATURES,
        (Seams::Morph, true) => POSITION_AND_NORMAL + CHUNK_VERTEX + CURVATURES,
    }
}

/// The indices of a chunk with `side` vertices along each side: the grid's, then the skirt's. The
/// largest chunk, of 128 cells, has 17,157 vertices, so 16 bits are enough.
pub(crate) fn indices(side: usize, seams: Seams) -> Vec<u16> {
    let cells = side - 1;
    let skirt = if seams == Seams::Skirts { 24 * cells } else { 0 };
    let mut list = Vec::with_capacity(6 * cells * cells + skirt);
    let mut quad = |a: usize, b: usize, c: usize, d: usize| {
        list.extend([a, b, c, a, c, d].map(|index| index as u16));
    };
    for z in 0..cells {
        for x in 0..cells {
            let a = z * side + x;
            quad(a, a + side, a + side + 1, a + 1);
        }
    }
    let edges = (seams == Seams::Skirts).then(|| edges(side));
    for (k, edge) in edges.iter().flatten().enumerate() {
        let bottom = side * side + k * side;
        for i in 0..cells {
            let (a, b) = (edge.vertex(i), edge.vertex(i + 1));
            quad(a, bottom + i, bottom + i + 1, b);
        }
    }
    list
}

/// Those of the indices whose triangles have ground at all vertices. `is_ground` takes the index of
/// a vertex of the grid. The vertices of a skirt count as those that they hang from.
pub(crate) fn around_holes(
    indices: &[u16],
    side: usize,
    is_ground: impl Fn(usize) -> bool,
) -> Vec<u16> {
    let edges = edges(side);
    let has_ground = |&index: &u16| {
        let vertex = usize::from(index);
        let top = match vertex.checked_sub(side * side) {
            None => vertex,
            Some(hanging) => edges[hanging / side].vertex(hanging % side),
        };
        is_ground(top)
    };
    let triangles = indices.chunks_exact(3);
    triangles.filter(|triangle| triangle.iter().all(has_ground)).flatten().copied().collect()
}

/// One side of the grid. Seen from above, the chunk lies to the left of the side's direction.
pub(crate) struct Edge {
    start: usize,
    step: isize,
}

impl Edge {
    /// The index of the i-th vertex of the edge.
    pub(crate) fn vertex(&self, i: usize) -> usize {
        self.start.wrapping_add_signed(self.step * i as isize)
    }
}

/// The four sides in the order of their skirts.
pub(crate) fn edges(side: usize) -> [Edge; 4] {
    let (row, last) = (side as isize, side * side - 1);
    [
        Edge { start: last - (side - 1), step: 1 },
        Edge { start: last, step: -row },
        Edge { start: side - 1, step: -1 },
        Edge { start: 0, step: row },
    ]
}
