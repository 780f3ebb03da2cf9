//! What noise needs to know of the columns and of the rows of a grid.

use core::ops::Range;

use fearless_simd::prelude::*;
use fearless_simd::{Level, Simd};

use crate::fractal::fractal_kind::FractalKind;
use crate::kernel::corners::{Prepared, premixed};
use crate::kernel::position::{Coordinates, OnGrid, Places, Scattered, Splitter};
use crate::kernel::{MAX_LANES, Octave, Plane};
use crate::lattice::cell::split;
use crate::lattice::fade::Fade;
use crate::lattice::hash::Key;
use crate::samples::grid::Grid;

/// The coordinates of a grid along one axis in one octave, as arrays of what
/// [`Axis`](crate::lattice::axis::Axis) is for one.
///
/// They are longer than the grid, so that a vector may begin at any of its points; what is beyond
/// has the lines of the last one.
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
    /// The second derivative of `w1`, where second derivatives are asked for.
    pub ddw: Vec<f32>,
    /// The derivative of `t` with respect to the caller's coordinate: the frequency.
    pub dt: f32,
    /// What every strip needs of each row: of the rows of grids alone.
    pub heights: Vec<RowHeight>,
    /// The stretches of points between the same lines, in the band of rows that is worked on: of
    /// the rows of grids alone.
    pub runs: Vec<Run>,
}

/// The place of a row between its lattice rows: s, v = fade(s), v s, and the first and second
/// derivatives of the last two along z.
#[derive(Clone, Copy, Debug)]
pub(super) struct RowHeight {
    pub s: f32,
    pub v: f32,
    pub vs: f32,
    pub dv: f32,
    pub dvs: f32,
    pub ddv: f32,
    pub ddvs: f32,
}

/// Neighbouring points between the same lines.
#[derive(Clone, Copy, Debug)]
pub(super) struct Run {
    /// What the lattice knows of the lines below and above.
    pub lines: [u32; 2],
    /// How many there are.
    pub count: usize,
}

/// One octave: its columns and rows, and how it is added.
#[derive(Clone, Debug, Default)]
pub(super) struct Table {
    pub columns: Lines,
    pub rows: Lines,
    pub term: Term,
}

/// How an octave is added, see [`Octave`].
#[derive(Clone, Debug, Default)]
pub(super) struct Term {
    /// Whether it is the first one, which finds nothing to be added to.
    pub first: bool,
    pub corners: Prepared,
    pub heights: bool,
    pub slope: f32,
    pub shape: Option<(FractalKind, f32)>,
}

impl Term {
    pub fn new(octave: &Octave, first: bool) -> Self {
        let &Octave { heights, slope, shape, .. } = octave;
        Self { first, corners: Prepared::new(octave), heights, slope, shape }
    }

    /// Whether its derivatives are left as they are.
    pub fn is_flat(&self) -> bool {
        self.slope == 0.0 && self.shape.is_none()
    }
}

/// What the kernel works with, and the vectors that it shall use.
#[derive(Clone, Debug)]
pub(crate) struct Tables {
    pub level: Level,
    pub(super) octaves: Vec<Table>,
    /// The sums of a strip, and the weights of octaves.
    pub(super) sums: [Vec<f32>; 2],
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
    pub(super) fn tabulate<S: Simd>(
        &mut self,
        simd: S,
        i: usize,
        octave: &Octave,
        grid: &Grid<2>,
        bends: bool,
    ) {
        let Table { columns, rows, term } = &mut self.octaves[i];
        *term = Term::new(octave, i == 0);
        columns.fill(simd, octave, 0, grid.size[0], OnGrid { grid, axis: 0 });
        rows.fill(simd, octave, 1, grid.size[1], OnGrid { grid, axis: 1 });
        if bends {
            columns.bend(octave.fade);
            rows.bend(octave.fade);
        }
        rows.find_heights();
    }
}

impl Table {
    /// Fills the table for scattered points, given as x and z in turns.
    #[inline(always)]
    pub(super) fn scatter<S: Simd>(
        &mut self,
        simd: S,
        octave: &Octave,
        first: bool,
        points: &[f64],
        bends: bool,
    ) {
        let len = points.len() / 2;
        self.term = Term::new(octave, first);
        self.columns.fill(simd, octave, 0, len, Scattered { points, axis: 0 });
        self.rows.fill(simd, octave, 1, len, Scattered { points, axis: 1 });
        if bends {
            self.columns.bend(octave.fade);
            self.rows.bend(octave.fade);
        }
    }
}

impl Lines {
    #[inline(always)]
    fn fill<S: Simd>(
        &mut self,
        simd: S,
        octave: &Octave,
        axis: usize,
        len: usize,
        coordinates: impl Coordinates,
    ) {
        self.len = len;
        self.dt = octave.frequency as f32;
        self.resize(len);
        self.find_lines(simd, octave, axis, coordinates);
        let t = &self.t[..len];
        let (w0, w1) = (&mut self.w0[..len], &mut self.w1[..len]);
        let dw = &mut self.dw[..len];
        // The usual fade has a loop of its own.
        match octave.fade {
            Fade::Quintic => weigh(Fade::Quintic, self.dt, t, w0, w1, dw),
            fade => weigh(fade, self.dt, t, w0, w1, dw),
        }
    }

    /// The second derivatives of the weights.
    fn bend(&mut self, fade: Fade) {
        for (ddw, &t) in self.ddw.iter_mut().zip(&self.t) {
            *ddw = self.dt * self.dt * fade.bend(t);
        }
    }

    fn find_heights(&mut self) {
        let dt = self.dt;
        let height = |(((&s, &v), &dv), &ddv): (((&f32, &f32), &f32), &f32)| RowHeight {
            s,
            v,
            vs: v * s,
            dv,
            dvs: dt * v + s * dv,
            ddv,
            ddvs: 2.0 * dt * dv + s * ddv,
        };
        let rows = self.t.iter().zip(&self.w1).zip(&self.dw).zip(&self.ddw).take(self.len);
        self.heights.clear();
        self.heights.extend(rows.map(height));
        // How many there will be depends on the place of the grid; what is filled again may be in
        // another.
        self.runs.clear();
        self.runs.reserve(self.len);
    }

    fn resize(&mut self, len: usize) {
        let padded = len + MAX_LANES;
        for part in [&mut self.below, &mut self.above] {
            part.resize(padded, 0);
        }
        for part in [&mut self.t, &mut self.w0, &mut self.w1, &mut self.dw, &mut self.ddw] {
            part.resize(padded, 0.0);
        }
    }

    /// The lattice lines, and the places between them.
    #[inline(always)]
    fn find_lines<S: Simd>(
        &mut self,
        simd: S,
        octave: &Octave,
        axis: usize,
        coordinates: impl Coordinates,
    ) {
        let key = octave.keys.map(|keys| keys[axis]);
        if key.is_some_and(|key| self.hash_near(simd, octave, axis, &key, &coordinates)) {
            return;
        }
        let len = self.len;
        let (frequency, offset) = (octave.frequency, octave.offset[axis]);
        let places = (0..len).map(|i| split(coordinates.at(i), frequency, offset));
        let cells = places.zip(&mut self.t).map(|((cell, fraction), t)| {
            *t = fraction as f32;
            cell
        });
        look_up(octave.plane, axis, cells, &mut self.below, &mut self.above);
        // Idle lanes look up corners too.
        if let Some(last) = len.checked_sub(1) {
            let lines = [self.below[last], self.above[last]];
            self.below[len..].fill(lines[0]);
            self.above[len..].fill(lines[1]);
        }
    }

    /// The same for a hashed lattice, where all cells are near zero; otherwise it returns false.
    #[inline(always)]
    fn hash_near<S: Simd>(
        &mut self,
        simd: S,
        octave: &Octave,
        axis: usize,
        key: &Key,
        coordinates: &impl Coordinates,
    ) -> bool {
        let splitter = Splitter::new(simd, octave.frequency, octave.offset[axis]);
        let lanes = S::f32s::LEN;
        for start in (0..self.len).step_by(lanes) {
            let places: Places<S> = splitter.split(coordinates.lanes(simd, start));
            if !places.near {
                return false;
            }
            let range = start..start + lanes;
            // Hashing twice is cheaper than looking whether a line is that of a neighbour.
            premixed::<S>(places.cells, key).store_slice(&mut self.below[range.clone()]);
            premixed::<S>(places.cells + 1, key).store_slice(&mut self.above[range.clone()]);
            places.t.store_slice(&mut self.t[range]);
        }
        true
    }

    /// Finds the stretches of points between the same lines in a band.
    pub fn find_runs(&mut self, band: Range<usize>) {
        self.runs.clear();
        let mut lines = self.below[band.clone()].iter().zip(&self.above[band]);
        let Some(mut last) = lines.next() else { return };
        let mut count = 1;
        for next in lines {
            if next != last {
                self.runs.push(Run { lines: [*last.0, *last.1], count });
                (last, count) = (next, 0);
            }
            count += 1;
        }
        self.runs.push(Run { lines: [*last.0, *last.1], count });
    }
}

/// The lines of any lattice. Neighbours mostly share a cell, or a line.
fn look_up(
    plane: &dyn Plane,
    axis: usize,
    cells: impl Iterator<Item = i64>,
    below: &mut [u32],
    above: &mut [u32],
) {
    let mut last: Option<(i64, [u32; 2])> = None;
    for ((cell, below), above) in cells.zip(below).zip(above) {
        let upper = || plane.line(axis, cell.wrapping_add(1));
        let lines = match last {
            Some((same, lines)) if same == cell => lines,
            Some((lower, [_, shared])) if lower.wrapping_add(1) == cell => [shared, upper()],
            _ => [plane.line(axis, cell), upper()],
        };
        last = Some((cell, lines));
        [*below, *above] = lines;
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
