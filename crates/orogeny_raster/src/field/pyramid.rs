//! Bounds of blocks of cells, in levels that halve the resolution: the bounds of any rectangle of
//! cells take a bounded number of look-ups.

use std::ops::Range;

use crate::field::hull::{Hull, SmallHull};

/// The cells along a side of a block of the finest level, as a power of two.
const FINEST: usize = 3;
/// The most blocks along an axis that a query reads.
const MOST: usize = 8;

#[derive(Debug)]
struct Level {
    size: [usize; 2],
    blocks: Vec<SmallHull>,
}

/// The levels, the finest first; the last one is a single block.
#[derive(Debug)]
pub(crate) struct Pyramid {
    /// The cells along a side of a block of the finest level, as a power of two.
    finest: usize,
    levels: Vec<Level>,
}

impl Pyramid {
    /// The bounds of `cells` \[columns, rows\], from those of each.
    pub fn new(cells: [usize; 2], cell: impl Fn(usize, usize) -> Hull) -> Self {
        let blocks = blocks(cells, 1 << FINEST, cell);
        Self::of_blocks(FINEST, cells.map(|count| count.div_ceil(1 << FINEST)), blocks)
    }

    /// The bounds from those of blocks, of 2^`finest` cells a side; `size` is their number.
    pub fn of_blocks(finest: usize, size: [usize; 2], blocks: Vec<SmallHull>) -> Self {
        let mut levels = vec![Level { size, blocks }];
        while let Some(last) = levels.last().filter(|last| last.blocks.len() > 1) {
            let next = Level::new(last.size, 2, |columns, rows| {
                last.rectangle([columns.start, rows.start], [columns.end - 1, rows.end - 1])
            });
            levels.push(next);
        }
        Self { finest, levels }
    }

    /// The bounds of everything.
    pub fn all(&self) -> SmallHull {
        self.levels.last().map_or(SmallHull::EMPTY, |level| level.blocks[0])
    }

    /// Bounds of the cells from `first` to `last`, both included.
    pub fn of(&self, first: [usize; 2], last: [usize; 2]) -> SmallHull {
        for (k, level) in self.levels.iter().enumerate() {
            let [first, last] = [first, last].map(|cell| cell.map(|x| x >> (k + self.finest)));
            if last[0] - first[0] < MOST && last[1] - first[1] < MOST {
                return level.rectangle(first, last);
            }
        }
        self.all()
    }
}

/// The bounds of blocks of `side` x `side` cells, row by row.
pub(crate) fn blocks(
    cells: [usize; 2],
    side: usize,
    cell: impl Fn(usize, usize) -> Hull,
) -> Vec<SmallHull> {
    let level = Level::new(cells, side, |columns, rows| {
        let cells = rows.flat_map(|j| columns.clone().map(move |i| (i, j)));
        cells.fold(Hull::EMPTY, |all, (i, j)| all.or(cell(i, j))).small()
    });
    level.blocks
}

impl Level {
    /// A level whose blocks are of up to `side` x `side` parts of a finer one: of ranges of
    /// columns and rows.
    fn new(
        parts: [usize; 2],
        side: usize,
        block: impl Fn(Range<usize>, Range<usize>) -> SmallHull,
    ) -> Self {
        let size = parts.map(|count| count.div_ceil(side));
        let range = |i: usize, count: usize| i * side..((i + 1) * side).min(count);
        let blocks = (0..size[1])
            .flat_map(|j| (0..size[0]).map(move |i| (i, j)))
            .map(|(i, j)| block(range(i, parts[0]), range(j, parts[1])));
        Self { size, blocks: blocks.collect() }
    }

    fn rectangle(&self, first: [usize; 2], last: [usize; 2]) -> SmallHull {
        let row = |j: usize| &self.blocks[j * self.size[0] + first[0]..=j * self.size[0] + last[0]];
        (first[1]..=last[1]).flat_map(row).fold(SmallHull::EMPTY, |all, &block| all.or(block))
    }
}
