//! The network: where rivers flow.
//!
//! lattice.rs is where nodes are, and node.rs has them with their edges; level.rs has their heights
//! and where they drain, and makes the valleys of neighbours fit; lakes.rs puts lakes on some, and
//! makes other basins drain; shape.rs says how wide and steep valleys are.

pub(super) mod lakes;
pub(super) mod lattice;
pub(super) mod level;
pub(super) mod node;
pub(super) mod shape;

use alloc::vec::Vec;

use crate::arrays::Each;
use crate::drainage::Drainage;
use crate::drainage::network::lattice::{JITTER, NodeLattice, Table};
use crate::drainage::network::level::{HOPS, LOWER, NetworkLevel};
use crate::drainage::network::node::{Catchment, NetworkNode};
use crate::drainage::network::shape::{LEAST, LIFT, STEEPER, Shape};
#[cfg(not(feature = "std"))]
use crate::float::Float as _;
use crate::region::Region;

/// The ratio of the spacings of two levels.
pub(in crate::drainage) const RATIO: f64 = 4.0;

/// A river network.
#[derive(Clone, Debug)]
pub(in crate::drainage) struct Network {
    pub(in crate::drainage) levels: Vec<NetworkLevel>,
    pub shape: Shape,
}

impl Network {
    /// The network that a description means, with a seed instead of its own.
    pub fn new(drainage: &Drainage, seed: u64) -> Self {
        let count = drainage.levels.ceil() as usize;
        let gain = f64::from(drainage.gain);
        let steepness = f64::from(drainage.steepness);
        let mut spacing = drainage.spacing;
        let mut slope = (0..count).fold(steepness, |slope, _| slope * gain);
        let mut levels = Vec::new();
        for index in 0..count {
            levels.push(NetworkLevel { lattice: NodeLattice::new(seed, index, spacing), slope });
            (spacing, slope) = (spacing / RATIO, slope / gain);
        }
        let spacing = RATIO * spacing;
        let floor = f64::from(drainage.floor) * spacing;
        let [plain, meander, runoff] =
            [drainage.plain, drainage.meander, drainage.runoff].each(f64::from);
        let shape = Shape { spacing, steepness, floor, plain, meander, runoff };
        Self { levels, shape }
    }

    /// The same with fewer levels. The sides of its valleys are as steep as the rivers of the
    /// first level that is left out.
    pub fn truncated(&self, count: usize) -> Self {
        let Some(next) = self.levels.get(count) else { return self.clone() };
        let levels = self.levels[..count].to_vec();
        let spacing = RATIO * next.lattice.spacing;
        let floor = self.shape.floor * spacing / self.shape.spacing;
        let shape = Shape { spacing, steepness: next.slope, floor, ..self.shape };
        Self { levels, shape }
    }

    /// How far the ground can be below the land.
    pub fn deepest(&self) -> f64 {
        let beyond = 2.0 * LOWER * self.levels[0].lattice.spacing;
        self.shape.deepest() + LEAST + beyond
    }

    /// The distances between the rivers of its levels.
    pub fn spacings(&self) -> impl Iterator<Item = f64> {
        self.levels.iter().map(|level| level.lattice.spacing)
    }

    /// How much higher than the coarsest nodes the ground can be.
    ///
    /// An edge is at most 1 + 2 JITTER spacings long and rises at most 1.5 times the slope of its
    /// level. Every point is within 1.37 finest spacings of a reach: 0.58 to a lattice point,
    /// JITTER to its node, 0.39 to the curve through it, and 0.12 for its meanders. With the fall
    /// of the reach, which is at most 0.57 spacings long, the valley there is at most 2 spacings
    /// times as high as its sides are steep, and they are at most STEEPER times as steep as others.
    pub fn climb(&self) -> f64 {
        let paths = self.levels.iter().skip(1).map(|level| {
            HOPS as f64 * 1.5 * level.slope * (1.0 + 2.0 * JITTER) * level.lattice.spacing
        });
        paths.sum::<f64>() + 2.0 * STEEPER * self.shape.steepness * self.shape.spacing + 1.3 * LIFT
    }

    /// The nodes of a level. Those whose lattice points are in the region are right; others in the
    /// table are not.
    pub(in crate::drainage) fn nodes(
        &self,
        level: usize,
        region: Region,
        catchment: &Catchment,
    ) -> Table<NetworkNode> {
        match level.checked_sub(1) {
            None => self.levels[level].coarsest(region, catchment),
            Some(above) => {
                let rivers = self.nodes(above, self.rivers_around(level, region), catchment);
                self.refined(level, &rivers, region, catchment)
            }
        }
    }

    /// Where nodes of the level above must be right, so that those of a level in a region are.
    fn rivers_around(&self, level: usize, region: Region) -> Region {
        let (fine, coarse) = (&self.levels[level], &self.levels[level - 1]);
        region.grown(fine.reach_of_rivers(coarse, self.is_finest(level)))
    }

    /// The nodes of a level, made from those of the level above, which are right
    /// [around](Self::rivers_around) the region.
    fn refined(
        &self,
        level: usize,
        rivers: &Table<NetworkNode>,
        region: Region,
        catchment: &Catchment,
    ) -> Table<NetworkNode> {
        let shape = self.is_finest(level).then_some(&self.shape);
        self.levels[level].refined(&self.levels[level - 1], rivers, region, catchment, shape)
    }

    fn is_finest(&self, level: usize) -> bool {
        level + 1 == self.levels.len()
    }

    /// The nodes of the finest level in a part of a region, if nodes of the level above are known
    /// that [`above`](Self::above) gave for it.
    pub(in crate::drainage) fn finest(
        &self,
        above: Option<&Table<NetworkNode>>,
        part: Region,
        catchment: &Catchment,
    ) -> Table<NetworkNode> {
        let finest = self.levels.len() - 1;
        match above {
            Some(rivers) => self.refined(finest, rivers, part, catchment),
            None => self.nodes(finest, part, catchment),
        }
    }

    /// The nodes of the level above the finest from which all nodes of the finest in a region can
    /// be made; none if there is one level alone.
    pub(in crate::drainage) fn above(
        &self,
        region: Region,
        catchment: &Catchment,
    ) -> Option<Table<NetworkNode>> {
        let finest = self.levels.len() - 1;
        let above = finest.checked_sub(1)?;
        Some(self.nodes(above, self.rivers_around(finest, region), catchment))
    }
}
