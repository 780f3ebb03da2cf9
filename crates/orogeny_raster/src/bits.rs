//! Sets of indices, of one bit each.

/// A set of indices below a number.
#[derive(Clone, Debug, Default)]
pub(crate) struct Bits(Vec<u64>);

impl Bits {
    /// The empty set of indices below `count`.
    pub fn new(count: usize) -> Self {
        Self(vec![0; count.div_ceil(64)])
    }

    pub fn has(&self, index: usize) -> bool {
        self.0.get(index / 64).is_some_and(|word| word >> (index % 64) & 1 == 1)
    }

    /// Adds an index. Returns whether it is new; one that is too large is not.
    pub fn add(&mut self, index: usize) -> bool {
        let is_new = !self.has(index);
        let Some(word) = self.0.get_mut(index / 64) else { return false };
        *word |= 1 << (index % 64);
        is_new
    }
}
