//! A quadtree of edits that snapshots share; search.rs finds those near a place.
//!
//! An edit is in the one, two or four cells that its region meets on the level whose cells are at
//! least as large as the region. So all edits that touch a point are in the cells that contain it,
//! one a level. Each node has the region of all edits below it, so places without edits are left
//! early.
//!
//! Snapshots share nodes. Adding or removing an edit copies only the nodes on the way to its cells,
//! if a snapshot uses them.

use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::edits::cell::{Cell, z_order};
use crate::edits::change::EditId;
use crate::edits::indexed_edit::IndexedEdit;
use crate::edits::steps::Steps;
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
    /// In the order of their ids.
    pub edits: Vec<IndexedEdit>,
    pub steps: Steps,
    pub children: [Option<Arc<QuadNode>>; 4],
    /// Contains the regions of all edits in this node and below.
    pub region: Region,
    /// What all edits that touch one place can do to its bounds.
    widening: Widening,
    /// The wavelengths of the smoothed bases that edits in this node and below use.
    wavelengths: Wavelengths,
    /// Whether one of them changes ground, its cover or its water.
    pub changes_ground: bool,
}

impl QuadNode {
    const EMPTY: Self = Self {
        edits: Vec::new(),
        steps: Steps::NONE,
        children: [const { None }; 4],
        region: Region::EMPTY,
        widening: Widening::NONE,
        wavelengths: Wavelengths::NONE,
        changes_ground: false,
    };

    /// Computes what is stored about all edits below, in a fixed order: its bits do not depend on
    /// the order in which edits arrived.
    fn summed(mut self) -> Self {
        let children = || self.children.iter().flatten();
        let below = children().map(|child| child.widening).reduce(Widening::or);
        let regions = children().map(|child| child.region);
        let regions = regions.chain(self.edits.iter().map(|edit| edit.region));
        self.region = regions.fold(Region::EMPTY, |all, region| all.union(&region));
        self.steps = Steps::of(&self.edits);
        let own = self.edits.iter().map(|edit| edit.operation.widening());
        self.widening =
            own.fold(Widening::NONE, Widening::with).with(below.unwrap_or(Widening::NONE));
        let below = children().map(|child| child.wavelengths);
        let all = below.chain(self.edits.iter().map(|edit| edit.wavelength().into()));
        self.wavelengths = all.fold(Wavelengths::NONE, Wavelengths::union);
        self.changes_ground = children().any(|child| child.changes_ground)
            || self.edits.iter().any(IndexedEdit::changes_ground);
        self
    }

    fn is_empty(&self) -> bool {
        self.edits.is_empty() && self.children.iter().all(Option::is_none)
    }
}

/// Changes the edits of one cell below a node, which is on `level`.
fn change(node: &mut Arc<QuadNode>, level: u32, cell: Cell, edit: &impl Fn(&mut Vec<IndexedEdit>)) {
    let node = Arc::make_mut(node);
    if level == cell.level {
        edit(&mut node.edits);
    } else {
        let slot = &mut node.children[Cell::child(cell.index, cell.level, level - 1)];
        let child = slot.get_or_insert_with(|| Arc::new(QuadNode::EMPTY));
        change(child, level - 1, cell, edit);
        if child.is_empty() {
            *slot = None;
        }
    }
    *node = core::mem::replace(node, QuadNode::EMPTY).summed();
}

/// Appends an edit to the cell below a node, which is on `level`, without summing the nodes.
fn append(node: &mut Arc<QuadNode>, level: u32, cell: Cell, edit: &IndexedEdit) {
    let mut node = Arc::make_mut(node);
    for level in (cell.level..level).rev() {
        let slot = &mut node.children[Cell::child(cell.index, cell.level, level)];
        node = Arc::make_mut(slot.get_or_insert_with(|| Arc::new(QuadNode::EMPTY)));
    }
    node.edits.push(edit.clone());
}

/// Sorts and sums a node and all below.
fn sum(node: &mut Arc<QuadNode>) {
    let node = Arc::make_mut(node);
    node.edits.sort_unstable_by_key(|edit| edit.id);
    node.children.iter_mut().flatten().for_each(sum);
    *node = core::mem::replace(node, QuadNode::EMPTY).summed();
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
        self.root.as_ref().map_or(Region::EMPTY, |root| root.node.region)
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
            change(&mut root.node, root.cell.level, cell, &|edits| {
                let at = edits.partition_point(|other| other.id < edit.id);
                edits.insert(at, edit.clone());
            });
        }
    }

    /// The root, after levels were added until it contains a cell.
    fn root_around(&mut self, cell: Cell) -> &mut Root {
        let root = self.root.get_or_insert_with(|| Root { cell, node: Arc::new(QuadNode::EMPTY) });
        while !root.cell.contains(cell) {
            let Root { cell, node } = root;
            let mut above = QuadNode::EMPTY;
            above.children[Cell::child(cell.index, cell.level, cell.level)] = Some(node.clone());
            *root = Root { cell: cell.parent(), node: Arc::new(above.summed()) };
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
            change(&mut root.node, root.cell.level, cell, &|edits| {
                edits.retain(|edit| edit.id != id);
            });
        }
        if root.node.is_empty() {
            self.root = None;
        }
    }

    /// What edits can do to bounds anywhere.
    pub(super) fn widening(&self) -> Widening {
        self.root.as_ref().map_or(Widening::NONE, |root| root.node.widening)
    }

    /// The wavelengths of the smoothed bases that edits use.
    pub(super) fn wavelengths(&self) -> Wavelengths {
        self.root.as_ref().map_or(Wavelengths::NONE, |root| root.node.wavelengths)
    }
}
