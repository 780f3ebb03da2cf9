//! The cells around a tile.

use super::SIMPLIFICATION;
use crate::agent::NavigationAgent;
use crate::key::TileKey;

/// How many cells around a tile are looked at.
pub struct Margins {
    /// From what is blocked to the mesh, in cells.
    pub clearance: f64,
    /// Cells around the tile whose ground is sampled.
    pub sampled: usize,
}

impl Margins {
    /// One ring of cells around a tile says where it joins its neighbours. What blocks these may
    /// lie as far beyond them as the clearance.
    pub fn of(agent: &NavigationAgent) -> Self {
        let clearance = agent.radius / agent.cell_size + SIMPLIFICATION;
        Self { clearance, sampled: Walkable::RING + clearance.ceil() as usize }
    }

    /// Cells along each side of what is sampled.
    pub fn side(&self) -> usize {
        usize::from(TileKey::CELLS) + 2 * self.sampled
    }
}

/// Which cells of a tile, and of a ring around it, can be walked on by the middle of an agent.
pub struct Walkable {
    cells: Vec<bool>,
}

impl Walkable {
    /// Cells around the tile.
    pub const RING: usize = 1;
    /// Cells along each side.
    pub const SIDE: usize = TileKey::CELLS as usize + 2 * Self::RING;

    /// The cells for which a function is true. It takes (x, z), from the ring's first cell.
    pub fn new(is_walkable: impl Fn(usize, usize) -> bool) -> Self {
        let all = (0..Self::SIDE).flat_map(|z| (0..Self::SIDE).map(move |x| (x, z)));
        Self { cells: all.map(|(x, z)| is_walkable(x, z)).collect() }
    }

    /// Whether no cell is walkable.
    pub fn is_empty(&self) -> bool {
        !self.cells.contains(&true)
    }

    /// Whether a cell is walkable.
    pub fn get(&self, x: usize, z: usize) -> bool {
        self.cells[z * Self::SIDE + x]
    }

    /// Makes a cell unwalkable.
    pub fn block(&mut self, x: usize, z: usize) {
        self.cells[z * Self::SIDE + x] = false;
    }
}
