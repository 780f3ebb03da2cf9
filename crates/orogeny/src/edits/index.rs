//! A quadtree of edits that snapshots share; search.rs finds those near a place.
//!
//! An edit is in the one, two or four cells that its region meets on the level whose cells are at
//! least as large as the region. So all edits that touch a point are in the cells that contain it,
//! one a level. Each node has the region of all edits below it, so places without edits are left
//! early.
//!
//! Snapshots share nodes and the blocks of edits in them. Adding or removing an edit copies only
//! the nodes on the way to its cells, and one block in each of those, if a snapshot uses them.

use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::edits::block::{self, Block, Summary};
use crate::edits::cell::{Cell, z_order};
use crate::edits::change::EditId;
use crate::edits::indexed_edit::IndexedEdit;
use crate::edits::wavelength::Wavelengths;
use crate::edits::widening::Widening;
use crate::region::Region;

/// A snapshot of the shown edits of a log. A clone shares all of them.
#[derive(Clone, Debug, Default)]
pub struct Edits {
    pub(super) root: Option<Root>,
}

#[derive(Clone, Debug)]
pub(super) struct Root {
    pub cell: Cell,
    pub node: Arc<QuadNode>,
}

#[derive(Clone, Debug)]
pub(super) struct QuadNode {
    /// The edits of the cell.
    pub blocks: Vec<Arc<Block>>,
    pub children: [Option<Arc<QuadNode>>; 4],
    /// That of all edits in the cell and below.
    pub summary: Summary,
}

impl QuadNode {
    const EMPTY: Self =
        Self { blocks: Vec::new(), children: [const { None }; 4], summary: Summary::NONE };

    /// Computes what is stored about all edits below, in a fixed order: its bits do not depend on
    /// the order in which edits arrived.
    fn sum(&mut self) {
        let below = self.children.iter().flatten().map(|child| child.summary);
        let below = below.reduce(Summary::or).unwrap_or(Summary::NONE);
        let own = self.blocks.iter().map(|block| block.summary);
        self.summary = own.fold(Summary::NONE, Summary::with).with(below);
    }

    fn is_empty(&self) -> bool {
        self.blocks.is_empty() && self.children.iter().all(Option::is_none)
    }
}

/// Changes the edits of one cell below a node, which is on `level`.
fn change(node: &mut Arc<QuadNode>, level: u32, cell: Cell, edit: &impl Fn(&mut Vec<Arc<Block>>)) {
    let node = Arc::make_mut(node);
    if level == cell.level {
        edit(&mut node.blocks);
    } else {
        let slot = &mut node.children[Cell::child(cell.index, cell.level, level - 1)];
        let child = slot.get_or_insert_with(|| Arc::new(QuadNode::EMPTY));
        change(child, level - 1, cell, edit);
        if child.is_empty() {
            *slot = None;
        }
    }
    node.sum();
}

/// Appends an edit to the cell below a node, which is on `level`, without summing the nodes.
fn append(node: &mut Arc<QuadNode>, level: u32, cell: Cell, edit: &IndexedEdit) {
    let mut node = Arc::make_mut(node);
    for level in (cell.level..level).rev() {
        let slot = &mut node.children[Cell::child(cell.index, cell.level, level)];
        node = Arc::make_mut(slot.get_or_insert_with(|| Arc::new(QuadNode::EMPTY)));
    }
    block::append(&mut node.blocks, edit);
}

/// Sorts and sums a node and all below.
fn sum(node: &mut Arc<QuadNode>) {
    let node = Arc::make_mut(node);
    block::sort(&mut node.blocks);
    node.children.iter_mut().flatten().for_each(sum);
    node.sum();
}

impl Edits {
    /// No edits.
    pub fn new() -> Self {
        Self::default()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.root.is_none()
    }

    /// A region that contains all ground that was edited.
    pub fn region(&self) -> Region {
        self.root.as_ref().map_or(Region::EMPTY, |root| root.node.summary.region)
    }

    /// Whether two snapshots share all edits, as clones do.
    pub fn is(&self, other: &Self) -> bool {
        match (&self.root, &other.root) {
            (Some(own), Some(other)) => Arc::ptr_eq(&own.node, &other.node),
            (own, other) => own.is_none() && other.is_none(),
        }
    }

    pub(super) fn insert(&mut self, edit: &IndexedEdit) {
        for cell in Cell::of(&edit.region) {
            let root = self.root_around(cell);
            change(&mut root.node, root.cell.level, cell, &|blocks| block::insert(blocks, edit));
        }
    }

    /// The root, after levels were added until it contains a cell.
    fn root_around(&mut self, cell: Cell) -> &mut Root {
        let root = self.root.get_or_insert_with(|| Root { cell, node: Arc::new(QuadNode::EMPTY) });
        while !root.cell.contains(cell) {
            let Root { cell, node } = root;
            let mut above = QuadNode::EMPTY;
            above.children[Cell::child(cell.index, cell.level, cell.level)] = Some(node.clone());
            above.sum();
            *root = Root { cell: cell.parent(), node: Arc::new(above) };
        }
        root
    }

    /// The snapshot of some edits: as if they were inserted one by one, but each node is summed
    /// only once.
    pub(super) fn of(mut list: Vec<IndexedEdit>) -> Self {
        let mut edits = Self::new();
        // Neighbours in space share nodes, which are then still in the cache.
        list.sort_by_cached_key(|edit| z_order(edit.region.min));
        for edit in list {
            for cell in Cell::of(&edit.region) {
                let root = edits.root_around(cell);
                append(&mut root.node, root.cell.level, cell, &edit);
            }
        }
        if let Some(root) = &mut edits.root {
            sum(&mut root.node);
        }
        edits
    }

    pub(super) fn remove(&mut self, id: EditId, region: &Region) {
        let Some(root) = &mut self.root else { return };
        for cell in Cell::of(region) {
            change(&mut root.node, root.cell.level, cell, &|blocks| block::remove(blocks, id));
        }
        if root.node.is_empty() {
            self.root = None;
        }
    }

    /// What edits can do to bounds anywhere.
    pub(super) fn widening(&self) -> Widening {
        self.root.as_ref().map_or(Widening::NONE, |root| root.node.summary.widening)
    }

    /// The wavelengths of the smoothed bases that edits use.
    pub(super) fn wavelengths(&self) -> Wavelengths {
        self.root.as_ref().map_or(Wavelengths::NONE, |root| root.node.summary.wavelengths)
    }
}
