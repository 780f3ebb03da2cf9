//! What noise needs to know of the columns and of the rows of a grid.

use fearless_simd::Level;

use crate::fade::Fade;
use crate::grid::Grid;
use crate::hash::premix;
use crate::kernel::{MAX_LANES, Octave, Plane};
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
    /// What every strip needs of each row: of the rows of grids alone.
    pub heights: Vec<RowHeight>,
    /// The stretches of points between the same lines: of the rows of grids alone.
    pub runs: Vec<Run>,
    /// Floors and carries of the positions.
    floors: Vec<f64>,
    carries: Vec<f64>,
}

/// The place of a row between its lattice rows: s, v = fade(s), v s, and the derivatives of the last two along z.
#[derive(Clone, Copy, Debug)]
pub(super) struct RowHeight {
    pub s: f32,
    pub v: f32,
    pub vs: f32,
    pub dv: f32,
    pub dvs: f32,
}

/// Neighbouring points between the same lines.
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
    pub(super) fn tabulate(&mut self, i: usize, octave: &Octave, grid: &Grid<2>) {
        let Table { columns, rows } = &mut self.octaves[i];
        columns.fill(octave, 0, grid.size[0], OnGrid { grid, axis: 0 });
        rows.fill(octave, 1, grid.size[1], OnGrid { grid, axis: 1 });
        rows.find_heights();
        rows.find_runs();
    }
}

impl Table {
    /// Fills the table for scattered points, given as x and z in turns.
    #[inline(always)]
    pub(super) fn scatter(&mut self, octave: &Octave, points: &[f64]) {
        let len = points.len() / 2;
        self.columns.fill(octave, 0, len, Scattered { points, axis: 0 });
        self.rows.fill(octave, 1, len, Scattered { points, axis: 1 });
    }
}

/// Coordinates along an axis. Not a closure, since those are not inlined.
trait Coordinates {
    fn at(&self, i: usize) -> f64;
}

struct OnGrid<'a> {
    grid: &'a Grid<2>,
    axis: usize,
}

impl Coordinates for OnGrid<'_> {
    #[inline(always)]
    fn at(&self, i: usize) -> f64 {
        self.grid.coordinate(self.axis, i)
    }
}

struct Scattered<'a> {
    points: &'a [f64],
    axis: usize,
}

impl Coordinates for Scattered<'_> {
    #[inline(always)]
    fn at(&self, i: usize) -> f64 {
        self.points[2 * i + self.axis]
    }
}

impl Lines {
    #[inline(always)]
    fn fill(&mut self, octave: &Octave, axis: usize, len: usize, coordinates: impl Coordinates) {
        self.len = len;
        self.dt = octave.frequency as f32;
        self.resize(len);
        let floors = &mut self.floors[..len];
        let carries = &mut self.carries[..len];
        let t = &mut self.t[..len];
        // Three loops, so that the compiler makes vectors of the first and the last.
        for i in 0..len {
            let (floor, carry, fraction) =
                split_floats(coordinates.at(i), octave.frequency, octave.offset[axis]);
            floors[i] = floor;
            carries[i] = carry;
            t[i] = fraction as f32;
        }
        self.find_lines(octave, axis);
        let t = &self.t[..len];
        let (w0, w1) = (&mut self.w0[..len], &mut self.w1[..len]);
        let dw = &mut self.dw[..len];
        // The usual fade has a loop of its own.
        match octave.fade {
            Fade::Quintic => weigh(Fade::Quintic, self.dt, t, w0, w1, dw),
            fade => weigh(fade, self.dt, t, w0, w1, dw),
        }
    }

    fn find_heights(&mut self) {
        let dt = self.dt;
        let height = |((&s, &v), &dv): ((&f32, &f32), &f32)| RowHeight {
            s,
            v,
            vs: v * s,
            dv,
            dvs: dt * v + s * dv,
        };
        let rows = self.t.iter().zip(&self.w1).zip(&self.dw).take(self.len);
        self.heights.clear();
        self.heights.extend(rows.map(height));
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

    /// The lattice lines, by the floors and the carries.
    #[inline(always)]
    fn find_lines(&mut self, octave: &Octave, axis: usize) {
        let len = self.len;
        let (floors, carries) = (&self.floors[..len], &self.carries[..len]);
        let (below, above) = (&mut self.below[..len], &mut self.above[..len]);
        if let Some(keys) = octave.keys {
            // In vectors, hashing twice is cheaper than looking whether a line is that of a neighbour.
            for i in 0..len {
                let cell = floors[i] as i64 + carries[i] as i64;
                below[i] = premix(cell, keys[axis]);
                above[i] = premix(cell.wrapping_add(1), keys[axis]);
            }
        } else {
            look_up(octave.plane, axis, floors, carries, below, above);
        }
        // Idle lanes look up corners too.
        if let (Some(&low), Some(&high)) = (below.last(), above.last()) {
            self.below[len..].fill(low);
            self.above[len..].fill(high);
        }
    }

    /// The stretches of points between the same lines.
    fn find_runs(&mut self) {
        self.runs.clear();
        let mut lines = self.below.iter().zip(&self.above).take(self.len);
        let Some(mut last) = lines.next() else { return };
        for (i, next) in lines.enumerate() {
            if next != last {
                self.runs.push(Run { lines: [*last.0, *last.1], end: i + 1 });
                last = next;
            }
        }
        self.runs.push(Run { lines: [*last.0, *last.1], end: self.len });
    }
}

/// The lines of any lattice. Neighbours mostly share a cell, or a line.
fn look_up(
    plane: &dyn Plane,
    axis: usize,
    floors: &[f64],
    carries: &[f64],
    below: &mut [u32],
    above: &mut [u32],
) {
    let mut last: Option<(i64, [u32; 2])> = None;
    for i in 0..floors.len() {
        let cell = floors[i] as i64 + carries[i] as i64;
        let upper = || plane.line(axis, cell.wrapping_add(1));
        let lines = match last {
            Some((same, lines)) if same == cell => lines,
            Some((lower, [_, shared])) if lower.wrapping_add(1) == cell => [shared, upper()],
            _ => [plane.line(axis, cell), upper()],
        };
        last = Some((cell, lines));
        [below[i], above[i]] = lines;
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
