//! Rectangles of lattice indices, and tables over them.

use alloc::vec::Vec;

use crate::drainage::lattice::Index;

/// A box of the plane: its smallest and its largest corner.
pub(super) type Area = [[f64; 2]; 2];

/// The area with a margin around it.
pub(super) fn grown([min, max]: Area, margin: f64) -> Area {
    [min.map(|x| x - margin), max.map(|x| x + margin)]
}

/// A rectangle of lattice indices.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Window {
    pub first: Index,
    pub size: [usize; 2],
}

impl Window {
    /// All indices between two, both included.
    pub fn between(first: Index, last: Index) -> Self {
        Self { first, size: [0, 1].map(|k| (last[k] - first[k] + 1).max(0) as usize) }
    }

    pub fn len(&self) -> usize {
        self.size[0] * self.size[1]
    }

    /// The place of an index in a table.
    pub fn place(&self, index: Index) -> Option<usize> {
        let [i, j] = [0, 1].map(|k| index[k] - self.first[k]);
        let is_in = |i: i64, n: usize| (0..n as i64).contains(&i);
        (is_in(i, self.size[0]) && is_in(j, self.size[1]))
            .then(|| j as usize * self.size[0] + i as usize)
    }

    /// All indices, row by row.
    pub fn indices(&self) -> impl Iterator<Item = Index> + use<> {
        let Self { first, size } = *self;
        (0..size[1] as i64)
            .flat_map(move |j| (0..size[0] as i64).map(move |i| [first[0] + i, first[1] + j]))
    }

    /// A table with a value for each index.
    pub fn map<T>(&self, mut value: impl FnMut(Index) -> T) -> Table<T> {
        let mut values = Vec::with_capacity(self.len());
        for j in 0..self.size[1] as i64 {
            for i in 0..self.size[0] as i64 {
                values.push(value([self.first[0] + i, self.first[1] + j]));
            }
        }
        Table { window: *self, values }
    }
}

/// A value for each index of a window.
#[derive(Clone, Debug)]
pub(super) struct Table<T> {
    pub window: Window,
    pub values: Vec<T>,
}

impl<T> Table<T> {
    pub fn get(&self, index: Index) -> Option<&T> {
        Some(&self.values[self.window.place(index)?])
    }

    pub fn get_mut(&mut self, index: Index) -> Option<&mut T> {
        let place = self.window.place(index)?;
        Some(&mut self.values[place])
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
