//! Where two snapshots of a log differ.

use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::arrays::Each;
use crate::edits::block::{Block, IndexedEdit};
use crate::edits::index::{Cell, Edits, QuadNode};
use crate::region::Region;

impl Edits {
    /// Regions that contain all ground that differs between two snapshots of a log. Only parts that
    /// they do not share are compared, so it takes microseconds for a few edits among many.
    pub fn differences(&self, other: &Self) -> Vec<Region> {
        self.differences_of(other, IndexedEdit::changes_ground)
    }

    /// The same, with the regions in which only what stands on the ground differs.
    pub fn all_differences(&self, other: &Self) -> Vec<Region> {
        self.differences_of(other, |_| true)
    }

    /// The regions of those edits that [disturb](Self::disturbance) the ground.
    pub(crate) fn disturbing_differences(&self, other: &Self) -> Vec<Region> {
        self.differences_of(other, IndexedEdit::disturbs_ground)
    }

    /// The regions of those edits that count.
    fn differences_of(&self, other: &Self, counts: impl Fn(&IndexedEdit) -> bool) -> Vec<Region> {
        let mut regions = Vec::new();
        let mut visit = |edit: &IndexedEdit| {
            if counts(edit) {
                regions.push(edit.region);
            }
        };
        let [own, others] = [self, other].each(|edits| {
            edits.root.as_ref().map(|root| (root.cell.level, root.cell.index, &root.node))
        });
        match (own, others) {
            (Some(own), Some(other)) => compare_roots(own, other, &mut visit),
            (Some((.., node)), None) | (None, Some((.., node))) => list_all(node, &mut visit),
            (None, None) => {}
        }
        // An edit may be in several cells. Any order will do.
        regions
            .sort_unstable_by_key(|region| [region.min, region.max].each(|p| p.each(f64::to_bits)));
        regions.dedup();
        regions
    }
}

/// A node with its level and the index of its cell.
type At<'a> = (u32, [u64; 2], &'a Arc<QuadNode>);

/// Compares nodes of any levels.
fn compare_roots(a: At, b: At, visit: &mut impl FnMut(&IndexedEdit)) {
    let ((level, index, node), (other_level, other_index, other)) = (a, b);
    if level < other_level {
        return compare_roots(b, a, visit);
    }
    if level == other_level {
        if index == other_index {
            compare(Some(node), Some(other), visit);
        } else {
            list_all(node, visit);
            list_all(other, visit);
        }
        return;
    }
    // One of the children may contain the other node, and nothing else does.
    list_own(node, visit);
    let is_below = other_index.each(|i| i >> (level - other_level)) == index;
    let below = is_below.then(|| Cell::child(other_index, other_level, level - 1));
    for (k, child) in node.children.iter().enumerate() {
        match child {
            Some(child) if Some(k) == below => {
                let index = other_index.each(|i| i >> (level - 1 - other_level));
                compare_roots((level - 1, index, child), b, visit);
            }
            Some(child) => list_all(child, visit),
            None => {}
        }
    }
    if below.is_none_or(|k| node.children[k].is_none()) {
        list_all(other, visit);
    }
}

/// Compares what two snapshots have in one cell.
fn compare(
    a: Option<&Arc<QuadNode>>,
    b: Option<&Arc<QuadNode>>,
    visit: &mut impl FnMut(&IndexedEdit),
) {
    let (a, b) = match (a, b) {
        (Some(a), Some(b)) => (a, b),
        (Some(node), None) | (None, Some(node)) => return list_all(node, visit),
        (None, None) => return,
    };
    if Arc::ptr_eq(a, b) {
        return;
    }
    let [own, others] = [(a, b), (b, a)].map(|(a, b)| unshared(a, b));
    for (edits, others) in [(&own, &others), (&others, &own)] {
        let is_new = |edit: &&&IndexedEdit| {
            let same = others.binary_search_by_key(&edit.id, |other| other.id);
            !same.is_ok_and(|i| Arc::ptr_eq(&others[i].operation, &edit.operation))
        };
        edits.iter().filter(is_new).for_each(|edit| visit(edit));
    }
    for (a, b) in a.children.iter().zip(&b.children) {
        compare(a.as_ref(), b.as_ref(), visit);
    }
}

/// The edits of a node in blocks that it does not share with another one.
fn unshared<'a>(node: &'a QuadNode, other: &QuadNode) -> Vec<&'a IndexedEdit> {
    let mut others: Vec<_> = other.blocks.iter().map(Arc::as_ptr).collect();
    others.sort_unstable();
    let is_own = |block: &&Arc<Block>| others.binary_search(&Arc::as_ptr(block)).is_err();
    node.blocks.iter().filter(is_own).flat_map(|block| &block.edits).collect()
}

fn list_own(node: &QuadNode, visit: &mut impl FnMut(&IndexedEdit)) {
    node.blocks.iter().flat_map(|block| &block.edits).for_each(visit);
}

fn list_all(node: &QuadNode, visit: &mut impl FnMut(&IndexedEdit)) {
    list_own(node, visit);
    node.children.iter().flatten().for_each(|child| list_all(child, visit));
}
