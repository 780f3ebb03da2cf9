//! Finds the segments near a place: a binary tree of their regions.

use alloc::vec::Vec;

use crate::region::Region;

/// The nodes in depth-first order, so that a search is a loop without a stack.
#[derive(Clone, Debug)]
pub(super) struct SegmentTree {
    nodes: Vec<TreeNode>,
}

#[derive(Clone, Copy, Debug)]
struct TreeNode {
    /// Contains all regions below.
    region: Region,
    /// The first node that is not below this one.
    next: usize,
    /// The segment of a leaf.
    leaf: Option<usize>,
}

impl SegmentTree {
    /// The tree over neighbouring regions.
    pub fn new(regions: &[Region]) -> Self {
        let mut tree = Self { nodes: Vec::with_capacity(2 * regions.len()) };
        tree.add(0, regions);
        tree
    }

    /// Adds the regions of the segments from `first` on.
    fn add(&mut self, first: usize, regions: &[Region]) {
        let at = self.nodes.len();
        let region = regions.iter().fold(Region::EMPTY, |all, region| all.union(region));
        let leaf = (regions.len() == 1).then_some(first);
        self.nodes.push(TreeNode { region, next: 0, leaf });
        if regions.len() > 1 {
            let (left, right) = regions.split_at(regions.len() / 2);
            self.add(first, left);
            self.add(first + left.len(), right);
        }
        self.nodes[at].next = self.nodes.len();
    }

    /// The region that contains all others.
    pub fn region(&self) -> Region {
        self.nodes[0].region
    }

    /// The segments whose regions are met, in their order.
    #[inline]
    pub fn met(&self, is_met: impl Fn(&Region) -> bool) -> impl Iterator<Item = usize> {
        let mut at = 0;
        core::iter::from_fn(move || {
            while let Some(node) = self.nodes.get(at) {
                let is_met = is_met(&node.region);
                at = if is_met { at + 1 } else { node.next };
                if let (true, Some(segment)) = (is_met, node.leaf) {
                    return Some(segment);
                }
            }
            None
        })
    }
}
