//! Blocks: the edits of a cell of the index in short lists, which snapshots share.
//!
//! A change copies one block and the list of blocks, however many edits are in the cell. Blocks end
//! after edits whose ids have a certain hash, so the blocks of a set of edits do not depend on the
//! order in which they arrived, and neither do the bits of what is summed over them.

use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::derivative::chain_rule::Differentiated;
use crate::edits::change::EditId;
use crate::edits::operations::{AreaEdit, PreparedEdit, Raise};
use crate::edits::smoothed_bases::{Wavelength, Wavelengths};
use crate::edits::steps::{Step, Steps};
use crate::edits::widening::Widening;
use crate::lattice::hash::derive;
use crate::region::Region;

/// The mean number of edits in a block, a power of two.
const LENGTH: u64 = 32;

/// Edits that follow each other in a cell: one or more, except while a cell is built.
#[derive(Clone, Debug)]
pub(super) struct Block {
    /// In the order of their ids.
    pub edits: Vec<IndexedEdit>,
    steps: Steps,
    pub summary: Summary,
}

/// What is known about all of some edits.
#[derive(Clone, Copy, Debug)]
pub(super) struct Summary {
    /// Contains their regions.
    pub region: Region,
    /// What those that touch one place can do to its bounds.
    pub widening: Widening,
    /// The wavelengths of the smoothed bases that they use.
    pub wavelengths: Wavelengths,
    /// Whether one of them changes ground, its cover or its water.
    pub changes_ground: bool,
}

impl Summary {
    pub const NONE: Self = Self {
        region: Region::EMPTY,
        widening: Widening::NONE,
        wavelengths: Wavelengths::NONE,
        changes_ground: false,
    };

    pub fn of(edit: &IndexedEdit) -> Self {
        Self {
            region: edit.region,
            widening: edit.operation.widening(),
            wavelengths: edit.wavelength().into(),
            changes_ground: edit.changes_ground(),
        }
    }

    /// That of edits which may all touch one place.
    pub fn with(self, other: Self) -> Self {
        Self { widening: self.widening.with(other.widening), ..self.or(other) }
    }

    /// That of edits at different places.
    pub fn or(self, other: Self) -> Self {
        Self {
            region: self.region.union(&other.region),
            widening: self.widening.or(other.widening),
            wavelengths: self.wavelengths.union(other.wavelengths),
            changes_ground: self.changes_ground || other.changes_ground,
        }
    }
}

impl Block {
    /// The blocks of edits, which are in the order of their ids.
    fn split(edits: Vec<IndexedEdit>) -> impl Iterator<Item = Arc<Self>> {
        let mut edits = edits.into_iter();
        core::iter::from_fn(move || {
            let mut own = Vec::new();
            for edit in edits.by_ref() {
                let id = edit.id;
                own.push(edit);
                if ends_block(id) {
                    break;
                }
            }
            (!own.is_empty()).then(|| Arc::new(Self::new(own)))
        })
    }

    fn new(mut edits: Vec<IndexedEdit>) -> Self {
        edits.shrink_to_fit();
        let steps = Steps::of(&edits);
        let summary = edits.iter().map(Summary::of).fold(Summary::NONE, Summary::with);
        Self { edits, steps, summary }
    }

    /// The step that begins with edit `at`, up to an edit with this id.
    #[inline]
    pub fn step(&self, at: usize, before: Option<EditId>) -> Step<'_> {
        self.steps.step(&self.edits, at, before)
    }

    /// All steps in their order.
    pub fn steps(&self) -> impl Iterator<Item = Step<'_>> {
        let mut at = 0;
        core::iter::from_fn(move || {
            let step = (at < self.edits.len()).then(|| self.step(at, None))?;
            at += step.edits().len();
            Some(step)
        })
    }

    /// The id of the last edit.
    fn last(&self) -> Option<EditId> {
        self.edits.last().map(|edit| edit.id)
    }
}

/// Whether a block ends after the edit of this id.
fn ends_block(id: EditId) -> bool {
    derive(id.time, id.author).is_multiple_of(LENGTH)
}

/// Puts an edit in, in the order of ids.
pub(super) fn insert(blocks: &mut Vec<Arc<Block>>, edit: &IndexedEdit) {
    replace(blocks, edit.id, |edits| {
        let at = edits.partition_point(|other| other.id < edit.id);
        edits.insert(at, edit.clone());
    });
}

pub(super) fn remove(blocks: &mut Vec<Arc<Block>>, id: EditId) {
    replace(blocks, id, |edits| edits.retain(|edit| edit.id != id));
}

/// Changes the edits of the blocks on either side of an id.
fn replace(blocks: &mut Vec<Arc<Block>>, id: EditId, change: impl FnOnce(&mut Vec<IndexedEdit>)) {
    let first = blocks.partition_point(|block| block.last() < Some(id));
    // After the last edit, a block that has not ended goes on.
    let goes_on = blocks.last().and_then(|block| block.last()).is_some_and(|id| !ends_block(id));
    let first = if first == blocks.len() && goes_on { first - 1 } else { first };
    // An edit that ends a block and is removed lets it go on with the next one.
    let count = if ends_block(id) { 2 } else { 1 };
    let within = first..blocks.len().min(first + count);
    let mut edits = Vec::with_capacity(2 * LENGTH as usize);
    edits.extend(blocks[within.clone()].iter().flat_map(|block| block.edits.iter().cloned()));
    change(&mut edits);
    blocks.splice(within, Block::split(edits));
}

/// Adds an edit to a cell that is being built, in any order. [`sort`] makes blocks of them.
pub(super) fn append(blocks: &mut Vec<Arc<Block>>, edit: &IndexedEdit) {
    if blocks.is_empty() {
        blocks.push(Arc::new(Block::new(Vec::new())));
    }
    if let Some(block) = blocks.first_mut() {
        Arc::make_mut(block).edits.push(edit.clone());
    }
}

/// Makes blocks of appended edits.
pub(super) fn sort(blocks: &mut Vec<Arc<Block>>) {
    let Some(all) = blocks.pop() else { return };
    let mut edits = Arc::unwrap_or_clone(all).edits;
    edits.sort_unstable_by_key(|edit| edit.id);
    blocks.extend(Block::split(edits));
}

/// An edit in a node of the index.
#[derive(Clone, Debug)]
pub(crate) struct IndexedEdit {
    pub id: EditId,
    pub region: Region,
    pub(super) operation: Arc<PreparedEdit>,
    /// What the operation changes, so that not every look at an edit is one at its operation.
    changes: Changes,
}

/// What an edit changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Changes {
    /// The heights, by a raise.
    Raise,
    /// The heights.
    Heights,
    /// It takes ground away.
    Hole,
    /// The cover or the water.
    CoverOrWater,
    /// What stands on the ground.
    Plants,
}

impl Changes {
    fn of(operation: &PreparedEdit) -> Self {
        match operation {
            PreparedEdit::Raise(_) => Self::Raise,
            PreparedEdit::Hole(_) => Self::Hole,
            PreparedEdit::Paint(_) | PreparedEdit::Flood(_) => Self::CoverOrWater,
            PreparedEdit::Clear(_) | PreparedEdit::Plant(_) => Self::Plants,
            PreparedEdit::Flatten(_)
            | PreparedEdit::Roughen(_)
            | PreparedEdit::Terrace(_)
            | PreparedEdit::Crater(_)
            | PreparedEdit::Path(_)
            | PreparedEdit::Stamp(_)
            | PreparedEdit::Smooth(_) => Self::Heights,
        }
    }
}

impl IndexedEdit {
    pub(super) fn new(id: EditId, operation: PreparedEdit) -> Self {
        let (region, changes) = (operation.region(), Changes::of(&operation));
        Self { id, region, operation: Arc::new(operation), changes }
    }

    /// Whether it changes the ground, rather than only what stands on it.
    pub(super) fn changes_ground(&self) -> bool {
        self.changes != Changes::Plants
    }

    /// Whether it changes the heights of the ground.
    pub(super) fn changes_heights(&self) -> bool {
        !matches!(self.changes, Changes::CoverOrWater | Changes::Plants)
    }

    /// Whether it takes ground away.
    pub(super) fn is_hole(&self) -> bool {
        self.changes == Changes::Hole
    }

    /// The operation, if it is a raise.
    #[inline]
    pub(super) fn raise(&self) -> Option<&AreaEdit<Raise>> {
        if self.changes != Changes::Raise {
            return None;
        }
        match &*self.operation {
            PreparedEdit::Raise(raise) => Some(raise),
            _ => None,
        }
    }

    /// Whether it flattens the ground, digs or builds on it: things may keep away from it.
    pub(super) fn disturbs_ground(&self) -> bool {
        self.operation.disturbed_distance(self.region.min, f64::INFINITY) < f64::INFINITY
    }

    /// The wavelength of the smoothed base that the edit uses.
    pub(super) fn wavelength(&self) -> Option<Wavelength> {
        self.operation.wavelength()
    }

    /// The ground after the edit, see [`PreparedEdit::apply`]. Ground without a value stays so.
    #[inline]
    pub(super) fn apply<T: Differentiated<2>>(
        &self,
        ground: T,
        p: [f64; 2],
        smoothed: impl FnOnce(Wavelength) -> Option<T>,
    ) -> T {
        let is_touched = self.region.contains(p) && !ground.value().is_nan();
        if is_touched { self.operation.apply(ground, p, smoothed) } else { ground }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::edits::{Edit, Raise};
    use crate::tests::random::Random;

    fn edit(time: u64) -> IndexedEdit {
        let id = EditId { time, author: time % 3 };
        IndexedEdit::new(id, Edit::from(Raise::default()).prepared())
    }

    fn ids(blocks: &[Arc<Block>]) -> Vec<Vec<u64>> {
        let ids = |block: &Arc<Block>| block.edits.iter().map(|edit| edit.id.time).collect();
        blocks.iter().map(ids).collect()
    }

    #[test]
    fn blocks_do_not_depend_on_the_order_of_arrival() {
        for seed in 0..20 {
            let mut r = Random::new(seed);
            let (mut blocks, mut left) = (Vec::new(), Vec::new());
            for _ in 0..600 {
                let time = r.below(400) as u64;
                match left.binary_search(&time) {
                    Ok(at) => {
                        left.remove(at);
                        remove(&mut blocks, edit(time).id);
                    }
                    Err(at) => {
                        left.insert(at, time);
                        insert(&mut blocks, &edit(time));
                    }
                }
                let whole = Block::split(left.iter().map(|time| edit(*time)).collect());
                assert_eq!(ids(&blocks), ids(&whole.collect::<Vec<_>>()), "seed {seed}");
            }
            let mut appended = Vec::new();
            left.iter().rev().for_each(|time| append(&mut appended, &edit(*time)));
            sort(&mut appended);
            assert_eq!(ids(&appended), ids(&blocks), "seed {seed}");
        }
    }

    /// Of 5,000 edits in a cell, a change copies a few.
    #[test]
    fn snapshots_share_all_but_one_block() {
        let mut blocks: Vec<_> = Block::split((0..5000).map(edit).collect()).collect();
        assert!(blocks.iter().all(|block| block.edits.len() < 20 * LENGTH as usize));
        for time in [2500, 5000, 5001, 5002, 7000] {
            let before = blocks.clone();
            let copied = |blocks: &[Arc<Block>]| {
                let is_new =
                    |block: &&Arc<Block>| !before.iter().any(|old| Arc::ptr_eq(old, block));
                blocks.iter().filter(is_new).count()
            };
            remove(&mut blocks, edit(time).id);
            assert!(copied(&blocks) <= 1, "{time}");
            insert(&mut blocks, &edit(time));
            assert!(copied(&blocks) <= 2, "{time}");
        }
    }
}
