//! Finds paths across tiles.
//!
//! Start with [`View`], which shows the polygons of all tiles in metres from one of them, and how
//! they join: the polygon at a point, and straight ways on the mesh. `corridor` finds the polygons
//! of a path by A*, and its corners. Positions are `[f64; 2]` in metres from the corner of the tile
//! at the start, so they are as fine far away as at the origin.

pub(crate) mod corridor;

use bevy_orogeny::orogeny::Region;

use crate::key::TileKey;
use crate::tile::{Link, NavigationTile, TileError};
use crate::tiles::NavigationTiles;

/// (x, z) in metres.
pub type Point = [f64; 2];

pub fn sub(a: Point, b: Point) -> Point {
    [a[0] - b[0], a[1] - b[1]]
}

/// The point at a part of the way from `a` to `b`.
pub fn mix(a: Point, b: Point, part: f64) -> Point {
    [0, 1].map(|k| a[k] + (b[k] - a[k]) * part)
}

pub fn dot(a: Point, b: Point) -> f64 {
    a[0] * b[0] + a[1] * b[1]
}

/// Positive if `b` is turned from `a` in the direction from x to z.
pub fn cross(a: Point, b: Point) -> f64 {
    a[0] * b[1] - a[1] * b[0]
}

pub fn distance(a: Point, b: Point) -> f64 {
    let [x, z] = sub(a, b);
    x.hypot(z)
}

/// The point of a line from `a` to `b` that is nearest to `p`.
pub fn nearest_on([a, b]: [Point; 2], p: Point) -> Point {
    let along = sub(b, a);
    let square = dot(along, along);
    let part = if square > 0.0 { dot(sub(p, a), along) / square } else { 0.0 };
    mix(a, b, part.clamp(0.0, 1.0))
}

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

/// How far a point may be beside the mesh in any case, in cells.
const ROUNDED: f64 = 0.01;

/// Where a point is.
pub enum Located {
    /// At or near this point of a polygon.
    At(Point, Node),
    /// Its tile is missing.
    OutsideTiles,
    /// Its tile could not be built.
    Broken(TileError),
    /// There is no polygon within the distance.
    OffMesh,
}

impl View<'_> {
    /// The polygon at a point, or the nearest one within `snap` metres, and a hundredth of a cell:
    /// a position that was rounded to `f32` may lie beside the mesh on which it was.
    pub fn locate(&self, p: Point, snap: f64, cell_size: f64) -> Located {
        let snap = snap.max(ROUNDED * cell_size);
        // The border of a tile may belong to one that is missing.
        if let Some(node) = self.at(p).or_else(|| self.all_at(p).first().copied()) {
            return Located::At(p, node);
        }
        let Some(tile) = self.tile(self.key_at(p)) else { return Located::OutsideTiles };
        if let Some(error) = tile.error() {
            return Located::Broken(error.clone());
        }
        let mut nearest: Option<(f64, Point, Node)> = None;
        for (key, _) in TileKey::around(Region { min: p, max: p }, snap, cell_size) {
            for node in self.nodes(self.absolute(key)) {
                self.edges(node, |edge, _| {
                    let on = nearest_on(edge, p);
                    let away = distance(on, p);
                    if away <= snap && nearest.is_none_or(|(least, ..)| away < least) {
                        nearest = Some((away, on, node));
                    }
                });
            }
        }
        nearest.map_or(Located::OffMesh, |(_, on, node)| Located::At(on, node))
    }

    /// A polygon at a point.
    pub fn at(&self, p: Point) -> Option<Node> {
        self.nodes(self.key_at(p)).find(|node| self.contains(*node, p))
    }

    /// All polygons at a point, in all tiles that touch it.
    pub fn all_at(&self, p: Point) -> Vec<Node> {
        let mut tiles: Vec<TileKey> = Vec::with_capacity(4);
        for [x, z] in [[-1.0, -1.0], [1.0, -1.0], [-1.0, 1.0], [1.0, 1.0]] {
            let key = self.key_at([p[0] + x * Self::TOLERANCE, p[1] + z * Self::TOLERANCE]);
            if !tiles.contains(&key) {
                tiles.push(key);
            }
        }
        let nodes = tiles.into_iter().flat_map(|key| self.nodes(key));
        nodes.filter(|node| self.contains(*node, p)).collect()
    }

    fn nodes(&self, tile: TileKey) -> impl Iterator<Item = Node> + use<> {
        let count = self.tile(tile).map_or(0, |tile| tile.polygon_count());
        (0..count as u16).map(move |polygon| Node { tile, polygon })
    }
}

/// Where a straight way ends.
pub struct Ray {
    /// The last point on the mesh, and its polygon.
    pub end: Point,
    pub node: Node,
    /// The edge that stopped it before its target.
    pub wall: Option<Gate>,
}

/// The most polygons that a ray crosses. It stops there.
const MAX_CROSSED: usize = 65_536;

impl View<'_> {
    /// Goes straight from a point of a polygon towards another point, up to the edge of the mesh.
    pub fn ray(&self, start: Point, first: Node, target: Point) -> Ray {
        let (mut node, mut before, mut passed) = (first, None, 0.0);
        for _ in 0..MAX_CROSSED {
            let exits = self.exits(start, node, target);
            let Some(&(part, wall, _)) = exits.first() else {
                return Ray { end: target, node, wall: None };
            };
            // At a corner there are two ways out.
            let at_once = exits.iter().take_while(|exit| exit.0 <= part + 1e-12);
            let next = at_once.clone().find_map(|&(part, gate, link)| {
                let at = mix(start, target, part);
                self.beyond(node, gate, link, at).filter(|next| Some(*next) != before)
            });
            passed = f64::max(passed, part);
            let Some(next) = next else {
                return Ray { end: mix(start, target, passed), node, wall: Some(wall) };
            };
            before = Some(node);
            node = next;
        }
        Ray { end: mix(start, target, passed), node, wall: Some([start, target]) }
    }

    /// Whether the straight way between two points of the mesh stays on it.
    pub fn is_clear(&self, start: Point, target: Point) -> bool {
        // A corner of the mesh is in several polygons.
        self.all_at(start).into_iter().any(|node| self.ray(start, node, target).wall.is_none())
    }

    /// Goes towards a point, and along the walls on the way. Returns where it ends.
    pub fn slide(&self, start: Point, first: Node, target: Point) -> Point {
        let (mut at, mut node, mut target) = (start, first, target);
        // Two walls make a corner, in which it stays.
        for _ in 0..3 {
            let ray = self.ray(at, node, target);
            (at, node) = (ray.end, ray.node);
            let Some([a, b]) = ray.wall else { break };
            let along = sub(b, a);
            let part = dot(sub(target, at), along) / dot(along, along);
            if !part.is_finite() {
                break;
            }
            target = [0, 1].map(|k| at[k] + part * along[k]);
        }
        at
    }

    /// The edges of a polygon through which the way to a target leaves it, and at which part of the
    /// way, the first one first.
    fn exits(&self, start: Point, node: Node, target: Point) -> Vec<(f64, Gate, Link)> {
        let mut exits = Vec::with_capacity(4);
        self.edges(node, |[a, b], link| {
            let along = sub(b, a);
            let length = along[0].hypot(along[1]);
            let [from, to] = [start, target].map(|p| cross(along, sub(p, a)) / length);
            if to < -Self::TOLERANCE && to < from {
                exits.push(((from / (from - to)).clamp(0.0, 1.0), [a, b], link));
            }
        });
        exits.sort_by(|a, b| a.0.total_cmp(&b.0));
        exits
    }

    /// The polygon behind a point of an edge.
    fn beyond(&self, node: Node, gate: Gate, link: Link, at: Point) -> Option<Node> {
        match link {
            Link::Wall => None,
            Link::Polygon(polygon) => Some(Node { polygon, ..node }),
            Link::Side(side) => {
                let axis = if side < 2 { 1 } else { 0 };
                let mut found = None;
                self.across(node.tile, gate, side, &mut |next, [a, b]| {
                    let (from, to) = (a[axis].min(b[axis]), a[axis].max(b[axis]));
                    if (from - Self::TOLERANCE..=to + Self::TOLERANCE).contains(&at[axis]) {
                        found.get_or_insert(next);
                    }
                });
                found
            }
        }
    }
}
