//! The polygon at a point, or near it.

use bevy_orogeny::orogeny::Region;

use super::vector::{Point, distance, nearest_on};
use super::view::{Node, View};
use crate::key::TileKey;
use crate::tile::TileError;

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
