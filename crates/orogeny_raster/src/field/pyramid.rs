//! Bounds of blocks of cells, in levels that halve the resolution: the bounds of any rectangle of
//! cells take a bounded number of look-ups.

use crate::field::hull::Hull;

/// The cells along a side of a block of the finest level, as a power of two.
const FINEST: usize = 3;
/// The most blocks along an axis that a query reads.
const MOST: usize = 8;

#[derive(Debug)]
struct Level {
    size: [usize; 2],
    blocks: Vec<Hull>,
}

/// The levels, the finest first; the last one is a single block.
#[derive(Debug)]
pub(super) struct Pyramid {
    levels: Vec<Level>,
}

impl Pyramid {
    /// The bounds of `cells` \[columns, rows\], from those of each.
    pub fn new(cells: [usize; 2], cell: impl Fn(usize, usize) -> Hull) -> Self {
        let mut levels = vec![Level::halved(cells, 1 << FINEST, cell)];
        while let Some(last) = levels.last().filter(|last| last.blocks.len() > 1) {
            let next = Level::halved(last.size, 2, |i, j| last.blocks[j * last.size[0] + i]);
            levels.push(next);
        }
        Self { levels }
    }

    /// The bounds of everything.
    pub fn all(&self) -> Hull {
        self.levels.last().map_or(Hull::EMPTY, |level| level.blocks[0])
    }

    /// Bounds of the cells from `first` to `last`, both included.
    pub fn of(&self, first: [usize; 2], last: [usize; 2]) -> Hull {
        for (k, level) in self.levels.iter().enumerate() {
            let [first, last] = [first, last].map(|cell| cell.map(|x| x >> (k + FINEST)));
            if last[0] - first[0] < MOST && last[1] - first[1] < MOST {
                return level.rectangle(first, last);
            }
        }
        self.all()
    }
}

impl Level {
    /// A level whose blocks are of `side` x `side` parts of a finer one.
    fn halved(parts: [usize; 2], side: usize, part: impl Fn(usize, usize) -> Hull) -> Self {
        let size = parts.map(|count| count.div_ceil(side));
        let mut blocks = vec![Hull::EMPTY; size[0] * size[1]];
        for j in 0..parts[1] {
            for i in 0..parts[0] {
                let block = &mut blocks[j / side * size[0] + i / side];
                *block = block.or(part(i, j));
            }
        }
        Self { size, blocks }
    }

    fn rectangle(&self, first: [usize; 2], last: [usize; 2]) -> Hull {
        let row = |j: usize| &self.blocks[j * self.size[0] + first[0]..=j * self.size[0] + last[0]];
        (first[1]..=last[1]).flat_map(row).fold(Hull::EMPTY, |all, &block| all.or(block))
    }
}
