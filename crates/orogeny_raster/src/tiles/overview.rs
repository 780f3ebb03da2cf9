//! A coarse raster of means, for points that are far from each other.

use std::ops::Range;

use crate::field::RasterField;
use crate::field::frame::Frame;
use crate::raster::Raster;
use crate::tiles::filled::Filled;

/// The cells between neighbouring nodes, at most.
pub(super) const STEP: usize = 32;
/// Heights are summed as multiples of 2^-20 m: sums of integers do not depend on their order.
const UNIT: f64 = (1u64 << 20) as f64;

/// The sum and the number of heights near each node, row by row.
pub(super) struct Overview {
    size: [usize; 2],
    sums: Vec<(i64, u32)>,
}

/// What one tile adds to the nodes of a rectangle.
pub(super) struct Part {
    columns: Range<usize>,
    rows: Range<usize>,
    sums: Vec<(i64, u32)>,
}

/// The number of nodes of a raster, which has one at each corner.
fn nodes(size: [usize; 2]) -> [usize; 2] {
    size.map(|count| (count - 1).div_ceil(STEP) + 1)
}

/// The node next to a sample.
fn nearest(sample: usize, count: usize, nodes: usize) -> usize {
    (2 * sample * (nodes - 1) + count - 1) / (2 * (count - 1))
}

impl Part {
    /// The sums over the samples of a tile. Those at its end belong to the next tile, if any.
    pub fn of(tile: &Filled, size: [usize; 2]) -> Self {
        let count = nodes(size);
        let own = [0, 1].map(|k| {
            let end = tile.cells[k].end;
            tile.cells[k].start..if end == size[k] - 1 { size[k] } else { end }
        });
        let node = |k: usize, sample: usize| nearest(sample, size[k], count[k]);
        let [columns, rows] = [0, 1].map(|k| node(k, own[k].start)..node(k, own[k].end - 1) + 1);
        let mut sums = vec![(0, 0); columns.len() * rows.len()];
        for j in own[1].clone() {
            let row = (node(1, j) - rows.start) * columns.len();
            let heights = &tile.heights[(j - tile.window[1].start) * tile.window[0].len()..];
            for i in own[0].clone() {
                let height = heights[i - tile.window[0].start];
                if !height.is_nan() {
                    let (sum, count) = &mut sums[row + node(0, i) - columns.start];
                    *sum += (f64::from(height) * UNIT).round() as i64;
                    *count += 1;
                }
            }
        }
        Self { columns, rows, sums }
    }
}

impl Overview {
    pub fn new(size: [usize; 2]) -> Self {
        let [columns, rows] = nodes(size);
        Self { size: [columns, rows], sums: vec![(0, 0); columns * rows] }
    }

    pub fn add(&mut self, part: &Part) {
        for (row, from) in part.rows.clone().zip(part.sums.chunks_exact(part.columns.len())) {
            let start = row * self.size[0] + part.columns.start;
            for (to, from) in self.sums[start..].iter_mut().zip(from) {
                *to = (to.0 + from.0, to.1 + from.1);
            }
        }
    }

    /// Where the nodes of a raster lie: in the same rectangle.
    pub fn frame(&self, raster: &Frame) -> Frame {
        let [first, last] = raster.corners;
        let spacing = [0, 1].map(|k| (last[k] - first[k]) / (self.size[k] - 1) as f64);
        Frame::new(self.size, spacing, first)
    }

    /// Whether all samples near each node of a raster of `size` have data.
    pub fn is_whole(&self, size: [usize; 2]) -> Vec<bool> {
        let near = [0, 1].map(|k| {
            let mut near = vec![0u32; self.size[k]];
            (0..size[k]).for_each(|i| near[nearest(i, size[k], self.size[k])] += 1);
            near
        });
        let all = near[1].iter().flat_map(|rows| near[0].iter().map(move |columns| columns * rows));
        all.zip(&self.sums).map(|(all, (_, count))| *count == all).collect()
    }

    /// The field of the means; `None` if it would have no ground or is beyond the limits of
    /// rasters in memory.
    pub fn field(self, Frame { size, spacing, corners }: Frame) -> Option<RasterField> {
        let mean = |(sum, count): (i64, u32)| match count {
            0 => f32::NAN,
            count => (sum as f64 / UNIT / f64::from(count)) as f32,
        };
        let heights = self.sums.into_iter().map(mean).collect();
        RasterField::new(&Raster::new(size, spacing, corners[0], heights).ok()?).ok()
    }
}
