//! Keys of chunks, and the layout of the quadtree.

use bevy_ecs::component::Component;
use bevy_ecs::entity::Entity;
use bevy_ecs::reflect::ReflectComponent;
use bevy_reflect::Reflect;
use orogeny::Region;
use orogeny::limits::Limit;

/// The coarsest level of detail. A chunk of this level is 2^40 times as wide as one of level 0.
pub const MAX_LOD: u8 = 40;

/// Limits of a level of detail.
pub(crate) const LOD: Limit = Limit {
    name: "lod",
    unit: "",
    min: 0.0,
    max: MAX_LOD as f64,
    default: 0.0,
    help: "Level of detail, 0 the finest",
};

/// A square of the quadtree over the whole plane.
///
/// `lod` 0 is the finest level of detail. A chunk of level l is 2^l times as wide as one of level
/// 0, and chunk (x, z) of its level spans from (x, z) to (x + 1, z + 1) times that width.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Reflect)]
#[reflect(Debug, PartialEq, Hash, Clone)]
pub struct ChunkKey {
    /// The level of detail, 0 the finest.
    pub lod: u8,
    /// The index along x, in chunks of this level.
    pub x: i64,
    /// The index along z, in chunks of this level.
    pub z: i64,
}

impl ChunkKey {
    /// The chunk of the next coarser level that contains this one.
    pub fn parent(self) -> Self {
        self.ancestor(self.lod + 1)
    }

    /// The chunk of level `lod` that contains this one. `lod` must not be below the key's own
    /// level.
    pub fn ancestor(self, lod: u8) -> Self {
        let up = lod - self.lod;
        Self { lod, x: self.x >> up, z: self.z >> up }
    }

    /// The four chunks of the next finer level that this one consists of, for levels above 0.
    pub fn children(self) -> [Self; 4] {
        let Self { lod, x, z } = self;
        [(0, 0), (1, 0), (0, 1), (1, 1)].map(|(dx, dz)| Self {
            lod: lod - 1,
            x: 2 * x + dx,
            z: 2 * z + dz,
        })
    }

    /// The eight chunks of the same level that touch this one, corners included.
    pub fn neighbours(self) -> [Self; 8] {
        [(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1)]
            .map(|(dx, dz)| Self { x: self.x + dx, z: self.z + dz, ..self })
    }
}

/// A chunk of a terrain: a child entity of the terrain, spawned once its mesh is built.
///
/// The plugin spawns and despawns chunks. A chunk that is not drawn, because finer or coarser
/// chunks are drawn instead, has `Visibility::Hidden`.
#[derive(Component, Clone, Copy, Debug, Reflect)]
#[reflect(Component, Debug, Clone)]
pub struct Chunk {
    /// The terrain that it belongs to.
    pub terrain: Entity,
    /// The square that it covers, as a key.
    pub key: ChunkKey,
    /// The distance of the ground from its triangles that the levels of detail allow for, in metres
    /// along their normal.
    pub error: f32,
    /// The number of changes of the terrain so far. Chunks of different revisions may have
    /// different heights.
    pub revision: u32,
}

/// The sizes of chunks. The functions that take a layout require its numbers to be within their
/// limits, as those of a [`Terrain`](crate::Terrain) are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Layout {
    /// Cells along each side of a chunk: a power of two within [`CELLS`](crate::advanced::CELLS). A
    /// chunk has `cells` + 1 vertices along each side.
    pub cells: u32,
    /// The distance between neighbouring vertices at level 0 in metres: a power of two within
    /// [`SPACING`](crate::advanced::SPACING).
    pub spacing: f64,
}

impl Layout {
    /// The distance between neighbouring vertices at a level, in metres.
    pub fn spacing(&self, lod: u8) -> f64 {
        self.spacing * (1u64 << lod) as f64
    }

    /// The width of a chunk of a level, in metres.
    pub fn size(&self, lod: u8) -> f64 {
        self.spacing(lod) * f64::from(self.cells)
    }

    /// The corner of a chunk with the smallest coordinates, in metres from the origin of the
    /// terrain. Exact, since sizes are powers of two.
    pub fn origin(&self, key: ChunkKey) -> [f64; 2] {
        let size = self.size(key.lod);
        [key.x as f64 * size, key.z as f64 * size]
    }

    /// The corners of a chunk, with x running faster than z. Neighbouring chunks get bit-identical
    /// coordinates for corners that they share.
    pub fn corners(&self, key: ChunkKey) -> [[f64; 2]; 4] {
        [(0, 0), (1, 0), (0, 1), (1, 1)]
            .map(|(dx, dz)| self.origin(ChunkKey { x: key.x + dx, z: key.z + dz, ..key }))
    }

    /// The square of a chunk with its borders, in metres from the terrain's origin.
    pub(crate) fn square(&self, key: ChunkKey) -> Region {
        let [min, _, _, max] = self.corners(key);
        Region { min, max }
    }

    /// The chunk of a level that contains a point.
    pub fn key_at(&self, lod: u8, [x, z]: [f64; 2]) -> ChunkKey {
        let size = self.size(lod);
        ChunkKey { lod, x: (x / size).floor() as i64, z: (z / size).floor() as i64 }
    }

    /// The distance of a point from the nearest point of a chunk, in metres. 0 within the chunk.
    pub fn distance(&self, key: ChunkKey, point: [f64; 2]) -> f64 {
        let [x, z] = self.offset(key, point);
        x.hypot(z)
    }

    /// The distances along both axes of a point from the nearest point of a chunk, in metres.
    pub fn offset(&self, key: ChunkKey, point: [f64; 2]) -> [f64; 2] {
        let (origin, size) = (self.origin(key), self.size(key.lod));
        [0, 1].map(|k| (origin[k] - point[k]).max(point[k] - origin[k] - size).max(0.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const LAYOUT: Layout = Layout { cells: 32, spacing: 0.5 };

    proptest! {
        #[test]
        fn children_tile_their_parent(lod in 1u8..20, x in -1_000_000i64..1_000_000, z: i32) {
            let key = ChunkKey { lod, x, z: z.into() };
            let size = LAYOUT.size(lod);
            let corners = [[0.0, 0.0], [0.5, 0.0], [0.0, 0.5], [0.5, 0.5]];
            for (child, corner) in key.children().into_iter().zip(corners) {
                prop_assert_eq!(child.parent(), key);
                let [ox, oz] = LAYOUT.origin(key);
                let expected = [ox + corner[0] * size, oz + corner[1] * size];
                prop_assert_eq!(LAYOUT.origin(child), expected);
            }
            let centre = LAYOUT.origin(key).map(|corner| corner + size / 2.0);
            for neighbour in key.neighbours() {
                let distance = LAYOUT.distance(neighbour, centre) / size;
                prop_assert!((0.5..0.71).contains(&distance), "{neighbour:?}");
            }
        }

        #[test]
        fn a_point_is_in_its_chunk(lod in 0u8..20, p in [-1e12f64..1e12, -1e3f64..1e3]) {
            let key = LAYOUT.key_at(lod, p);
            prop_assert_eq!(LAYOUT.distance(key, p), 0.0);
            prop_assert_eq!(LAYOUT.key_at(lod + 3, p), key.ancestor(lod + 3));
        }
    }
}
