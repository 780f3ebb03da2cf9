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

use crate::arrays::Each;
use crate::edits::block::{self, Block, IndexedEdit, Summary};
use crate::edits::change::EditId;
use crate::edits::smoothed_bases::Wavelengths;
use crate::edits::widening::Widening;
#[cfg(not(feature = "std"))]
use crate::float::Float as _;
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
    pub fn is_same(&self, other: &Self) -> bool {
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

/// A square of 2^level metres. Cells of all levels are numbered from the same corner of the world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Cell {
    pub level: u32,
    pub index: [u64; 2],
}

/// The number of the cell of 1 m at the origin. Its bits alternate, so that the origin is far from
/// the borders of large cells, and edits around it have few levels above them.
const ORIGIN: i64 = 0x0015_5555_5555_5555;

/// The maximum number of levels: all places of edits are within 2^51 m.
pub(super) const LEVELS: usize = 54;

/// The number of the cell of 1 m that contains a coordinate.
pub(super) fn cell_of(x: f64) -> u64 {
    (x.floor() as i64).saturating_add(ORIGIN).max(0) as u64
}

impl Cell {
    pub fn parent(self) -> Self {
        Self { level: self.level + 1, index: self.index.each(|i| i >> 1) }
    }

    pub fn contains(self, other: Self) -> bool {
        let shift = self.level.checked_sub(other.level);
        shift.is_some_and(|shift| other.index.each(|i| i >> shift) == self.index)
    }

    /// Which child, counted on `level`, contains the cell `index` of level `of`.
    pub fn child(index: [u64; 2], of: u32, level: u32) -> usize {
        let bit = |k: usize| ((index[k] >> (level - of)) & 1) as usize;
        bit(0) | (bit(1) << 1)
    }

    /// The cells of an edit.
    pub fn of(region: &Region) -> impl Iterator<Item = Self> {
        let ends = [region.min, region.max].each(|end| end.each(cell_of));
        // One level up for each bit of the distance: then there are at most two along each axis.
        let distance = (ends[1][0] - ends[0][0]).max(ends[1][1] - ends[0][1]);
        let level = u64::BITS - distance.leading_zeros();
        let [first, last] = ends.each(|end| end.each(|i| i >> level));
        (first[1]..=last[1])
            .flat_map(move |z| (first[0]..=last[0]).map(move |x| Self { level, index: [x, z] }))
    }
}

/// The position of a point along a Z-order curve, in cells of 16 m. Only neighbours have to be near
/// each other on it, so the highest bits do not matter.
fn z_order(p: [f64; 2]) -> u64 {
    let spread = |x: u64| {
        let mut bits = (x >> 4) & 0xffff_ffff;
        for (shift, mask) in [
            (16, 0x0000_ffff_0000_ffff),
            (8, 0x00ff_00ff_00ff_00ff),
            (4, 0x0f0f_0f0f_0f0f_0f0f),
            (2, 0x3333_3333_3333_3333),
            (1, 0x5555_5555_5555_5555),
        ] {
            bits = (bits | (bits << shift)) & mask;
        }
        bits
    };
    let [x, z] = p.each(|x| spread(cell_of(x)));
    x | (z << 1)
}
