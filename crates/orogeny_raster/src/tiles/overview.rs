//! The overview of a raster, which a scan computes: mean heights for points that are far from each
//! other, where there is data, and mean slopes.

use std::ops::Range;

use crate::bits::Bits;
use crate::field::RasterField;
use crate::field::level_ground::SEA;
use crate::field::spline::Frame;
use crate::raster::Raster;
use crate::tiles::filled::Filled;

/// The cells between neighbouring nodes, at most.
const STEP: usize = 32;
/// Numbers are summed as multiples of 2^-20: sums of integers do not depend on their order.
const UNIT: f64 = (1u64 << 20) as f64;

/// A coarse grid of nodes over a raster. Each sample belongs to the nearest node.
pub(crate) struct Overview {
    /// The grid of nodes, over the same rectangle as the raster.
    pub frame: Frame,
    /// Whether all samples of a node have data.
    pub is_whole: Vec<bool>,
    /// The mean slope at the samples of a node, 0 where there is none.
    pub slopes: Vec<f32>,
    /// The nodes with a corner of a cell of the sea.
    pub sea: Bits,
    /// The spline through the mean heights; `None` if it would have no value anywhere, or would
    /// exceed the limits of rasters in memory.
    pub field: Option<RasterField>,
}

/// The sums over the samples of a node.
#[derive(Clone, Copy, Default)]
struct Sum {
    height: i64,
    heights: u32,
    slope: i64,
    slopes: u32,
}

/// The sums of all nodes, row by row.
pub(super) struct Sums {
    size: [usize; 2],
    all: Vec<Sum>,
    sea: Bits,
}

/// The sums over the samples of one tile, for a rectangle of nodes.
pub(super) struct Part {
    columns: Range<usize>,
    rows: Range<usize>,
    sums: Vec<Sum>,
    /// Which nodes have a corner of a cell of the sea.
    is_sea: Vec<bool>,
}

/// The number of nodes of a raster, which has one at each corner.
fn nodes(size: [usize; 2]) -> [usize; 2] {
    size.map(|count| (count - 1).div_ceil(STEP) + 1)
}

/// The node next to a sample.
fn nearest(sample: usize, count: usize, nodes: usize) -> usize {
    (2 * sample * (nodes - 1) + count - 1) / (2 * (count - 1))
}

impl Sum {
    /// The sum over `count` samples of the same height.
    fn of_plain(height: f32, count: u32) -> Self {
        let height = fixed(height.into()) * i64::from(count);
        Self { height, heights: count, slope: 0, slopes: count }
    }

    fn add(&mut self, height: f32, slope: f64) {
        if !height.is_nan() {
            self.height += fixed(height.into());
            self.heights += 1;
        }
        if !slope.is_nan() {
            // The limit keeps the sum within `i64`. No ground is that steep.
            self.slope += fixed(slope.min(1e6));
            self.slopes += 1;
        }
    }

    fn and(self, other: Self) -> Self {
        Self {
            height: self.height + other.height,
            heights: self.heights + other.heights,
            slope: self.slope + other.slope,
            slopes: self.slopes + other.slopes,
        }
    }
}

/// A number as a multiple of the unit of sums.
fn fixed(number: f64) -> i64 {
    (number * UNIT).round() as i64
}

/// The mean of a sum; NaN of nothing.
fn mean(sum: i64, count: u32) -> f32 {
    if count == 0 { f32::NAN } else { (sum as f64 / UNIT / f64::from(count)) as f32 }
}

impl Part {
    /// The sums over the samples of a tile. Those at its end belong to the next tile, if any.
    pub fn of(tile: &Filled, raster: &Frame) -> Self {
        let size = raster.size;
        let count = nodes(size);
        let own = [0, 1].map(|k| {
            let end = tile.cells[k].end;
            tile.cells[k].start..if end == size[k] - 1 { size[k] } else { end }
        });
        let node = |k: usize, sample: usize| nearest(sample, size[k], count[k]);
        let [columns, rows] = [0, 1].map(|k| node(k, own[k].start)..node(k, own[k].end - 1) + 1);
        if let Some(height) = tile.constant() {
            let [across, down] = [(0, &columns), (1, &rows)].map(|(k, nodes)| {
                let mut counts = vec![0; nodes.len()];
                own[k].clone().for_each(|sample| counts[node(k, sample) - nodes.start] += 1);
                counts
            });
            let counts = down.iter().flat_map(|rows| across.iter().map(move |side| side * rows));
            let sums: Vec<_> = counts.map(|count| Sum::of_plain(height, count)).collect();
            let is_sea = vec![height == SEA; sums.len()];
            return Self { columns, rows, sums, is_sea };
        }
        let mut sums = vec![Sum::default(); columns.len() * rows.len()];
        let mut is_sea = vec![false; sums.len()];
        let sea = tile.sea();
        for j in own[1].clone() {
            let row = (node(1, j) - rows.start) * columns.len();
            for i in own[0].clone() {
                let node = row + node(0, i) - columns.start;
                sums[node].add(tile.height(i, j), slope(tile, raster, [i, j]));
                is_sea[node] |= sea.has(tile.index(i, j));
            }
        }
        Self { columns, rows, sums, is_sea }
    }
}

/// The slope at a sample by central differences, at the border by those to one side. NaN beside
/// samples without data.
fn slope(tile: &Filled, raster: &Frame, [i, j]: [usize; 2]) -> f64 {
    let ends = |k: usize, x: usize| [x.saturating_sub(1), (x + 1).min(raster.size[k] - 1)];
    let ([west, east], [north, south]) = (ends(0, i), ends(1, j));
    let height = |i: usize, j: usize| f64::from(tile.height(i, j));
    let x = (height(east, j) - height(west, j)) / ((east - west) as f64 * raster.spacing[0]);
    let z = (height(i, south) - height(i, north)) / ((south - north) as f64 * raster.spacing[1]);
    (x * x + z * z).sqrt()
}

impl Sums {
    pub fn new(size: [usize; 2]) -> Self {
        let size = nodes(size);
        let count = size[0] * size[1];
        Self { size, all: vec![Sum::default(); count], sea: Bits::new(count) }
    }

    pub fn add(&mut self, part: &Part) {
        let nodes = part.rows.clone().flat_map(|j| part.columns.clone().map(move |i| [i, j]));
        for ([i, j], (sum, is_sea)) in nodes.zip(part.sums.iter().zip(&part.is_sea)) {
            let node = j * self.size[0] + i;
            self.all[node] = self.all[node].and(*sum);
            if *is_sea {
                self.sea.add(node);
            }
        }
    }

    /// The overview of a raster, from the sums over all its samples.
    pub fn overview(self, raster: &Frame) -> Overview {
        let [first, last] = raster.corners;
        let spacing = [0, 1].map(|k| (last[k] - first[k]) / (self.size[k] - 1) as f64);
        let near = [0, 1].map(|k| {
            let mut near = vec![0u32; self.size[k]];
            let node = |i: usize| nearest(i, raster.size[k], self.size[k]);
            (0..raster.size[k]).for_each(|i| near[node(i)] += 1);
            near
        });
        let samples = near[1].iter().flat_map(|rows| near[0].iter().map(move |side| side * rows));
        let heights = self.all.iter().map(|sum| mean(sum.height, sum.heights)).collect();
        let is_whole = samples.zip(&self.all).map(|(all, sum)| sum.heights == all).collect();
        let slopes = self.all.iter().map(|sum| mean(sum.slope, sum.slopes).max(0.0)).collect();
        // The field needs memory while it is built.
        drop(self.all);
        let raster = Raster::new(self.size, spacing, first, heights);
        let field = raster.and_then(|raster| RasterField::new(&raster)).ok();
        Overview {
            frame: Frame::new(self.size, spacing, first),
            is_whole,
            slopes,
            sea: self.sea,
            field,
        }
    }
}
