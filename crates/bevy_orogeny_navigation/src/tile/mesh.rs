//! The polygons of a tile, and how they are linked.

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
