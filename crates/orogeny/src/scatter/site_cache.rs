//! Sites in square blocks, which are kept: neighbouring boxes need the same ground around them.

use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::cover::CoverPoint;
use crate::region::Region;
use crate::samples::grid::Grid;
use crate::scatter::ground::ScatterGround;
use crate::scatter::site::{SPACING, Site, SitePoint, lattice, points};
use crate::tiles::Tiles;

/// The lattice points along each side of a block.
const SIDE: i64 = 16;
/// How many blocks are kept. Each takes 13 kB.
const KEPT: usize = 1024;
/// The largest side of a region for which blocks are used, in sides of blocks. Larger ones would
/// push out what smaller ones need again.
const FEW: i64 = 5;

/// How far from an edit the points of a site differ, at most.
const AROUND: f64 = 3.0 * CoverPoint::SCALE;

/// The blocks of a ground.
#[derive(Clone, Debug)]
pub(super) struct SiteCache {
    /// Those without edits: the same whatever else is edited.
    natural: Arc<Tiles<Vec<SitePoint>>>,
    edited: Arc<Tiles<Vec<SitePoint>>>,
}

impl SiteCache {
    pub fn new() -> Self {
        Self { natural: Arc::new(Tiles::new(KEPT)), edited: Arc::new(Tiles::new(KEPT)) }
    }

    /// The blocks of the same ground with other edits.
    pub fn with_other_edits(&self) -> Self {
        Self { edited: Arc::new(Tiles::new(KEPT)), ..self.clone() }
    }

    /// The ground around a region.
    pub fn on(&self, ground: &ScatterGround, region: &Region) -> Site {
        let (first, size) = lattice(region);
        let grid = Grid::new(first.map(|i| i as f64 * SPACING), SPACING, size);
        if size.iter().any(|&size| size as i64 > FEW * SIDE) {
            return Site { points: points(ground, &grid), grid };
        }
        let last = [0, 1].map(|k| first[k] + size[k] as i64 - 1);
        let mut all = vec![SitePoint::default(); grid.len()];
        for z in first[1].div_euclid(SIDE)..=last[1].div_euclid(SIDE) {
            for x in first[0].div_euclid(SIDE)..=last[0].div_euclid(SIDE) {
                let block = self.block(ground, [x, z]);
                let start = [x, z].map(|i| i * SIDE);
                // What the block and the region share.
                let low = [0, 1].map(|k| start[k].max(first[k]));
                let high = [0, 1].map(|k| (start[k] + SIDE - 1).min(last[k]));
                let count = (high[0] - low[0]) as usize + 1;
                for j in low[1]..=high[1] {
                    let to = (j - first[1]) as usize * size[0] + (low[0] - first[0]) as usize;
                    let from = ((j - start[1]) * SIDE + low[0] - start[0]) as usize;
                    all[to..to + count].copy_from_slice(&block[from..from + count]);
                }
            }
        }
        Site { grid, points: all }
    }

    fn block(&self, ground: &ScatterGround, index: [i64; 2]) -> Arc<Vec<SitePoint>> {
        let side = SIDE as f64 * SPACING;
        let min = index.map(|i| i as f64 * side);
        let block = Region { min, max: min.map(|x| x + side) };
        let kept =
            if ground.edits().touch(&block.grown(AROUND)) { &self.edited } else { &self.natural };
        kept.get(index, || points(ground, &Grid::new(min, SPACING, [SIDE as usize; 2])))
    }
}
