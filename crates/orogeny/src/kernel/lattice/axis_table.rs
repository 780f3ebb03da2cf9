//! Tables of what lattice noise needs for each column, each row, or each scattered point.

use alloc::vec::Vec;
use core::ops::Range;

use fearless_simd::Simd;
use fearless_simd::prelude::*;

use crate::kernel::cells::{CellSplitter, LatticeCells};
use crate::kernel::corners::premixed;
use crate::kernel::octave::LatticeOctave;
use crate::kernel::{Coordinates, MAX_LANES};
use crate::lattice::CornerLookup;
use crate::lattice::cell::split;
use crate::lattice::fade::Fade;
use crate::lattice::hash::Key;

/// The coordinates along one axis in one octave: [`Axis`](crate::lattice::cell::Axis) as a
/// structure of arrays.
///
/// The arrays are [`MAX_LANES`] longer than the axis, so that a vector can start at any point.
/// Beyond the end, the lattice lines of the last point are repeated.
#[derive(Clone, Debug, Default)]
pub(in crate::kernel) struct AxisTable {
    /// The number of points.
    pub len: usize,
    /// The lattice's word for the line below each point, and for the line above.
    pub below: Vec<u32>,
    pub above: Vec<u32>,
    /// The offset in the cell, in [0, 1].
    pub t: Vec<f32>,
    /// The weights of the lines below and above.
    pub w0: Vec<f32>,
    pub w1: Vec<f32>,
    /// The derivative of `w1` with respect to the caller's coordinate.
    pub dw: Vec<f32>,
    /// The second derivative of `w1`. Only filled if second derivatives are requested.
    pub ddw: Vec<f32>,
    /// The derivative of `t` with respect to the caller's coordinate: the frequency.
    pub dt: f32,
    /// The rows of a grid, in the form that strips need.
    pub offsets: Vec<RowOffset>,
    /// The runs of rows in the current band of a grid.
    pub runs: Vec<Run>,
}

/// A sample row between its two lattice rows: s = t, v = fade(s), v s, and the first and second
/// derivatives of v and v s along z.
#[derive(Clone, Copy, Debug)]
pub(in crate::kernel) struct RowOffset {
    pub s: f32,
    /// 1 - v.
    pub u: f32,
    pub v: f32,
    pub vs: f32,
    pub dv: f32,
    pub dvs: f32,
    pub ddv: f32,
    pub ddvs: f32,
}

/// Consecutive sample rows between the same two lattice rows.
#[derive(Clone, Copy, Debug)]
pub(in crate::kernel) struct Run {
    /// The lattice's words for the lines below and above.
    pub lines: [u32; 2],
    /// The number of sample rows.
    pub count: usize,
}

impl AxisTable {
    /// Fills all fields except `ddw`, `offsets` and `runs`.
    #[inline(always)]
    pub fn fill<S: Simd>(
        &mut self,
        simd: S,
        octave: &LatticeOctave,
        axis: usize,
        coordinates: &Coordinates,
    ) {
        let len = coordinates.list().len();
        self.len = len;
        self.dt = octave.frequency as f32;
        self.resize(len);
        self.find_lines(simd, octave, axis, coordinates);
        let t = &self.t[..len];
        let (w0, w1) = (&mut self.w0[..len], &mut self.w1[..len]);
        let dw = &mut self.dw[..len];
        fill_weights(octave.fade, self.dt, t, w0, w1, dw);
    }

    /// Fills the second derivatives of the weights.
    pub fn fill_second(&mut self, fade: Fade) {
        for (ddw, &t) in self.ddw.iter_mut().zip(&self.t) {
            *ddw = self.dt * self.dt * fade.second(t);
        }
    }

    /// Fills `offsets`.
    pub fn find_offsets(&mut self) {
        let dt = self.dt;
        let offset =
            |((((&s, &u), &v), &dv), &ddv): ((((&f32, &f32), &f32), &f32), &f32)| RowOffset {
                s,
                u,
                v,
                vs: v * s,
                dv,
                dvs: dt * v + s * dv,
                ddv,
                ddvs: 2.0 * dt * dv + s * ddv,
            };
        let rows =
            self.t.iter().zip(&self.w0).zip(&self.w1).zip(&self.dw).zip(&self.ddw).take(self.len);
        self.offsets.clear();
        self.offsets.extend(rows.map(offset));
        // The number of runs depends on the position of the grid. Reserve memory for the maximum,
        // so that fills at other positions do not allocate.
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

    /// Finds the lattice lines around each point, and its offset between them.
    #[inline(always)]
    fn find_lines<S: Simd>(
        &mut self,
        simd: S,
        octave: &LatticeOctave,
        axis: usize,
        coordinates: &Coordinates,
    ) {
        let key = octave.keys.map(|keys| keys[axis]);
        if key.is_some_and(|key| self.hash_near_lines(simd, octave, axis, &key, coordinates)) {
            return;
        }
        self.look_up_lines(octave, axis, coordinates);
    }

    /// Finds the lattice lines for any lattice and any cell.
    #[inline(never)]
    fn look_up_lines(&mut self, octave: &LatticeOctave, axis: usize, coordinates: &Coordinates) {
        let len = self.len;
        let (frequency, offset) = (octave.frequency, octave.offset[axis]);
        let cells = coordinates.list().iter().map(|&x| split(x, frequency, offset));
        let cells = cells.zip(&mut self.t).map(|((cell, fraction), t)| {
            *t = fraction as f32;
            cell
        });
        look_up(&*octave.lattice, axis, cells, &mut self.below, &mut self.above);
        // Idle lanes look up corners too.
        if let Some(last) = len.checked_sub(1) {
            let lines = [self.below[last], self.above[last]];
            self.below[len..].fill(lines[0]);
            self.above[len..].fill(lines[1]);
        }
    }

    /// Finds the lattice lines for a hashed lattice with all cells within 2^31 of zero. Returns
    /// false, with nothing usable written, if a cell is farther out.
    #[inline(always)]
    fn hash_near_lines<S: Simd>(
        &mut self,
        simd: S,
        octave: &LatticeOctave,
        axis: usize,
        key: &Key,
        coordinates: &Coordinates,
    ) -> bool {
        let splitter = CellSplitter::new(simd, octave.frequency, octave.offset[axis]);
        let lanes = S::f32s::LEN;
        for start in (0..self.len).step_by(lanes) {
            let cells: LatticeCells<S> = splitter.split(coordinates.lanes(simd, start));
            if !cells.near {
                return false;
            }
            let range = start..start + lanes;
            // Hashing twice is cheaper than checking whether a neighbour has the same line.
            premixed::<S>(cells.cells, key).store_slice(&mut self.below[range.clone()]);
            premixed::<S>(cells.cells + 1, key).store_slice(&mut self.above[range.clone()]);
            cells.t.store_slice(&mut self.t[range]);
        }
        true
    }

    /// Finds the runs of the rows in `band`.
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

/// The lines below and above `cells`. Consecutive points mostly share a cell, or a line.
fn look_up(
    lattice: &dyn CornerLookup,
    axis: usize,
    cells: impl Iterator<Item = i64>,
    below: &mut [u32],
    above: &mut [u32],
) {
    let mut last: Option<(i64, [u32; 2])> = None;
    for ((cell, below), above) in cells.zip(below).zip(above) {
        let upper = || lattice.line(axis, cell.wrapping_add(1));
        let lines = match last {
            Some((same, lines)) if same == cell => lines,
            Some((lower, [_, shared])) if lower.wrapping_add(1) == cell => [shared, upper()],
            _ => [lattice.line(axis, cell), upper()],
        };
        last = Some((cell, lines));
        [*below, *above] = lines;
    }
}

/// The weights of the lines below and above, and the derivative of the upper one.
#[inline(always)]
pub(in crate::kernel) fn fill_weights(
    fade: Fade,
    dt: f32,
    t: &[f32],
    w0: &mut [f32],
    w1: &mut [f32],
    dw: &mut [f32],
) {
    // The default fade gets a loop of its own, which the compiler vectorises.
    match fade {
        Fade::Quintic => fill_weights_of(Fade::Quintic, dt, t, w0, w1, dw),
        fade => fill_weights_of(fade, dt, t, w0, w1, dw),
    }
}

#[inline(always)]
fn fill_weights_of(fade: Fade, dt: f32, t: &[f32], w0: &mut [f32], w1: &mut [f32], dw: &mut [f32]) {
    let len = t.len();
    let (w0, w1, dw) = (&mut w0[..len], &mut w1[..len], &mut dw[..len]);
    for i in 0..len {
        let weights = fade.weights(t[i]);
        w0[i] = weights.w0;
        w1[i] = weights.w1;
        dw[i] = dt * weights.slope;
    }
}
