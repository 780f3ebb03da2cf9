//! The coefficients of one tile.
//!
//! The filter that computes coefficients is recursive: each depends on all samples, but by powers
//! of its pole, -0.268. So a tile reads [`HALO`] samples around its own. What lies beyond them
//! would change a coefficient by 5e-19 of the heights, less than the rounding of `f64`. In `f32` it
//! is the coefficient of the whole raster, or at most its neighbour where that rounding decides.
//!
//! Holes are filled from the ground around them, at most half the halo away as far as a sample
//! [`HALO`] / 2 from the hole is concerned. Deeper in a hole, the filling differs from that of the
//! whole raster, which changes coefficients beside the hole by 0.268^16 = 7e-10 of the difference.

use std::ops::Range;

use crate::bits::Bits;
use crate::error::RasterError;
use crate::field::bounds::{Hull, SmallHull, blocks};
use crate::field::interpolation::{fill_holes, mirrored, prefilter};
use crate::field::level_ground::{lower, sea};
use crate::field::spline::Coefficients;
use crate::raster::check_heights;
use crate::read::window::{Rect, Window};

/// The cells along a side of a tile.
pub(super) const SIDE: usize = 256;
/// The samples around a tile that are read with it.
pub(super) const HALO: usize = 32;
/// The most bytes of the coefficients of a tile.
pub(super) const BYTES: usize = (SIDE + 3) * (SIDE + 3) * size_of::<f32>();

/// The number of tiles of a raster along each axis.
pub(super) fn tiles([columns, rows]: [usize; 2]) -> [usize; 2] {
    [columns, rows].map(|count| (count - 1).div_ceil(SIDE))
}

/// A tile whose holes are filled.
pub(super) struct Filled {
    coefficients: Coefficients,
    /// The samples that were read.
    heights: Vec<f32>,
    /// Where they are in the raster, along each axis.
    window: [Range<usize>; 2],
    /// The cells of the tile, along each axis.
    pub cells: [Range<usize>; 2],
    size: [usize; 2],
    /// The steps from the ground to the middle of the largest hole.
    rings: usize,
    /// The height, if all samples have the same.
    constant: Option<f32>,
}

impl Filled {
    /// Reads a tile, counted along each axis, of a raster of `size`. `None` if none of its samples
    /// has data.
    pub fn read(
        file: &dyn Window,
        size: [usize; 2],
        tile: [usize; 2],
    ) -> Result<Option<Self>, RasterError> {
        let cells = [0, 1].map(|k| tile[k] * SIDE..((tile[k] + 1) * SIDE).min(size[k] - 1));
        let window = [0, 1].map(|k| {
            // A cell reads one sample before it and two from its end on.
            let (first, end) = (cells[k].start.saturating_sub(1 + HALO), cells[k].end + 2 + HALO);
            first..end.min(size[k])
        });
        let first = [0, 1].map(|k| window[k].start);
        let part = Rect { first, size: [0, 1].map(|k| window[k].len()) };
        let columns = part.size[0];
        let mut heights = vec![f32::NAN; part.count()];
        file.read(part, &mut heights)?;
        check_heights(&heights, columns, first)?;
        if heights.iter().all(|height| height.is_nan()) {
            return Ok(None);
        }
        // Seas, and the zeros of sparse files.
        let constant = heights.first().copied().filter(|h| heights.iter().all(|x| x == h));
        let (mut all, mut rings) = (Vec::new(), 0);
        if constant.is_none() {
            all.extend(heights.iter().map(|&height| f64::from(height)));
            rings = fill_holes(&mut all, columns);
            prefilter(&mut all, columns);
            lower(&mut all, &heights, columns);
        }
        let inner = |k: usize, padded: usize| mirrored(padded, size[k]) - first[k];
        let [across, down] = [0, 1].map(|k| cells[k].start..cells[k].end + 3);
        let mut block = Vec::with_capacity(across.len() * down.len());
        for j in down {
            let row = inner(1, j) * columns;
            let at = |i: usize| all.get(row + inner(0, i)).map(|&c| c as f32);
            block.extend(across.clone().map(|i| constant.or_else(|| at(i)).unwrap_or(f32::NAN)));
        }
        let coefficients = Coefficients::new(across.len(), block);
        Ok(Some(Self { coefficients, heights, window, cells, size, rings, constant }))
    }

    /// Bounds of blocks of `side` x `side` cells, row by row.
    pub fn hulls(&self, side: usize, spacing: [f64; 2]) -> Vec<SmallHull> {
        let cells = self.coefficients.cells();
        if let Some(height) = self.constant {
            let [columns, rows] = cells.map(|count| count.div_ceil(side));
            return vec![SmallHull::constant(height); columns * rows];
        }
        blocks(cells, side, |i, j| Hull::of_cell(&self.coefficients.patch(i, j), spacing))
    }

    /// The height of a sample, counted in the raster, that was read.
    #[inline]
    pub fn height(&self, column: usize, row: usize) -> f32 {
        self.heights[self.index(column, row)]
    }

    /// The index of a sample, counted in the raster, among those that were read.
    #[inline]
    pub fn index(&self, column: usize, row: usize) -> usize {
        let [columns, rows] = &self.window;
        (row - rows.start) * columns.len() + column - columns.start
    }

    /// Which of the samples that were read are corners of cells of the sea.
    pub fn sea(&self) -> Bits {
        sea(&self.heights, self.window[0].len())
    }

    /// The height, if all samples that were read have the same.
    pub fn constant(&self) -> Option<f32> {
        self.constant
    }

    /// Whether a hole is so large that its filling depends on the tile.
    pub fn has_deep_hole(&self) -> bool {
        self.rings > HALO / 2
    }

    /// The coefficients, NaN for samples without data.
    pub fn finish(self) -> Coefficients {
        let Self { mut coefficients, heights, window, cells, size, rings, .. } = self;
        if rings > 0 {
            let inner =
                |k: usize, i: usize| mirrored(cells[k].start + i, size[k]) - window[k].start;
            let columns = window[0].len();
            coefficients.erase(|i, j| heights[inner(1, j) * columns + inner(0, i)].is_nan());
        }
        coefficients
    }
}
