//! Keeps seas and lakes level: beside a coast the spline through the samples would rise above a sea
//! whose samples are all the same, and sink below it, in turns.
//!
//! Four samples of exactly 0 are the sea, however few such cells are, and whatever is beside them:
//! land, a bed that is deeper, or a polder. Other water is where at least [`OPEN`] x [`OPEN`]
//! samples are equal, and up to [`REACH`] samples from there, such as in inlets. Heights that are
//! rounded to metres have smaller flats, whose samples the spline should hit.

use crate::bits::Bits;
use crate::field::bounds::Hull;
use crate::field::interpolation::mirrored;

/// The part of a value in a cell that its four samples' own coefficients have at least: at a corner
/// (4 + 1)^2 / 36.
const SHARE: f64 = 25.0 / 36.0;
/// The rounding of a sum of 16 products, as a part of the largest coefficient.
const ROUNDING: f64 = 1e-14;
/// The samples along a side of open water.
const OPEN: usize = 5;
/// How far from open water its level counts, in samples.
const REACH: usize = 6;
/// The four samples of a cell among the 4 x 4 around it.
const OWN: [usize; 4] = [5, 6, 9, 10];
/// The level of the sea.
pub(crate) const SEA: f32 = 0.0;

/// Lowers coefficients so that the spline is nowhere above a cell of water: one of the sea or
/// beside it, whose highest sample of four is 0, or one whose four samples are equal, if none of
/// the 12 samples around them is lower. `heights` are all samples, row by row.
///
/// First, no coefficient of such a cell's samples stays above the level. That is enough where all
/// 16 around it are such. Beside a coast some are higher. The spline is at most the largest Bezier
/// control point of the cell, so the coefficients of its four samples are lowered by what that is
/// above the level, over their part of each value. Lowering a coefficient lowers all cells, so each
/// is lowered once, as much as one of its cells needs, and the order of cells does not matter. The
/// level is an `f32`, so rounding a value that is not above it does not bring it above.
pub(crate) fn lower(coefficients: &mut [f64], heights: &[f32], columns: usize) {
    let open = open(heights, columns);
    if !open.contains(&true) && !heights.contains(&SEA) {
        return;
    }
    let grid = Grid { heights, columns, rows: heights.len() / columns, open };
    grid.level_cells(|around, level| {
        OWN.map(around).into_iter().for_each(|index| {
            coefficients[index] = coefficients[index].min(level);
        });
    });
    // The index of a coefficient, and by how much it is lowered.
    let mut lowered: Vec<(usize, f64)> = Vec::new();
    grid.level_cells(|around, level| {
        let mut patch = [[0.0; 4]; 4];
        (0..16).for_each(|k| patch[k / 4][k % 4] = rounded(coefficients[around(k)]));
        let flat = patch.as_flattened();
        if flat.iter().all(|&c| c <= level) {
            return;
        }
        let largest = flat.iter().fold(0.0f64, |largest, c| largest.max(c.abs()));
        let above = Hull::of_cell(&patch, [1.0; 2]).max() - level + ROUNDING * largest;
        if above > 0.0 {
            lowered.extend(OWN.map(|k| (around(k), above / SHARE)));
        }
    });
    // The largest first.
    lowered.sort_unstable_by(|a, b| a.0.cmp(&b.0).then(b.1.total_cmp(&a.1)));
    lowered.dedup_by_key(|(index, _)| *index);
    for (index, by) in lowered {
        let wanted = rounded(coefficients[index]) - by;
        let nearest = wanted as f32;
        let below = if f64::from(nearest) > wanted { nearest.next_down() } else { nearest };
        coefficients[index] = below.into();
    }
}

/// The corners of all cells of the sea. `heights` are all samples, row by row.
pub(crate) fn sea(heights: &[f32], columns: usize) -> Bits {
    if !heights.contains(&SEA) {
        return Bits::default();
    }
    let mut corners = Bits::new(heights.len());
    let grid = Grid { heights, columns, rows: heights.len() / columns, open: Vec::new() };
    grid.each_cell(|cell, own| {
        if grid.is_sea(cell, highest(own)) {
            for k in OWN {
                corners.add(grid.around(cell, k));
            }
        }
    });
    corners
}

/// Samples row by row.
struct Grid<'a> {
    heights: &'a [f32],
    columns: usize,
    rows: usize,
    /// Which samples are in the north-west of open water.
    open: Vec<bool>,
}

/// Which samples are in the north-west of [`OPEN`] x [`OPEN`] equal ones.
fn open(heights: &[f32], columns: usize) -> Vec<bool> {
    // How many samples to the east are the same, and how many of those rows are to the south.
    let (mut east, mut south) = (vec![0; columns], vec![0; columns]);
    let mut all = vec![false; heights.len()];
    for (j, row) in heights.chunks_exact(columns).enumerate().rev() {
        let below = heights.get((j + 1) * columns..).unwrap_or_default();
        for i in (0..columns).rev() {
            let next = if i + 1 < columns && row[i + 1] == row[i] { east[i + 1] } else { 0 };
            east[i] = OPEN.min(next + 1);
            let under = if below.get(i) == Some(&row[i]) { south[i] } else { 0 };
            south[i] = if east[i] == OPEN { OPEN.min(under + 1) } else { 0 };
            all[j * columns + i] = south[i] == OPEN;
        }
    }
    all
}

impl Grid<'_> {
    /// Calls `take` with each cell and its four samples.
    fn each_cell(&self, mut take: impl FnMut([usize; 2], [f32; 4])) {
        for j in 0..self.rows - 1 {
            let [north, south] =
                [j, j + 1].map(|j| &self.heights[j * self.columns..(j + 1) * self.columns]);
            for i in 0..self.columns - 1 {
                take([i, j], [north[i], north[i + 1], south[i], south[i + 1]]);
            }
        }
    }

    /// The index of one of the 4 x 4 samples around a cell, row by row.
    fn around(&self, [i, j]: [usize; 2], k: usize) -> usize {
        mirrored(j + k / 4, self.rows) * self.columns + mirrored(i + k % 4, self.columns)
    }

    /// Calls `take` with each cell of water: the indices of the 4 x 4 samples around it, row by
    /// row, and its level.
    fn level_cells(&self, mut take: impl FnMut(&dyn Fn(usize) -> usize, f64)) {
        self.each_cell(|cell, own| {
            let level = highest(own);
            let is_flat = own.iter().all(|height| *height == level);
            let is_lake = || {
                let is_lowest = (0..16).all(|k| self.heights[self.around(cell, k)] >= level);
                is_lowest && self.is_water(cell, level)
            };
            if self.is_sea(cell, level) || is_flat && is_lake() {
                take(&|k| self.around(cell, k), level.into());
            }
        });
    }

    /// Whether a cell whose highest sample is at a level is one of the sea or beside it.
    fn is_sea(&self, cell: [usize; 2], level: f32) -> bool {
        let height = |k: usize| self.heights[self.around(cell, k)];
        let is_cell_of_sea = |k: &usize| [0, 1, 4, 5].iter().all(|step| height(k + step) == SEA);
        level == SEA
            && [0, 1, 2, 4, 5, 6, 8, 9, 10].iter().any(is_cell_of_sea)
            // A cell beside a sample without data has no ground.
            && (0..16).all(|k| !height(k).is_nan())
    }

    /// Whether open water of a level is near a cell.
    fn is_water(&self, cell: [usize; 2], level: f32) -> bool {
        let range =
            |x: usize, count: usize| x.saturating_sub(REACH + OPEN - 1)..(x + 2 + REACH).min(count);
        range(cell[1], self.rows).any(|j| {
            let mut columns = range(cell[0], self.columns);
            let row = j * self.columns;
            columns.any(|i| self.open[row + i] && self.heights[row + i] == level)
        })
    }
}

fn highest(own: [f32; 4]) -> f32 {
    own.into_iter().fold(own[0], f32::max)
}

/// As the field keeps it.
fn rounded(coefficient: f64) -> f64 {
    f64::from(coefficient as f32)
}
