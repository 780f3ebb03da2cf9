//! Which square a tile covers.

use bevy_orogeny::orogeny::Region;
use bevy_platform::collections::HashSet;

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

    /// The tiles that meet a finite region, in the order of rows.
    pub(crate) fn within(region: Region, cell_size: f64) -> impl Iterator<Item = Self> {
        let [from, to] = [region.min, region.max].map(|corner| Self::at(corner, cell_size));
        (from.z..=to.z).flat_map(move |z| (from.x..=to.x).map(move |x| Self { x, z }))
    }

    /// The tiles that come within `reach` metres of a region, with their distances from it.
    pub(crate) fn around(
        region: Region,
        reach: f64,
        cell_size: f64,
    ) -> impl Iterator<Item = (Self, f64)> {
        // With another row on each side, since tiles belong to their borders on both.
        Self::within(region.grown(reach + Self::size(cell_size)), cell_size)
            .map(move |key| (key, key.distance(region, cell_size)))
            .filter(move |(_, distance)| *distance <= reach)
    }

    /// Those of some tiles that come within a margin of regions, in metres.
    pub(crate) fn near(
        tiles: &HashSet<Self>,
        regions: &[Region],
        margin: f64,
        cell_size: f64,
    ) -> HashSet<Self> {
        let mut found = HashSet::default();
        for region in regions.iter().filter(|region| !region.is_empty()) {
            let region = region.grown(margin);
            let size = Self::size(cell_size);
            let [columns, rows] = [0, 1].map(|k| (region.max[k] - region.min[k]) / size + 2.0);
            // Goes over whichever are fewer: the tiles of the region, or all.
            if columns * rows < tiles.len() as f64 {
                found.extend(Self::within(region, cell_size).filter(|key| tiles.contains(key)));
            } else {
                found.extend(tiles.iter().filter(|key| key.square(cell_size).meets(&region)));
            }
        }
        found
    }

    /// The distance of a region from the square, in metres; 0 if they meet.
    fn distance(self, region: Region, cell_size: f64) -> f64 {
        let Region { min, max } = self.square(cell_size);
        let [x, z] = [0, 1].map(|k| (min[k] - region.max[k]).max(region.min[k] - max[k]).max(0.0));
        x.hypot(z)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tiles_near_regions_are_found_either_way() {
        let around = |reach| TileKey::around(Region::around([8.0; 2], [0.0; 2]), reach, 0.25);
        let region = |x, z, by| Region::around([x, z], [by; 2]);
        let regions = [region(20.0, 20.0, 3.0), region(-9.0, 40.0, 0.0), Region::EMPTY];
        let all = Region { min: [f64::NEG_INFINITY; 2], max: [60.0, 3.0] };
        for count in [30.0, 90.0, 300.0] {
            let tiles: HashSet<TileKey> = around(count).map(|(key, _)| key).collect();
            for regions in [&regions[..], &[all], &[regions[0], all]] {
                let near = |key: &TileKey| {
                    let square = key.square(0.25).grown(5.0);
                    regions.iter().any(|region| region.meets(&square))
                };
                let expected: HashSet<_> = tiles.iter().copied().filter(near).collect();
                assert_eq!(TileKey::near(&tiles, regions, 5.0, 0.25), expected);
            }
        }
        // A tile touches the circle, on any side.
        let found: Vec<_> = around(8.0).map(|(key, _)| (key.x, key.z)).collect();
        assert_eq!(found, [(0, -1), (-1, 0), (0, 0), (1, 0), (0, 1)]);
    }
}
