//! Sites in square blocks, which are kept: neighbouring regions need the same ground around them.

use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::cover::CoverPoint;
use crate::region::Region;
use crate::samples::positions::Grid;
use crate::scatter::ground::ScatterGround;
use crate::scatter::prepared_kind::PreparedKind;
use crate::scatter::site::{SPACING, Site, SitePoint, lattice, points};
use crate::tiles::{Once, Tiles};

/// The lattice points along each side of a block.
const SIDE: i64 = 16;
/// How many blocks are kept, of those with and without edits each. A block takes 23 kB, and 1 kB
/// more for each kind that may stand there and was asked for: with eight kinds, up to 31 MB for
/// either.
const KEPT: usize = 1024;
/// The largest side of a region for which blocks are used, in sides of blocks. Larger ones would
/// push out what smaller ones need again.
const FEW: i64 = 5;

/// How far from an edit the points of a site differ, at most.
const AROUND: f64 = 3.0 * CoverPoint::SCALE;

/// The blocks of a ground and a scatter.
#[derive(Clone, Debug)]
pub(super) struct SiteCache {
    /// Those without edits: the same whatever else is edited.
    natural: Arc<Tiles<Block>>,
    edited: Arc<Tiles<Block>>,
}

/// A block of the lattice.
#[derive(Debug)]
struct Block {
    grid: Grid<2>,
    points: Vec<SitePoint>,
    /// The density of each kind at each point, once somebody has asked; `None` if it is 0
    /// everywhere.
    densities: Box<[Once<Option<Vec<f32>>>]>,
}

/// What a block and a site share.
pub(super) struct SitePart {
    block: Arc<Block>,
    /// Where its rows begin in the block and in the site.
    rows: Vec<[usize; 2]>,
    /// The points in a row.
    count: usize,
}

impl SitePart {
    /// Copies what is known at each point of the block to those of a site.
    fn copy<T: Copy>(&self, from: &[T], to: &mut [T]) {
        for &[own, other] in &self.rows {
            to[other..other + self.count].copy_from_slice(&from[own..own + self.count]);
        }
    }
}

impl SiteCache {
    pub fn new() -> Self {
        Self { natural: Arc::new(Tiles::new(KEPT)), edited: Arc::new(Tiles::new(KEPT)) }
    }

    /// The blocks of the same ground with other edits.
    pub fn with_other_edits(&self) -> Self {
        Self { edited: Arc::new(Tiles::new(KEPT)), ..self.clone() }
    }

    /// The ground around a region, for so many kinds.
    pub fn on(&self, ground: &ScatterGround, region: &Region, kinds: usize) -> Site {
        let (first, size) = lattice(region);
        let grid = Grid::new(first.map(|i| i as f64 * SPACING), SPACING, size);
        let Some(blocks) = blocks(region) else {
            return Site { points: points(ground, &grid), grid, parts: Vec::new() };
        };
        let last = last(first, size);
        let mut parts = Vec::new();
        let mut all = vec![SitePoint::default(); grid.len()];
        for index in blocks {
            let start = index.map(|i| i * SIDE);
            let low = [0, 1].map(|k| start[k].max(first[k]));
            let high = [0, 1].map(|k| (start[k] + SIDE - 1).min(last[k]));
            let rows = (low[1]..=high[1]).map(|j| {
                let from = ((j - start[1]) * SIDE + low[0] - start[0]) as usize;
                [from, (j - first[1]) as usize * size[0] + (low[0] - first[0]) as usize]
            });
            let (rows, count) = (rows.collect(), (high[0] - low[0]) as usize + 1);
            let part = SitePart { block: self.block(ground, index, kinds), rows, count };
            part.copy(&part.block.points, &mut all);
            parts.push(part);
        }
        Site { grid, points: all, parts }
    }

    /// Finds the next block around a region at each step; none if it is too large for the cache.
    pub fn find_blocks<'a>(
        &'a self,
        ground: &'a ScatterGround,
        region: &Region,
        kinds: usize,
    ) -> impl Iterator<Item = ()> + use<'a> {
        let blocks = blocks(region).into_iter().flatten();
        blocks.map(move |index| drop(self.block(ground, index, kinds)))
    }

    fn block(&self, ground: &ScatterGround, index: [i64; 2], kinds: usize) -> Arc<Block> {
        let side = SIDE as f64 * SPACING;
        let min = index.map(|i| i as f64 * side);
        let block = Region { min, max: min.map(|x| x + side) };
        let is_edited = ground.edits().touch_ground(&block.grown(AROUND));
        let kept = if is_edited { &self.edited } else { &self.natural };
        kept.get(index, || {
            let grid = Grid::new(min, SPACING, [SIDE as usize; 2]);
            let densities = (0..kinds).map(|_| Once::new()).collect();
            Block { points: points(ground, &grid), grid, densities }
        })
    }
}

/// The last point of a lattice along each axis.
fn last(first: [i64; 2], size: [usize; 2]) -> [i64; 2] {
    [0, 1].map(|k| first[k] + size[k] as i64 - 1)
}

/// The blocks around a region; `None` if it is too large for the cache.
fn blocks(region: &Region) -> Option<impl Iterator<Item = [i64; 2]> + use<>> {
    let (first, size) = lattice(region);
    if size.iter().any(|&size| size as i64 > FEW * SIDE) {
        return None;
    }
    let [[x, z], [last_x, last_z]] =
        [first, last(first, size)].map(|point| point.map(|i| i.div_euclid(SIDE)));
    Some((z..=last_z).flat_map(move |z| (x..=last_x).map(move |x| [x, z])))
}

impl Site {
    /// The density of a kind, with its index in the scatter, at each point; `None` if it is 0
    /// everywhere. That of a block is kept with it.
    pub fn density(&self, index: usize, kind: &PreparedKind) -> Option<Vec<f32>> {
        if self.parts.is_empty() {
            return kind.on(&self.grid, &self.points);
        }
        let mut all = None;
        for part in &self.parts {
            let Block { grid, points, densities } = &*part.block;
            if let Some(own) = densities[index].get_or_init(|| kind.on(grid, points)) {
                part.copy(own, all.get_or_insert_with(|| vec![0.0; self.grid.len()]));
            }
        }
        all
    }
}
