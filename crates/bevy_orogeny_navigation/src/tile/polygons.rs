//! Regions as convex polygons, by Recast, and how these are linked.

use rerecast::{
    AreaType, BuildContoursFlags, CompactCell, CompactHeightfield, CompactSpan, Contour,
    PolygonNavmesh, RegionId, RegionVertexId,
};

use super::SIMPLIFICATION;
use super::walkable::{NONE, Walkable};
use crate::key::TileKey;

/// What is beyond an edge of a polygon.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Link {
    /// Nothing walkable.
    Wall,
    /// A polygon of the same tile.
    Polygon(u16),
    /// What the tile at a side has there, see [`TileKey::beside`].
    Side(u8),
}

/// The edge from a corner of a polygon to its next one.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Edge {
    /// In cells from the tile's corner.
    corner: [u8; 2],
    link: Link,
}

/// An edge on the border of the tile.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Portal {
    /// The coordinates of its ends along the border, in cells.
    pub from: u8,
    pub to: u8,
    pub polygon: u16,
}

/// Convex polygons, and how they are linked.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Mesh {
    /// Of all polygons, one after the other.
    edges: Vec<Edge>,
    /// The first edge of each polygon, and the number of all edges.
    firsts: Vec<u32>,
    /// On each side.
    portals: [Vec<Portal>; 4],
}

impl Mesh {
    /// The number of polygons.
    pub fn polygon_count(&self) -> usize {
        self.firsts.len().saturating_sub(1)
    }

    fn edges_of(&self, polygon: u16) -> &[Edge] {
        let [first, end] = [0, 1].map(|k| self.firsts[usize::from(polygon) + k] as usize);
        &self.edges[first..end]
    }

    /// The corners of a polygon in cells, in the direction from x to z.
    pub fn corners(&self, polygon: u16) -> impl Iterator<Item = [u8; 2]> {
        self.edges_of(polygon).iter().map(|edge| edge.corner)
    }

    /// The edges of a polygon: both ends in cells, and what is beyond.
    pub fn edges(&self, polygon: u16) -> impl Iterator<Item = ([[u8; 2]; 2], Link)> {
        let edges = self.edges_of(polygon);
        let next = edges.iter().cycle().skip(1);
        edges.iter().zip(next).map(|(edge, next)| ([edge.corner, next.corner], edge.link))
    }

    /// The edges on a side of the tile.
    pub fn portals(&self, side: usize) -> &[Portal] {
        &self.portals[side]
    }

    /// Adds a polygon, with what is beyond the edge that begins at each corner.
    pub fn add(&mut self, corners: &[[u8; 2]], links: &[Link]) {
        if self.firsts.is_empty() {
            self.firsts.push(0);
        }
        let polygon = self.polygon_count() as u16;
        let count = corners.len();
        for (k, &link) in links.iter().enumerate() {
            let ends = [corners[k], corners[(k + 1) % count]];
            if let Link::Side(side) = link {
                let [a, b] = ends.map(|end| end[if side < 2 { 1 } else { 0 }]);
                let portal = Portal { from: a.min(b), to: a.max(b), polygon };
                self.portals[usize::from(side)].push(portal);
            }
            self.edges.push(Edge { corner: corners[k], link });
        }
        self.firsts.push(self.edges.len() as u32);
    }
}

/// The most corners of a polygon.
const MAX_CORNERS: u16 = 6;

/// The polygons of all regions.
pub fn polygons(walkable: &Walkable, regions: &[u16]) -> Result<Mesh, String> {
    let field = field(walkable, regions);
    let single = single_cells(regions);
    // Straightened edges may cross. Those of cells do not.
    convex(&field, &single, SIMPLIFICATION as f32).or_else(|_| convex(&field, &single, 0.0))
}

/// The contours of regions of one cell. Recast leaves these out, but a passage may lead through
/// them. On each side there is another region, or none, so Recast keeps these corners.
fn single_cells(regions: &[u16]) -> Vec<Contour> {
    let mut counts = vec![0u32; usize::from(regions.iter().copied().max().unwrap_or(NONE)) + 1];
    for region in regions {
        counts[usize::from(*region)] += 1;
    }
    let single = (0..)
        .zip(regions)
        .filter(|(_, region)| **region != NONE && counts[usize::from(**region)] == 1);
    single
        .map(|(i, &region): (usize, _)| {
            let [x, z] =
                [i % Walkable::SIDE, i / Walkable::SIDE].map(|at| (at - Walkable::RING) as u16);
            // In the direction in which Recast goes around a region.
            let corners = [[x, z + 1], [x + 1, z + 1], [x + 1, z], [x, z]];
            Contour {
                vertices: corners.map(|[x, z]| ([x, 0, z].into(), 0)).into(),
                region: RegionId::from(region),
                area: AreaType::DEFAULT_WALKABLE,
                ..Contour::default()
            }
        })
        .collect()
}

/// The cells and regions as Recast has them: one span for each walkable cell.
fn field(walkable: &Walkable, regions: &[u16]) -> CompactHeightfield {
    let side = Walkable::SIDE;
    let last = side - 1;
    let mut field = CompactHeightfield {
        width: side as u16,
        height: side as u16,
        walkable_height: 1,
        border_size: Walkable::RING as u16,
        cell_size: 1.0,
        cell_height: 1.0,
        cells: vec![CompactCell::default(); side * side],
        ..CompactHeightfield::default()
    };
    for (i, cell) in field.cells.iter_mut().enumerate() {
        let (x, z) = (i % side, i / side);
        cell.set_index(field.spans.len() as u32);
        if !walkable.get(x, z) {
            continue;
        }
        cell.set_count(1);
        let border = |number: u16| RegionId::BORDER_REGION | RegionId::from(number);
        let region = match (x, z) {
            (0, _) => border(1),
            (x, _) if x == last => border(2),
            (_, 0) => border(3),
            (_, z) if z == last => border(4),
            _ => RegionId::from(regions[i]),
        };
        let mut span = CompactSpan { region, ..CompactSpan::default() };
        span.set_height(u8::MAX);
        let neighbours = [
            (x > 0).then(|| (x - 1, z)),
            (z < last).then_some((x, z + 1)),
            (x < last).then_some((x + 1, z)),
            (z > 0).then(|| (x, z - 1)),
        ];
        for (direction, neighbour) in (0..).zip(neighbours) {
            let is_there = neighbour.is_some_and(|(x, z)| walkable.get(x, z));
            span.set_con(direction, is_there.then_some(0));
        }
        field.spans.push(span);
    }
    field.areas = vec![AreaType::DEFAULT_WALKABLE; field.spans.len()];
    field.max_region = RegionId::from(regions.iter().copied().max().unwrap_or(NONE) + 1);
    field
}

/// Straightens the outlines by up to `error` cells, and cuts them into convex polygons, together
/// with those of single cells.
fn convex(field: &CompactHeightfield, single: &[Contour], error: f32) -> Result<Mesh, String> {
    let mut contours = field.build_contours(error, 0, BuildContoursFlags::empty());
    contours.contours.extend_from_slice(single);
    for contour in &mut contours.contours {
        // Recast would merge edges on the border. Tiles find each other without that.
        for (_, flags) in &mut contour.vertices {
            *flags &= !RegionVertexId::BORDER_VERTEX.bits();
        }
    }
    let mesh = contours.into_polygon_mesh(MAX_CORNERS).map_err(|error| error.to_string())?;
    Ok(from_recast(&mesh))
}

fn from_recast(recast: &PolygonNavmesh) -> Mesh {
    let stride = usize::from(recast.max_vertices_per_polygon);
    let mut mesh = Mesh::default();
    let neighbours = recast.polygon_neighbors.chunks_exact(stride);
    for (polygon, neighbours) in recast.polygons.chunks_exact(stride).zip(neighbours) {
        let used = polygon.iter().take_while(|index| **index != PolygonNavmesh::NO_INDEX);
        let mut corners: Vec<[u8; 2]> = used
            .map(|index| recast.vertices[usize::from(*index)])
            .map(|vertex| [vertex.x as u8, vertex.z as u8])
            .collect();
        let count = corners.len();
        let link = |k: usize| match neighbours[k] {
            neighbour if neighbour < RegionId::BORDER_REGION.bits() => Link::Polygon(neighbour),
            _ => side(corners[k], corners[(k + 1) % count]).map_or(Link::Wall, Link::Side),
        };
        let mut links: Vec<Link> = (0..count).map(link).collect();
        if twice_area(&corners) < 0 {
            // An edge belongs to its first corner, which the last one becomes.
            corners.reverse();
            links.reverse();
            links.rotate_left(1);
        }
        mesh.add(&corners, &links);
    }
    mesh
}

/// The side of the tile on which an edge lies.
fn side(a: [u8; 2], b: [u8; 2]) -> Option<u8> {
    let lies = |axis: usize, at: u16| [a, b].iter().all(|end| u16::from(end[axis]) == at);
    let sides = [(0, 0), (0, TileKey::CELLS), (1, 0), (1, TileKey::CELLS)];
    (0..).zip(sides).find(|(_, (axis, at))| lies(*axis, *at)).map(|(side, _)| side)
}

fn twice_area(corners: &[[u8; 2]]) -> i32 {
    let next = corners.iter().cycle().skip(1);
    let cross = |(a, b): (&[u8; 2], &[u8; 2])| {
        i32::from(a[0]) * i32::from(b[1]) - i32::from(b[0]) * i32::from(a[1])
    };
    corners.iter().zip(next).map(cross).sum()
}

#[cfg(test)]
mod tests;
