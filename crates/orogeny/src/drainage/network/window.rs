//! The lattice points of a region, row by row, and tables over them.

use alloc::vec::Vec;

use crate::drainage::network::lattice::Index;

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

    /// The places of the six [`NEIGHBOURS`](super::lattice::NEIGHBOURS) of each index, and then of
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
