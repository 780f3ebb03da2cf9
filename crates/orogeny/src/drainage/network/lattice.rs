//! The jittered triangular lattice of a level.

use alloc::vec::Vec;

use crate::arrays::Each;
#[cfg(not(feature = "std"))]
use crate::float::Float as _;
use crate::lattice::hash::{Key, corner, derive, mix, premix};
use crate::region::Region;

/// The indices of a node along the two axes of its lattice.
pub(in crate::drainage) type Index = [i64; 2];

/// The six neighbours of a node, counterclockwise.
pub(in crate::drainage) const NEIGHBOURS: [Index; 6] =
    [[1, 0], [0, 1], [-1, 1], [-1, 0], [0, -1], [1, -1]];

/// The distance between rows over that between columns: the square root of 3/4, rounded to a
/// fraction whose products with small integers are exact.
const ROW: f64 = 111.0 / 128.0;

/// The largest displacement of a node, in spacings. Below 0.433 no triangle of neighbours can turn
/// over, so that edges between neighbours never cross.
pub(in crate::drainage) const JITTER: f64 = 0.28;

/// Cosines and sines of the angles by which lattices are turned: rational, so that they are the
/// same everywhere.
const TURNS: [[f64; 2]; 4] = [
    [4.0 / 5.0, 3.0 / 5.0],
    [12.0 / 13.0, 5.0 / 13.0],
    [3.0 / 5.0, 4.0 / 5.0],
    [24.0 / 25.0, 7.0 / 25.0],
];

/// A triangular lattice, turned, with a jittered node for every point.
#[derive(Clone, Debug)]
pub(in crate::drainage) struct NodeLattice {
    /// The distance between neighbouring points.
    pub spacing: f64,
    turn: [f64; 2],
    keys: [Key; 2],
}

impl NodeLattice {
    pub fn new(seed: u64, level: usize, spacing: f64) -> Self {
        let seed = derive(seed, level as u64);
        let keys = [0, 1].each(|axis| Key::new(derive(seed, axis)));
        Self { spacing, turn: TURNS[level % TURNS.len()], keys }
    }

    /// The hash of a node.
    pub fn hash(&self, [i, j]: Index) -> u32 {
        mix(corner([premix(i, &self.keys[0]), premix(j, &self.keys[1])]))
    }

    /// The position of a lattice point.
    pub fn point(&self, [i, j]: Index) -> [f64; 2] {
        let [cos, sin] = self.turn;
        let (a, b) = (i as f64 + 0.5 * j as f64, j as f64 * ROW);
        [self.spacing * (cos * a - sin * b), self.spacing * (sin * a + cos * b)]
    }

    /// The position of the node of a lattice point: in a disc around it.
    pub fn node(&self, [x, z]: [f64; 2], hash: u32) -> [f64; 2] {
        let [dx, dz] = in_disc(hash);
        let reach = JITTER * self.spacing;
        [x + reach * dx, z + reach * dz]
    }

    /// The coordinates of a position along the axes of the lattice.
    pub fn coordinates(&self, [x, z]: [f64; 2]) -> [f64; 2] {
        let [cos, sin] = self.turn;
        let v = (cos * z - sin * x) / (ROW * self.spacing);
        [(cos * x + sin * z) / self.spacing - 0.5 * v, v]
    }

    /// The lattice point next to a position. Positions with the same one form a hexagon.
    pub fn nearest(&self, p: [f64; 2]) -> Index {
        let [u, v] = self.coordinates(p);
        let first = [u.floor(), v.floor()];
        let (du, dv) = (u - first[0], v - first[1]);
        let distance = |[i, j]: Index| {
            let (u, v) = (du - i as f64, dv - j as f64);
            let (a, b) = (u + 0.5 * v, v * ROW);
            a * a + b * b
        };
        let corners = [[0, 0], [1, 0], [0, 1], [1, 1]];
        let mut best = corners[0];
        for corner in &corners[1..] {
            if distance(*corner) < distance(best) {
                best = *corner;
            }
        }
        [first[0] as i64 + best[0], first[1] as i64 + best[1]]
    }

    /// The lattice points in a region.
    pub fn window(&self, region: Region) -> Window {
        let Region { min, max } = region;
        let corners = [min, [max[0], min[1]], [min[0], max[1]], max];
        let rows = corners.each(|corner| self.coordinates(corner)[1]);
        let first = rows.iter().fold(f64::INFINITY, |a, &b| a.min(b)).floor() as i64;
        let last = rows.iter().fold(f64::NEG_INFINITY, |a, &b| a.max(b)).ceil() as i64;
        let [cos, sin] = self.turn;
        // Along a row, both coordinates grow: x with the cosine, z with the sine.
        let ends = |j: i64| {
            let [x, z] = self.point([0, j]);
            let at = |p: [f64; 2]| [(p[0] - x) / cos, (p[1] - z) / sin].each(|d| d / self.spacing);
            let [from, to] = [at(min), at(max)];
            // Rounded outwards, and then cut off exactly.
            let mut first = from[0].max(from[1]).floor() as i64;
            let mut end = to[0].min(to[1]).ceil() as i64 + 1;
            while first < end && !region.contains(self.point([first, j])) {
                first += 1;
            }
            while first < end && !region.contains(self.point([end - 1, j])) {
                end -= 1;
            }
            (first, (end - first).max(0) as usize)
        };
        Window::new(first, (first..=last).map(ends))
    }
}

/// A point of the unit disc.
fn in_disc(hash: u32) -> [f64; 2] {
    // A square maps to the disc by scaling each concentric square to a circle. So points are up to
    // twice as dense towards the diagonals.
    let [x, y] = [hash & 0xffff, hash >> 16].each(|half| (f64::from(half) + 0.5) / 32768.0 - 1.0);
    let longest = x.abs().max(y.abs());
    let scale = longest / (x * x + y * y).sqrt();
    [x * scale, y * scale]
}

/// A number in 0 to 1 of a node: `stream` selects which.
pub(in crate::drainage) fn unit(hash: u32, stream: u32) -> f64 {
    let own = hash.wrapping_add((stream + 1).wrapping_mul(crate::lattice::hash::INCREMENT));
    f64::from(mix(own)) / f64::from(u32::MAX)
}

/// The index of a neighbour.
pub(in crate::drainage) fn neighbour(index: Index, step: Index) -> Index {
    [index[0] + step[0], index[1] + step[1]]
}

/// Neighbouring indices of a row.
#[derive(Clone, Copy, Debug)]
struct Row {
    first: i64,
    len: usize,
    /// The place of the first in a table.
    start: usize,
}

impl Row {
    const EMPTY: Self = Self { first: 0, len: 0, start: 0 };

    fn place(&self, i: i64) -> Option<usize> {
        let at = i.wrapping_sub(self.first) as u64;
        (at < self.len as u64).then(|| self.start + at as usize)
    }
}

/// Some lattice indices: a run of each row.
#[derive(Clone, Debug)]
pub(in crate::drainage) struct Window {
    /// The second index of the first row.
    first: i64,
    rows: Vec<Row>,
    len: usize,
}

impl Window {
    /// Rows from a first one on: the first index of each, and how many it has.
    pub fn new(first: i64, rows: impl Iterator<Item = (i64, usize)>) -> Self {
        let mut start = 0;
        let rows = rows.map(|(first, len)| {
            let row = Row { first, len, start };
            start += len;
            row
        });
        let rows = rows.collect();
        Self { first, rows, len: start }
    }

    pub fn len(&self) -> usize {
        self.len
    }

    /// The place of an index in a table.
    pub fn place(&self, [i, j]: Index) -> Option<usize> {
        let row = usize::try_from(j.wrapping_sub(self.first)).ok()?;
        self.rows.get(row)?.place(i)
    }

    /// All indices, row by row.
    pub fn indices(&self) -> impl Iterator<Item = Index> {
        self.rows.iter().zip(self.first..).flat_map(|(row, j)| {
            let Row { first, len, .. } = *row;
            (first..first + len as i64).map(move |i| [i, j])
        })
    }

    /// The places of the six [`NEIGHBOURS`] of each index, and then of
    /// an index without neighbours. The place of those that are missing is the length of a table.
    pub fn neighbours(&self) -> Vec<[u32; 6]> {
        let missing = self.len as u32;
        let place = |row: &Row, i: i64| row.place(i).map_or(missing, |place| place as u32);
        let mut all = Vec::with_capacity(self.len + 1);
        for (j, row) in self.rows.iter().enumerate() {
            let beside =
                |j: Option<usize>| j.and_then(|j| self.rows.get(j)).copied().unwrap_or(Row::EMPTY);
            let (above, below) = (beside(Some(j + 1)), beside(j.checked_sub(1)));
            all.extend((row.first..row.first + row.len as i64).map(|i| {
                [
                    place(row, i + 1),
                    place(&above, i),
                    place(&above, i - 1),
                    place(row, i - 1),
                    place(&below, i),
                    place(&below, i + 1),
                ]
            }));
        }
        all.push([missing; 6]);
        all
    }
}

/// A value for each index of a window.
#[derive(Clone, Debug)]
pub(in crate::drainage) struct Table<T> {
    pub window: Window,
    pub values: Vec<T>,
}

impl<T> Table<T> {
    pub fn get(&self, index: Index) -> Option<&T> {
        Some(&self.values[self.window.place(index)?])
    }

    /// All indices with their values, row by row.
    pub fn iter(&self) -> impl Iterator<Item = (Index, &T)> {
        self.window.indices().zip(&self.values)
    }
}

impl<T> core::ops::Index<Index> for Table<T> {
    type Output = T;

    fn index(&self, index: Index) -> &T {
        self.get(index).expect("an index in the window")
    }
}
