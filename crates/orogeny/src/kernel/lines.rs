//! What noise needs to know of the columns and of the rows of a grid.

use fearless_simd::{Level, Simd};

use crate::fade::Fade;
use crate::grid::Grid;
use crate::kernel::{MAX_LANES, Octave};
use crate::split::split_floats;

/// The coordinates of a grid along one axis in one octave, as arrays of what [`Axis`](crate::axis::Axis) is for one.
///
/// They are longer than the grid, so that a vector may begin at any of its points; what is beyond has the lines of the last one.
#[derive(Clone, Debug, Default)]
pub(super) struct Lines {
    /// The number of points.
    pub len: usize,
    /// What the lattice knows of the lines below and above.
    pub below: Vec<u32>,
    pub above: Vec<u32>,
    pub t: Vec<f32>,
    pub w0: Vec<f32>,
    pub w1: Vec<f32>,
    /// The derivative of `w1` with respect to the caller's coordinate.
    pub dw: Vec<f32>,
    /// The derivative of `t` with respect to the caller's coordinate: the frequency.
    pub dt: f32,
    /// The stretches of points within one cell.
    pub runs: Vec<Run>,
    /// Floors and carries of the positions.
    floors: Vec<f64>,
    carries: Vec<f64>,
}

/// Neighbouring points within one cell.
#[derive(Clone, Copy, Debug)]
pub(super) struct Run {
    /// What the lattice knows of the lines below and above.
    pub lines: [u32; 2],
    /// The point after the last one.
    pub end: usize,
}

/// The columns and the rows of one octave.
#[derive(Clone, Debug, Default)]
pub(super) struct Table {
    pub columns: Lines,
    pub rows: Lines,
}

/// What the kernel works with, and the vectors that it shall use.
#[derive(Clone, Debug)]
pub(crate) struct Tables {
    pub level: Level,
    pub(super) octaves: Vec<Table>,
    /// The sums of a strip: values, and derivatives along x and z.
    pub(super) sums: [Vec<f32>; 3],
}

impl Default for Tables {
    /// For the widest vectors that the machine has.
    fn default() -> Self {
        Self { level: Level::new(), octaves: Vec::new(), sums: Default::default() }
    }
}

impl Tables {
    /// Makes room for so many octaves.
    pub(super) fn prepare(&mut self, count: usize) {
        if self.octaves.len() < count {
            self.octaves.resize_with(count, Table::default);
        }
    }

    /// Fills the tables of octave `i`.
    #[inline(always)]
    pub(super) fn tabulate<S: Simd>(&mut self, _: S, i: usize, octave: &Octave, grid: &Grid<2>) {
        let Table { columns, rows } = &mut self.octaves[i];
        columns.fill(octave, grid, 0);
        rows.fill(octave, grid, 1);
    }
}

impl Lines {
    #[inline(always)]
    fn fill(&mut self, octave: &Octave, grid: &Grid<2>, axis: usize) {
        let len = grid.size[axis];
        self.len = len;
        self.dt = octave.frequency as f32;
        self.resize(len);
        let floors = &mut self.floors[..len];
        let carries = &mut self.carries[..len];
        let t = &mut self.t[..len];
        // Three loops, so that the compiler makes vectors of the first and the last.
        for i in 0..len {
            let (floor, carry, fraction) =
                split_floats(grid.coordinate(axis, i), octave.frequency, octave.offset[axis]);
            floors[i] = floor;
            carries[i] = carry;
            t[i] = fraction as f32;
        }
        self.find_lines(octave, axis);
        let t = &self.t[..len];
        let (w0, w1) = (&mut self.w0[..len], &mut self.w1[..len]);
        let dw = &mut self.dw[..len];
        match octave.fade {
            Fade::Quintic => weigh(Fade::Quintic, self.dt, t, w0, w1, dw),
            fade => weigh(fade, self.dt, t, w0, w1, dw),
        }
    }

    fn resize(&mut self, len: usize) {
        let padded = len + MAX_LANES;
        for part in [&mut self.below, &mut self.above] {
            part.resize(padded, 0);
        }
        for part in [&mut self.t, &mut self.w0, &mut self.w1, &mut self.dw] {
            part.resize(padded, 0.0);
        }
        for part in [&mut self.floors, &mut self.carries] {
            part.resize(len, 0.0);
        }
    }

    /// The lattice lines, by the floors and the carries. Neighbours mostly share a cell, or a line.
    fn find_lines(&mut self, octave: &Octave, axis: usize) {
        self.runs.clear();
        let mut start = 0;
        let mut last: Option<(i64, u32)> = None;
        while start < self.len {
            let (floor, carry) = (self.floors[start], self.carries[start]);
            let cell = floor as i64 + carry as i64;
            let low = match last {
                Some((above, line)) if above == cell => line,
                _ => octave.plane.line(axis, cell),
            };
            let high = octave.plane.line(axis, cell.wrapping_add(1));
            last = Some((cell.wrapping_add(1), high));
            let mut end = start;
            while end < self.len && self.floors[end] == floor && self.carries[end] == carry {
                self.below[end] = low;
                self.above[end] = high;
                end += 1;
            }
            self.runs.push(Run { lines: [low, high], end });
            start = end;
        }
        // Idle lanes look up corners too.
        if let Some(&Run { lines: [low, high], end }) = self.runs.last() {
            self.below[end..].fill(low);
            self.above[end..].fill(high);
        }
    }
}

/// The weights of the lines below and above, and their derivative.
#[inline(always)]
fn weigh(fade: Fade, dt: f32, t: &[f32], w0: &mut [f32], w1: &mut [f32], dw: &mut [f32]) {
    for i in 0..t.len() {
        let weights = fade.weights(t[i]);
        w0[i] = weights.w0;
        w1[i] = weights.w1;
        dw[i] = dt * weights.slope;
    }
}
