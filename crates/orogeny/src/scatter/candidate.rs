//! The candidates of a kind: one in each cell, by hashing.

#[cfg(not(feature = "std"))]
use crate::float::Float as _;
use crate::lattice::hash::{GOLDEN, avalanche, derive};

/// Candidates beyond this many cells from the origin do not exist: their positions would be too
/// coarse. At a radius of 0.2 m that is 3.5e12 m.
pub(crate) const MAX_CELL: f64 = (1u64 << 44) as f64;

/// The cells of a kind.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cells {
    key: u64,
    /// The width of a cell in metres.
    pub width: f64,
    /// Its inverse.
    pub per_metre: f64,
}

/// The candidate of a cell.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Candidate {
    pub position: [f64; 2],
    /// Random bits, independent of the position.
    bits: u64,
}

impl Cells {
    /// The cells of a kind of this seed and radius, in a world.
    pub fn new(world: u64, seed: u64, width: f64) -> Self {
        Self { key: derive(derive(world, SALT), seed), width, per_metre: 1.0 / width }
    }

    /// The cell of a coordinate.
    pub fn index(&self, x: f64) -> i64 {
        (x / self.width).floor() as i64
    }

    /// The key of a row of cells.
    #[inline]
    pub fn row(&self, z: i64) -> u64 {
        avalanche(self.key ^ (z as u64).wrapping_mul(GOLDEN))
    }

    /// The candidate of a cell in a row.
    #[inline]
    pub fn candidate(&self, row: u64, [x, z]: [i64; 2]) -> Candidate {
        let bits = avalanche(row.wrapping_add((x as u64).wrapping_mul(GOLDEN)));
        let part = |bits: u64| (bits & 0x1f_ffff) as f64 * (1.0 / f64::from(1 << 21));
        let position =
            [(x as f64 + part(bits)) * self.width, (z as f64 + part(bits >> 21)) * self.width];
        Candidate { position, bits: avalanche(bits ^ GOLDEN) }
    }
}

/// Keeps scatter apart from noises of the same seed.
const SALT: u64 = 0x5ca7_7e2d;

impl Candidate {
    /// Of two that are too near to each other, the one with the higher priority may stay.
    #[inline]
    pub fn priority(&self) -> u32 {
        (self.bits >> 32) as u32
    }

    /// A random number from 0 to 1, to be compared with the density.
    #[inline]
    pub fn threshold(&self) -> f32 {
        unit(self.bits as u32)
    }

    /// The first one of its numbers.
    #[inline]
    pub fn rank(&self) -> f32 {
        unit(avalanche(self.bits ^ SALT) as u32)
    }

    /// Five more random numbers from 0 to 1.
    pub fn numbers(&self) -> [f32; 5] {
        let first = avalanche(self.bits ^ SALT);
        let second = avalanche(first ^ GOLDEN);
        let third = avalanche(second ^ GOLDEN);
        [first, first >> 32, second, second >> 32, third].map(|bits| unit(bits as u32))
    }
}

/// The upper 24 bits as a number from 0 to 1, without 1.
#[inline]
fn unit(bits: u32) -> f32 {
    (bits >> 8) as f32 * (1.0 / 16_777_216.0)
}
