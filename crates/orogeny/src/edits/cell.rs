//! The cells of the quadtree of edits: squares of powers of two of a metre.

#[cfg(not(feature = "std"))]
use crate::float::Float as _;
use crate::region::Region;

/// A square of 2^level metres. Cells of all levels are numbered from the same corner of the world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Cell {
    pub level: u32,
    pub index: [u64; 2],
}

/// The number of the cell of 1 m at the origin. Its bits alternate, so that the origin is far from
/// the borders of large cells, and edits around it have few levels above them.
const ORIGIN: i64 = 0x0015_5555_5555_5555;

/// The maximum number of levels: all places of edits are within 2^51 m.
pub(super) const LEVELS: usize = 54;

/// The number of the cell of 1 m that contains a coordinate.
pub(super) fn cell_of(x: f64) -> u64 {
    (x.floor() as i64).saturating_add(ORIGIN).max(0) as u64
}

impl Cell {
    pub fn parent(self) -> Self {
        Self { level: self.level + 1, index: self.index.map(|i| i >> 1) }
    }

    pub fn contains(self, other: Self) -> bool {
        let shift = self.level.checked_sub(other.level);
        shift.is_some_and(|shift| other.index.map(|i| i >> shift) == self.index)
    }

    /// Which child, counted on `level`, contains the cell `index` of level `of`.
    pub fn child(index: [u64; 2], of: u32, level: u32) -> usize {
        let bit = |k: usize| ((index[k] >> (level - of)) & 1) as usize;
        bit(0) | (bit(1) << 1)
    }

    /// The cells of an edit.
    pub fn of(region: &Region) -> impl Iterator<Item = Self> {
        let ends = [region.min, region.max].map(|end| end.map(cell_of));
        // One level up for each bit of the distance: then there are at most two along each axis.
        let distance = (ends[1][0] - ends[0][0]).max(ends[1][1] - ends[0][1]);
        let level = u64::BITS - distance.leading_zeros();
        let [first, last] = ends.map(|end| end.map(|i| i >> level));
        (first[1]..=last[1])
            .flat_map(move |z| (first[0]..=last[0]).map(move |x| Self { level, index: [x, z] }))
    }
}

/// The position of a point along a Z-order curve, in cells of 16 m. Only neighbours have to be near
/// each other on it, so the highest bits do not matter.
pub(super) fn z_order(p: [f64; 2]) -> u64 {
    let spread = |x: u64| {
        let mut bits = (x >> 4) & 0xffff_ffff;
        for (shift, mask) in [
            (16, 0x0000_ffff_0000_ffff),
            (8, 0x00ff_00ff_00ff_00ff),
            (4, 0x0f0f_0f0f_0f0f_0f0f),
            (2, 0x3333_3333_3333_3333),
            (1, 0x5555_5555_5555_5555),
        ] {
            bits = (bits | (bits << shift)) & mask;
        }
        bits
    };
    let [x, z] = p.map(|x| spread(cell_of(x)));
    x | (z << 1)
}
