//! Finds room for ranges of records in a buffer that grows.

use core::ops::Range;

/// The parts of a buffer that are free, in order.
#[derive(Clone, Debug, Default)]
pub struct Room {
    free: Vec<Range<u32>>,
    size: u32,
}

impl Room {
    /// The size of the buffer.
    pub fn size(&self) -> u32 {
        self.size
    }

    /// Makes the buffer larger.
    pub fn grow(&mut self, size: u32) {
        if size > self.size {
            let more = self.size..size;
            self.size = size;
            self.give_back(more);
        }
    }

    /// The first free range of a length, which is free no longer. `None` if there is none.
    pub fn take(&mut self, length: u32) -> Option<u32> {
        let index = self.free.iter().position(|range| range.end - range.start >= length)?;
        let range = &mut self.free[index];
        let start = range.start;
        range.start += length;
        if range.start == range.end {
            self.free.remove(index);
        }
        Some(start)
    }

    /// Frees a range that was taken.
    pub fn give_back(&mut self, range: Range<u32>) {
        let next = self.free.partition_point(|free| free.start < range.start);
        let joins_next = self.free.get(next).is_some_and(|free| free.start == range.end);
        let joins_last = next > 0 && self.free[next - 1].end == range.start;
        match (joins_last, joins_next) {
            (true, true) => self.free[next - 1].end = self.free.remove(next).end,
            (true, false) => self.free[next - 1].end = range.end,
            (false, true) => self.free[next].start = range.start,
            (false, false) => self.free.insert(next, range),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Ranges never overlap, and all room is there again after they are given back.
        #[test]
        fn ranges_are_apart_and_come_back(
            steps in prop::collection::vec((1u32..40, any::<bool>(), 0usize..64), 1..200),
        ) {
            let mut ranges = Room::default();
            ranges.grow(150);
            ranges.grow(400);
            let mut taken: Vec<Range<u32>> = Vec::new();
            for (length, takes, which) in steps {
                if takes {
                    let Some(start) = ranges.take(length) else { continue };
                    let range = start..start + length;
                    prop_assert!(range.end <= 400);
                    let apart = |other: &Range<u32>| {
                        other.end <= range.start || other.start >= range.end
                    };
                    prop_assert!(taken.iter().all(apart));
                    taken.push(range);
                } else if !taken.is_empty() {
                    ranges.give_back(taken.swap_remove(which % taken.len()));
                }
            }
            taken.into_iter().for_each(|range| ranges.give_back(range));
            prop_assert_eq!(ranges.take(400), Some(0));
        }
    }
}
