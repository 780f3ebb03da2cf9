//! The candidates of a kind: one in each cell, by hashing.

use alloc::vec::Vec;
use core::cell::Cell;
use core::ops::RangeInclusive;

use crate::arrays::Each;
#[cfg(not(feature = "std"))]
use crate::float::Float as _;
use crate::lattice::hash::{GOLDEN, avalanche, derive};
use crate::region::Region;

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
        [first, first >> 32, second, second >> 32, third].each(|bits| unit(bits as u32))
    }
}

/// The upper 24 bits as a number from 0 to 1, without 1.
#[inline]
fn unit(bits: u32) -> f32 {
    (bits >> 8) as f32 * (1.0 / 16_777_216.0)
}

/// The candidates of a kind in a region and around it.
pub(super) struct Candidates {
    cells: Cells,
    /// The first cell along each axis.
    first: [i64; 2],
    /// Where it begins, in metres.
    start: [f64; 2],
    size: [usize; 2],
    candidates: Vec<Candidate>,
    /// For each candidate: the density there if it stays, 0 if it does not, and NaN as long as
    /// nobody has asked.
    pub kept: Vec<Cell<f32>>,
}

impl Candidates {
    /// All candidates in the cells of a region and two cells around it. `None` if there are none.
    pub fn new(cells: Cells, region: &Region) -> Option<Self> {
        let is_valid = |x: f64| (x / cells.width).abs() < MAX_CELL;
        if ![region.min, region.max].as_flattened().iter().all(|&x| is_valid(x)) {
            return None;
        }
        // One cell for neighbours, another one for positions that are rounded to another cell.
        let first = region.min.each(|x| cells.index(x) - 2);
        let last = region.max.each(|x| cells.index(x) + 2);
        let size = [0, 1].each(|k| (last[k] - first[k]) as usize + 1);
        let mut candidates = Vec::with_capacity(size[0] * size[1]);
        for z in first[1]..=last[1] {
            let row = cells.row(z);
            candidates.extend((first[0]..=last[0]).map(|x| cells.candidate(row, [x, z])));
        }
        let start = first.each(|i| i as f64 * cells.width);
        let kept = vec![Cell::new(f32::NAN); candidates.len()];
        Some(Self { cells, first, start, size, candidates, kept })
    }

    pub fn candidate(&self, index: usize) -> &Candidate {
        &self.candidates[index]
    }

    /// The indices of all candidates but those of the outermost cells, with their cells.
    pub fn inner(&self) -> impl Iterator<Item = (usize, [i64; 2])> + use<> {
        let ([columns, rows], first) = (self.size, self.first);
        (1..rows - 1).flat_map(move |j| {
            let z = first[1] + j as i64;
            (1..columns - 1).map(move |i| (j * columns + i, [first[0] + i as i64, z]))
        })
    }

    /// Whether a candidate, which is not in the outermost cells, has a higher priority than all
    /// others within the radius.
    #[inline]
    pub fn has_priority(&self, index: usize) -> bool {
        // Of equal priorities that of the later cell counts.
        let order = |candidate: &Candidate, index: usize| {
            u64::from(candidate.priority()) << 32 | index as u64
        };
        let candidate = &self.candidates[index];
        let (p, own) = (candidate.position, order(candidate, index));
        let square = self.cells.width * self.cells.width;
        let columns = self.size[0];
        // Without branches: which of its rivals win cannot be predicted.
        let mut is_beaten = false;
        for middle in [index - columns, index, index + columns] {
            let row = &self.candidates[middle - 1..=middle + 1];
            for (rival, other) in row.iter().zip(middle - 1..) {
                let is_near = distance_squared(p, rival.position) < square;
                is_beaten |= (order(rival, other) > own) & is_near;
            }
        }
        !is_beaten
    }

    /// Whether any candidate with a property is within the smaller one of its radius and another
    /// one of a position.
    #[inline]
    pub fn any_near(&self, p: [f64; 2], radius: f64, is_one: impl Fn(usize) -> bool) -> bool {
        let reach = radius.min(self.cells.width);
        let columns = self.within(0, p[0], reach);
        let rows = self.within(1, p[1], reach);
        for row in rows {
            let row = row * self.size[0];
            for index in row + columns.start()..=row + columns.end() {
                let other = self.candidates[index].position;
                if distance_squared(p, other) < reach * reach && is_one(index) {
                    return true;
                }
            }
        }
        false
    }

    /// The cells along an axis that may have candidates within `reach`.
    #[inline]
    fn within(&self, axis: usize, x: f64, reach: f64) -> RangeInclusive<usize> {
        let at = (x - self.start[axis]) * self.cells.per_metre;
        // Positions far from the origin are rounded by a hundredth of a cell.
        let reach = reach * self.cells.per_metre + 0.02;
        let last = self.size[axis] as i32 - 1;
        // Both are small, so the cast is fast and rounds down.
        let first = ((at - reach) as i32).clamp(0, last);
        first as usize..=((at + reach) as i32).clamp(0, last) as usize
    }
}

#[inline]
fn distance_squared(p: [f64; 2], q: [f64; 2]) -> f64 {
    let [x, z] = [p[0] - q[0], p[1] - q[1]];
    x * x + z * z
}
