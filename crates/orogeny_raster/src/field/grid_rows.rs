//! Fills grids: row by row, in blocks of columns.

use orogeny::{Grid, Sample, Samples};

use crate::field::spline::{Coefficients, Frame, Taps, dot, sample_of, value_of};

/// The columns of a block. Their weights are computed once for all rows, in the first block.
const COLUMNS: usize = 128;
/// The most coefficients of a row whose sums along z the points of a block share.
const SHARED: usize = 256;

/// Points of a row, all within the raster: the taps of their columns, and of the row.
pub(crate) struct Run<'a> {
    pub columns: &'a [Taps],
    pub row: Taps,
    pub has_gradients: bool,
}

/// Fills a grid over a raster. `fill` writes the samples of each run.
pub(crate) fn fill_grid(
    frame: &Frame,
    grid: &Grid<2>,
    out: &mut Samples<2>,
    fill: impl FnMut(Run, &mut [Sample<2>]),
) {
    let mut rows = Rows {
        frame,
        grid,
        fill,
        has_gradients: out.has_gradients(),
        columns: [Taps::OUTSIDE; COLUMNS],
        first: usize::MAX,
        next: if grid.is_empty() { [0, usize::MAX] } else { [0, 0] },
        samples: [Sample::OUTSIDE; COLUMNS],
        rest: 0..0,
    };
    out.write(std::iter::from_fn(|| rows.next()));
}

struct Rows<'a, F> {
    frame: &'a Frame,
    grid: &'a Grid<2>,
    fill: F,
    has_gradients: bool,
    /// The taps of the block that starts at column `first`.
    columns: [Taps; COLUMNS],
    first: usize,
    /// The column and the row at which the next block starts.
    next: [usize; 2],
    samples: [Sample<2>; COLUMNS],
    /// Which samples of the block are still to be taken.
    rest: std::ops::Range<usize>,
}

impl<F: FnMut(Run, &mut [Sample<2>])> Rows<'_, F> {
    #[inline(always)]
    fn next(&mut self) -> Option<Sample<2>> {
        if self.rest.is_empty() {
            self.load()?;
        }
        self.rest.next().map(|i| self.samples[i])
    }

    /// Computes the next block.
    fn load(&mut self) -> Option<()> {
        let [start, j] = self.next;
        let [across, down] = self.grid.size;
        if j >= down {
            return None;
        }
        let count = COLUMNS.min(across - start);
        self.next = if start + count < across { [start + count, j] } else { [0, j + 1] };
        self.rest = 0..count;
        let columns = &mut self.columns[..count];
        if self.first != start {
            for (i, taps) in columns.iter_mut().enumerate() {
                *taps = self.frame.taps(0, self.grid.coordinate(0, start + i));
            }
            self.first = start;
        }
        let samples = &mut self.samples[..count];
        let row = self.frame.taps(1, self.grid.coordinate(1, j));
        // Columns are in order, so those within the raster are neighbours.
        let inside = columns.iter().position(Taps::is_inside).filter(|_| row.is_inside());
        let Some(first) = inside else {
            samples.fill(Sample::OUTSIDE);
            return Some(());
        };
        let end = columns.iter().rposition(Taps::is_inside).map_or(first, |last| last + 1);
        samples[..first].fill(Sample::OUTSIDE);
        samples[end..].fill(Sample::OUTSIDE);
        let run = Run { columns: &columns[first..end], row, has_gradients: self.has_gradients };
        (self.fill)(run, &mut samples[first..end]);
        Some(())
    }
}

impl Run<'_> {
    /// The minimum and the maximum of the taps' first coefficient along x.
    pub fn firsts(&self) -> [usize; 2] {
        let [a, b] = [&self.columns[0], &self.columns[self.columns.len() - 1]].map(|x| x.first);
        [a.min(b), a.max(b)]
    }

    /// Writes the samples of the spline of a block of coefficients that starts at `origin`.
    #[inline(always)]
    pub fn fill(&self, block: &Coefficients, origin: [usize; 2], out: &mut [Sample<2>]) {
        let row = self.row.within(origin[1]);
        let [first, last] = self.firsts();
        let count = last - first + 4;
        let points = self.columns.iter().zip(out);
        // Points far from each other share no sums.
        if count > SHARED || count > 4 * self.columns.len() {
            for (x, out) in points {
                let x = x.within(origin[0]);
                *out = if self.has_gradients {
                    block.sample(&x, &row)
                } else {
                    Sample { value: block.value(&x, &row), ..Sample::OUTSIDE }
                };
            }
            return;
        }
        let rows = block.four_rows(first - origin[0], row.first, count);
        let mut values = [0.0; SHARED];
        sums(&row.weights, rows, &mut values[..count]);
        if self.has_gradients {
            let mut slopes = [0.0; SHARED];
            sums(&row.slopes, rows, &mut slopes[..count]);
            for (x, out) in points {
                *out = sample_of(x, four(&values, x.first - first), four(&slopes, x.first - first));
            }
        } else {
            for (x, out) in points {
                out.value = value_of(x, four(&values, x.first - first));
            }
        }
    }
}

/// The sums along z of each column of four rows.
#[inline(always)]
fn sums(weights: &[f64; 4], rows: [&[f32]; 4], out: &mut [f64]) {
    let [a, b, c, d] = rows.map(|row| &row[..out.len()]);
    for (i, out) in out.iter_mut().enumerate() {
        *out = dot(weights, [a[i].into(), b[i].into(), c[i].into(), d[i].into()]);
    }
}

#[inline(always)]
fn four(all: &[f64; SHARED], start: usize) -> [f64; 4] {
    let [a, b, c, d] = all[start..start + 4] else { unreachable!() };
    [a, b, c, d]
}
