//! Finds the edits near a place.

use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::arrays::Each;
use crate::derivative::chain_rule::Differentiated;
use crate::edits::block::{Block, IndexedEdit, Summary};
use crate::edits::change::EditId;
use crate::edits::index::{Cell, Edits, LEVELS, QuadNode, cell_of};
use crate::edits::smoothed_bases::{Wavelength, once_each};
use crate::edits::steps::{Step, Walk};
use crate::region::Region;

impl Edits {
    /// Whether an edit is in `region`, even if it only changes what stands there.
    pub fn touch(&self, region: &Region) -> bool {
        self.root.as_ref().is_some_and(|root| touches(&root.node, region, false))
    }

    /// Whether an edit may change ground in `region`, its cover or its water, rather than only what
    /// stands on it.
    pub(crate) fn touch_ground(&self, region: &Region) -> bool {
        self.root.as_ref().is_some_and(|root| touches(&root.node, region, true))
    }

    /// All edits whose region meets this one, in the order of their ids.
    pub(crate) fn within(&self, region: &Region) -> Vec<Step<'_>> {
        let mut list = Vec::new();
        if let Some(root) = &self.root {
            collect(&root.node, region, &mut list);
        }
        // An edit may be in several cells.
        Step::in_order(list)
    }

    /// The smallest `distance` of an edit from a point, or infinity if none is below `within`.
    /// `distance` is given the smallest one so far. It may return any value that is not below that,
    /// if the edit is not nearer. It allocates nothing.
    pub(super) fn nearest(
        &self,
        p: [f64; 2],
        within: f64,
        distance: impl Fn(&IndexedEdit, f64) -> f64,
    ) -> f64 {
        let mut smallest = within;
        if let Some(root) = &self.root {
            approach(&root.node, p, &distance, &mut smallest);
        }
        if smallest < within { smallest } else { f64::INFINITY }
    }

    /// The ground at a point after all edits that count. `smoothed` evaluates a smoothed base
    /// there, and is called once for each that edits need. It allocates nothing.
    pub(super) fn apply<T: Differentiated<2>>(
        &self,
        ground: T,
        p: [f64; 2],
        smoothed: impl Fn(Wavelength) -> Option<T>,
        counts: impl Fn(&IndexedEdit) -> bool,
    ) -> T {
        let mut walk = Walk::new(ground, p, once_each(smoothed));
        self.each_at(p, |step| {
            if counts(step.first()) {
                walk.step(step);
            }
        });
        walk.end()
    }

    /// Visits all edits that may touch a point, in the order of their ids: those of a step at once.
    /// It allocates nothing.
    #[inline]
    pub(crate) fn each_at<'a>(&'a self, p: [f64; 2], mut visit: impl FnMut(Step<'a>)) {
        let Some(root) = &self.root else { return };
        let (mut count, mut node, mut level) = (0, &root.node, root.cell.level);
        let index = p.each(cell_of);
        if !node.summary.region.contains(p) || index.each(|i| i >> level) != root.cell.index {
            return;
        }
        // Those of the cells that contain the point.
        let mut cells = [const { Cursor::END }; LEVELS];
        loop {
            if !node.blocks.is_empty() {
                cells[count] = Cursor::at_first(&node.blocks, p);
                count += 1;
            }
            if level == 0 {
                break;
            }
            level -= 1;
            match &node.children[Cell::child(index, 0, level)] {
                Some(child) if child.summary.region.contains(p) => node = child,
                _ => break,
            }
        }
        let cells = &mut cells[..count];
        loop {
            // The cell with the next edit, and the next edit of the other ones.
            let [mut next, mut other] = [None::<(EditId, usize)>; 2];
            for (k, cursor) in cells.iter().enumerate() {
                let Some(id) = cursor.id() else { continue };
                let own = Some((id, k));
                if next.is_none() || own < next {
                    (next, other) = (own, next);
                } else if other.is_none() || own < other {
                    other = own;
                }
            }
            let Some((_, k)) = next else { return };
            let Some(step) = cells[k].next(p, other.map(|(id, _)| id)) else { return };
            visit(step);
        }
    }
}

/// An edit in the blocks of a cell, of which those that do not contain a point are left out.
struct Cursor<'a> {
    /// The block with the edit, and those after it.
    blocks: &'a [Arc<Block>],
    /// The index in the block.
    at: usize,
}

impl<'a> Cursor<'a> {
    const END: Self = Self { blocks: &[], at: 0 };

    fn at_first(blocks: &'a [Arc<Block>], p: [f64; 2]) -> Self {
        let near = blocks.iter().position(|block| block.summary.region.contains(p));
        near.map_or(Self::END, |near| Self { blocks: &blocks[near..], at: 0 })
    }

    fn id(&self) -> Option<EditId> {
        self.blocks.first()?.edits.get(self.at).map(|edit| edit.id)
    }

    /// The step that begins here, up to an edit with this id. Goes on after it.
    #[inline]
    fn next(&mut self, p: [f64; 2], before: Option<EditId>) -> Option<Step<'a>> {
        let (block, rest) = self.blocks.split_first()?;
        let step = block.step(self.at, before);
        self.at += step.edits().len();
        if self.at == block.edits.len() {
            *self = Self::at_first(rest, p);
        }
        Some(step)
    }
}

/// Whether an edit is in a region; only of those that change ground, if `ground` is set.
fn touches(node: &QuadNode, region: &Region, ground: bool) -> bool {
    let counts = |edit: &IndexedEdit| !ground || edit.changes_ground();
    let may_count =
        |summary: &Summary| summary.region.meets(region) && (summary.changes_ground || !ground);
    let mut blocks = node.blocks.iter().filter(|block| may_count(&block.summary));
    may_count(&node.summary)
        && (blocks
            .any(|block| block.edits.iter().any(|edit| edit.region.meets(region) && counts(edit)))
            || node.children.iter().flatten().any(|child| touches(child, region, ground)))
}

fn collect<'a>(node: &'a QuadNode, region: &Region, list: &mut Vec<Step<'a>>) {
    if node.summary.region.meets(region) {
        for block in node.blocks.iter().filter(|block| block.summary.region.meets(region)) {
            list.extend(block.steps().filter(|step| step.region().meets(region)));
        }
        node.children.iter().flatten().for_each(|child| collect(child, region, list));
    }
}

/// Lowers the smallest distance from a point to that of an edit in a node or below.
fn approach(
    node: &QuadNode,
    p: [f64; 2],
    distance: &impl Fn(&IndexedEdit, f64) -> f64,
    smallest: &mut f64,
) {
    if node.summary.region.grown(*smallest).contains(p) {
        for block in &node.blocks {
            if !block.summary.region.grown(*smallest).contains(p) {
                continue;
            }
            for edit in &block.edits {
                if edit.region.grown(*smallest).contains(p) {
                    *smallest = smallest.min(distance(edit, *smallest));
                }
            }
        }
        for child in node.children.iter().flatten() {
            approach(child, p, distance, smallest);
        }
    }
}
