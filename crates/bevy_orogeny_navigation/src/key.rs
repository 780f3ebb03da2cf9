//! Which square a tile covers.

use bevy_orogeny::orogeny::Region;

/// A square of the plane: tile (x, z) spans from (x, z) to (x + 1, z + 1) times
/// [`size`](Self::size), from the terrain's origin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TileKey {
    /// The index along x.
    pub x: i64,
    /// The index along z.
    pub z: i64,
}

impl TileKey {
    /// Cells along each side of a tile.
    pub const CELLS: u16 = 64;

    /// The width of a tile in metres, of cells of a width. Exact, since that is a power of two.
    pub fn size(cell_size: f64) -> f64 {
        f64::from(Self::CELLS) * cell_size
    }

    /// The tile that contains a point (x, z), in metres from the terrain's origin.
    pub fn at(position: [f64; 2], cell_size: f64) -> Self {
        let [x, z] = position.map(|at| (at / Self::size(cell_size)).floor() as i64);
        Self { x, z }
    }

    /// The corner (x, z) with the smallest coordinates, in metres from the terrain's origin.
    pub fn corner(self, cell_size: f64) -> [f64; 2] {
        [self.x, self.z].map(|index| index as f64 * Self::size(cell_size))
    }

    /// The square with its borders, in metres from the terrain's origin.
    pub fn square(self, cell_size: f64) -> Region {
        let next = Self { x: self.x + 1, z: self.z + 1 };
        Region { min: self.corner(cell_size), max: next.corner(cell_size) }
    }

    /// The tile at a side: 0 and 1 along x, before and behind it, 2 and 3 along z.
    pub(crate) fn beside(self, side: usize) -> Self {
        let Self { x, z } = self;
        match side {
            0 => Self { x: x - 1, z },
            1 => Self { x: x + 1, z },
            2 => Self { x, z: z - 1 },
            _ => Self { x, z: z + 1 },
        }
    }

    /// The tiles that come within `reach` metres of a point, in any order.
    pub(crate) fn around(
        position: [f64; 2],
        reach: f64,
        cell_size: f64,
    ) -> impl Iterator<Item = Self> {
        let [from, to] = [-reach, reach].map(|by| Self::at(position.map(|at| at + by), cell_size));
        (from.z..=to.z)
            .flat_map(move |z| (from.x..=to.x).map(move |x| Self { x, z }))
            .filter(move |key| key.distance(position, cell_size) <= reach)
    }

    /// The distance of a point from the nearest point of the square, in metres.
    pub(crate) fn distance(self, position: [f64; 2], cell_size: f64) -> f64 {
        let Region { min, max } = self.square(cell_size);
        let [x, z] = [0, 1].map(|k| (min[k] - position[k]).max(position[k] - max[k]).max(0.0));
        x.hypot(z)
    }
}
