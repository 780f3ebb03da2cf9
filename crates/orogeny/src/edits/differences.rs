//! Where two snapshots of a log differ.

use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::edits::index::{Cell, Edits, Node};
use crate::edits::placed::Placed;
use crate::edits::region::Region;

impl Edits {
    /// Regions that contain all ground that differs between two snapshots of a log. Only parts that
    /// they do not share are compared, so it takes microseconds for a few edits among many.
    pub fn differences(&self, other: &Self) -> Vec<Region> {
        let mut regions = Vec::new();
        let [own, others] = [self, other].map(|edits| {
            edits.root.as_ref().map(|root| (root.cell.level, root.cell.index, &root.node))
        });
        match (own, others) {
            (Some(own), Some(other)) => compare_roots(own, other, &mut regions),
            (Some((.., node)), None) | (None, Some((.., node))) => list_all(node, &mut regions),
            (None, None) => {}
        }
        // An edit may be in several cells. Any order will do.
        regions
            .sort_unstable_by_key(|region| [region.min, region.max].map(|p| p.map(f64::to_bits)));
        regions.dedup();
        regions
    }
}

/// A node with its level and the index of its cell.
type At<'a> = (u32, [u64; 2], &'a Arc<Node>);

/// Compares nodes of any levels.
fn compare_roots(a: At, b: At, regions: &mut Vec<Region>) {
    let ((level, index, node), (other_level, other_index, other)) = (a, b);
    if level < other_level {
        return compare_roots(b, a, regions);
    }
    if level == other_level {
        if index == other_index {
            compare(Some(node), Some(other), regions);
        } else {
            list_all(node, regions);
            list_all(other, regions);
        }
        return;
    }
    // One of the children may contain the other node, and nothing else does.
    regions.extend(node.edits.iter().map(|edit| edit.region));
    let is_below = other_index.map(|i| i >> (level - other_level)) == index;
    let below = is_below.then(|| Cell::child(other_index, other_level, level - 1));
    for (k, child) in node.children.iter().enumerate() {
        match child {
            Some(child) if Some(k) == below => {
                let index = other_index.map(|i| i >> (level - 1 - other_level));
                compare_roots((level - 1, index, child), b, regions);
            }
            Some(child) => list_all(child, regions),
            None => {}
        }
    }
    if below.is_none_or(|k| node.children[k].is_none()) {
        list_all(other, regions);
    }
}

/// Compares what two snapshots have in one cell.
fn compare(a: Option<&Arc<Node>>, b: Option<&Arc<Node>>, regions: &mut Vec<Region>) {
    let (a, b) = match (a, b) {
        (Some(a), Some(b)) => (a, b),
        (Some(node), None) | (None, Some(node)) => return list_all(node, regions),
        (None, None) => return,
    };
    if Arc::ptr_eq(a, b) {
        return;
    }
    for (edits, others) in [(&a.edits, &b.edits), (&b.edits, &a.edits)] {
        let is_new = |edit: &&Placed| {
            let same = others.binary_search_by_key(&edit.id, |other| other.id);
            !same.is_ok_and(|i| Arc::ptr_eq(&others[i].operation, &edit.operation))
        };
        regions.extend(edits.iter().filter(is_new).map(|edit| edit.region));
    }
    for (a, b) in a.children.iter().zip(&b.children) {
        compare(a.as_ref(), b.as_ref(), regions);
    }
}

fn list_all(node: &Node, regions: &mut Vec<Region>) {
    regions.extend(node.edits.iter().map(|edit| edit.region));
    node.children.iter().flatten().for_each(|child| list_all(child, regions));
}
