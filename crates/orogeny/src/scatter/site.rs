//! The ground as scatter sees it: on a lattice, linearly interpolated. It is kept in square blocks,
//! since neighbouring regions need the same ground around them.

use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::arrays::Each;
use crate::climate::ClimatePoint;
use crate::cover::{Cover, CoverPoint, slope_change};
#[cfg(not(feature = "std"))]
use crate::float::Float as _;
use crate::region::Region;
use crate::samples::Samples;
use crate::samples::positions::Grid;
use crate::scatter::ground::ScatterGround;
use crate::scatter::prepared_kind::PreparedKind;
use crate::tiles::{Once, Tiles};

/// The distance between lattice points in metres: fine enough for patches of cover, and coarse
/// enough to cost little beside the instances. The lattice is the same for all regions.
pub(super) const SPACING: f64 = 4.0;
/// The points on each side of one from which its curvature is found.
const REACH: usize = (CoverPoint::SCALE / SPACING) as usize;
/// Depths and distances from water are limited to this, so that they can be interpolated.
pub(super) const FAR: f32 = 1e3;

/// The depth of ground at a height under a sea, negative above it.
pub(super) fn depth(sea_level: Option<f32>, height: f32) -> f32 {
    sea_level.map_or(-FAR, |level| (level - height).clamp(-FAR, FAR))
}

/// The ground of a region, at each point of the lattice.
pub(super) struct Site {
    pub grid: Grid<2>,
    pub points: Vec<SitePoint>,
    /// The blocks of the cache that it was copied from; none if it is too large for the cache.
    pub parts: Vec<SitePart>,
}

/// The ground at a point of the lattice.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct SitePoint {
    pub height: f32,
    pub slope: f32,
    pub curvature: f32,
    /// The weight of each layer of cover.
    pub cover: [f32; Cover::MAX_LAYERS],
    /// The distance from the banks of rivers.
    pub bank: f32,
    pub climate: ClimatePoint,
}

/// Bilinear interpolation at a position: the first of four lattice points around it, and how far it
/// is from there to the others.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bilinear {
    index: usize,
    row: usize,
    part: [f32; 2],
}

impl Site {
    /// The interpolation at a position in the region.
    #[inline]
    pub fn bilinear(&self, p: [f64; 2]) -> Bilinear {
        let row = self.grid.size[0];
        let (i, s) = self.along(0, p[0]);
        let (j, t) = self.along(1, p[1]);
        Bilinear { index: j * row + i, row, part: [s, t] }
    }

    /// The last lattice point before a coordinate, and the part of the way to the next one.
    #[inline]
    fn along(&self, axis: usize, x: f64) -> (usize, f32) {
        let at = (x - self.grid.origin[axis]) * (1.0 / SPACING);
        // The cast to 32 bits is faster.
        let index = (at as i32).clamp(0, self.grid.size[axis] as i32 - 2);
        (index as usize, (at - f64::from(index)) as f32)
    }

    /// A number at a position.
    #[inline]
    pub fn at(&self, at: Bilinear, of: impl Fn(&SitePoint) -> f32) -> f32 {
        at.interpolate(|i| of(&self.points[i]))
    }

    /// The climate at a position.
    #[inline]
    pub fn climate(&self, at: Bilinear) -> ClimatePoint {
        ClimatePoint {
            temperature: self.at(at, |point| point.climate.temperature),
            moisture: self.at(at, |point| point.climate.moisture),
        }
    }
}

impl Bilinear {
    /// Interpolates a number that is known at each point of the lattice.
    #[inline]
    pub fn interpolate(&self, of: impl Fn(usize) -> f32) -> f32 {
        let mix = |a: f32, b: f32, t: f32| a + (b - a) * t;
        let Self { index, row, part: [s, t] } = *self;
        let low = mix(of(index), of(index + 1), s);
        let high = mix(of(index + row), of(index + row + 1), s);
        mix(low, high, t)
    }
}

/// The first lattice point around a region along each axis, and how many there are.
pub(super) fn lattice(region: &Region) -> ([i64; 2], [usize; 2]) {
    let first = region.min.each(|x| (x / SPACING).floor() as i64);
    let last = region.max.each(|x| (x / SPACING).floor() as i64 + 1);
    (first, [0, 1].each(|k| (last[k] - first[k]) as usize + 1))
}

/// Evaluates the ground at all points of a lattice.
pub(super) fn points(ground: &ScatterGround, grid: &Grid<2>) -> Vec<SitePoint> {
    let wide = Grid {
        origin: grid.origin.each(|x| x - REACH as f64 * SPACING),
        size: grid.size.each(|size| size + 2 * REACH),
        ..*grid
    };
    let mut samples = Samples::new();
    ground.smooth.sample_grid(&wide, &mut samples);
    let row = wide.size[0];
    let per_change = (4.0 * CoverPoint::SCALE).recip() as f32;

    let mut paint = Vec::new();
    ground.edits().painting_grid(grid, &mut paint);
    let mut banks = Vec::new();
    if let Some(rivers) = &ground.rivers {
        banks.resize(grid.len(), f64::INFINITY);
        rivers.bank_distances(grid, f64::INFINITY, |i, distance| banks[i] = distance);
    }
    let cover = &ground.appearance.cover;
    let layers = cover.layers.len();
    let has_banks = cover.has_banks();
    let climate_at = ground.climate.on(grid);

    let point = |i: usize, position: [f64; 2]| {
        let at = (i / grid.size[0] + REACH) * row + i % grid.size[0] + REACH;
        let sample = samples.get(at);
        let [gx, gz] = sample.gradient;
        let slope = |at: usize, axis: usize| samples.get(at).gradient[axis];
        let change_x = slope_change(slope(at - REACH, 0), || gx, slope(at + REACH, 0));
        let change_z = slope_change(slope(at - REACH * row, 1), || gz, slope(at + REACH * row, 1));
        let curvature = (change_x + change_z) * per_change;
        let slope = (gx * gx + gz * gz).sqrt();
        // On average over the year: trees stay where they are in winter.
        let climate = climate_at(i, &sample);
        let point = CoverPoint { height: sample.value, slope, curvature, position, climate };
        let bank = banks.get(i).copied().unwrap_or(f64::INFINITY);
        let mut painting = paint.get(i).copied().unwrap_or_default();
        if has_banks && bank < f64::INFINITY {
            painting = cover.banks(&CoverPoint { curvature: 0.0, ..point }, bank).under(&painting);
        }
        let weights = painting.over(cover.weights(&point), layers);
        let bank = (bank as f32).min(FAR);
        let height = sample.value;
        SitePoint { height, slope, curvature, cover: weights, bank, climate }
    };
    grid.points().enumerate().map(|(i, position)| point(i, position)).collect()
}

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
        let grid = Grid::new(first.each(|i| i as f64 * SPACING), SPACING, size);
        let Some(blocks) = blocks(region) else {
            return Site { points: points(ground, &grid), grid, parts: Vec::new() };
        };
        let last = last(first, size);
        let mut parts = Vec::new();
        let mut all = vec![SitePoint::default(); grid.len()];
        for index in blocks {
            let start = index.each(|i| i * SIDE);
            let low = [0, 1].each(|k| start[k].max(first[k]));
            let high = [0, 1].each(|k| (start[k] + SIDE - 1).min(last[k]));
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
        let min = index.each(|i| i as f64 * side);
        let block = Region { min, max: min.each(|x| x + side) };
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
    [0, 1].each(|k| first[k] + size[k] as i64 - 1)
}

/// The blocks around a region; `None` if it is too large for the cache.
fn blocks(region: &Region) -> Option<impl Iterator<Item = [i64; 2]> + use<>> {
    let (first, size) = lattice(region);
    if size.iter().any(|&size| size as i64 > FEW * SIDE) {
        return None;
    }
    let [[x, z], [last_x, last_z]] =
        [first, last(first, size)].each(|point| point.each(|i| i.div_euclid(SIDE)));
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
