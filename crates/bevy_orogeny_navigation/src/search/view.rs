//! The polygons of all tiles, and how they join.

use super::vector::{Point, cross, sub};
use crate::key::TileKey;
use crate::tile::{Link, NavigationTile};
use crate::tiles::NavigationTiles;

/// A polygon of a tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Node {
    pub tile: TileKey,
    pub polygon: u16,
}

/// An edge, or the part of it that leads to a neighbour. On a map with x to the right and z up, the
/// first end is to the right of one who leaves the polygon, and the second end to the left.
pub type Gate = [Point; 2];

/// All tiles, seen from one of them.
#[derive(Clone, Copy)]
pub struct View<'a> {
    tiles: &'a NavigationTiles,
    base: TileKey,
}

impl<'a> View<'a> {
    /// How far a point may be outside a polygon that still counts as inside, in metres: more than
    /// rounding moves it.
    pub const TOLERANCE: f64 = 1e-6;

    /// The tiles, seen from the one at a position from the terrain's origin.
    pub fn new(tiles: &'a NavigationTiles, position: Point) -> Self {
        Self { tiles, base: TileKey::at(position, tiles.agent().cell_size) }
    }

    /// The corner of the tile from which it is seen, from the terrain's origin.
    pub fn origin(&self) -> Point {
        self.base.corner(self.tiles.agent().cell_size)
    }

    /// The tile at a point.
    pub fn key_at(&self, p: Point) -> TileKey {
        self.absolute(TileKey::at(p, self.tiles.agent().cell_size))
    }

    /// The tile whose key, counted from the one from which it is seen, is given.
    pub fn absolute(&self, TileKey { x, z }: TileKey) -> TileKey {
        TileKey { x: x + self.base.x, z: z + self.base.z }
    }

    pub fn tile(&self, key: TileKey) -> Option<&'a NavigationTile> {
        self.tiles.tile(key)
    }

    fn corner_of(&self, key: TileKey) -> Point {
        TileKey { x: key.x - self.base.x, z: key.z - self.base.z }
            .corner(self.tiles.agent().cell_size)
    }

    /// Visits the edges of a polygon in the direction from x to z, with what is beyond.
    pub fn edges(&self, node: Node, mut visit: impl FnMut(Gate, Link)) {
        let Some(tile) = self.tile(node.tile) else { return };
        let (corner, size) = (self.corner_of(node.tile), self.tiles.agent().cell_size);
        for (ends, link) in tile.mesh.edges(node.polygon) {
            let at = |end: [u8; 2]| [0, 1].map(|k| corner[k] + f64::from(end[k]) * size);
            visit(ends.map(at), link);
        }
    }

    /// Visits the neighbours of a polygon, and through which gate one gets there. Returns whether
    /// it has an edge to a tile that is missing.
    pub fn neighbours(&self, node: Node, mut visit: impl FnMut(Node, Gate)) -> bool {
        let mut is_open = false;
        self.edges(node, |gate, link| match link {
            Link::Wall => {}
            Link::Polygon(polygon) => visit(Node { polygon, ..node }, gate),
            Link::Side(side) => is_open |= !self.across(node.tile, gate, side, &mut visit),
        });
        is_open
    }

    /// Visits the polygons of the tile at a side that touch an edge. Returns whether there is that
    /// tile.
    pub fn across(
        &self,
        tile: TileKey,
        gate: Gate,
        side: u8,
        visit: &mut impl FnMut(Node, Gate),
    ) -> bool {
        let side = usize::from(side);
        let beside = tile.beside(side);
        let Some(other) = self.tile(beside) else { return false };
        let axis = if side < 2 { 1 } else { 0 };
        let size = self.tiles.agent().cell_size;
        let start = self.corner_of(tile)[axis];
        let [a, b] = gate.map(|end| (end[axis] - start) / size);
        let (from, to) = (a.min(b), a.max(b));
        for portal in other.mesh.portals(side ^ 1) {
            let from = from.max(portal.from.into());
            let to = to.min(portal.to.into());
            if from < to {
                let [first, second] = if a < b { [from, to] } else { [to, from] };
                let end = |along: f64, mut end: Point| {
                    end[axis] = start + along * size;
                    end
                };
                let node = Node { tile: beside, polygon: portal.polygon };
                visit(node, [end(first, gate[0]), end(second, gate[1])]);
            }
        }
        true
    }

    /// Whether a point is in a polygon, up to the tolerance.
    pub fn contains(&self, node: Node, p: Point) -> bool {
        let mut is_inside = true;
        self.edges(node, |[a, b], _| {
            let along = sub(b, a);
            let depth = cross(along, sub(p, a)) / along[0].hypot(along[1]);
            // An edge without length has no depth.
            is_inside &= depth.is_nan() || depth >= -Self::TOLERANCE;
        });
        is_inside
    }
}
