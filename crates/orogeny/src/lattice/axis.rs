//! What lattice noise needs for a point along one axis.

use crate::lattice::cell::split;
use crate::lattice::fade::{Fade, Weights};

/// One coordinate of a point in one octave: its two lattice lines, and its offset between them.
///
/// On a grid it is computed once for each column and row, not for each point.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Axis {
    /// The lattice's words for the lines below and above.
    pub lines: [u32; 2],
    /// The offset between them, in [0, 1].
    pub t: f32,
    /// The weights of the lines below and above: 1 - u and u with u = fade(t).
    pub w0: f32,
    /// See `w0`.
    pub w1: f32,
    /// The derivative of `t` with respect to the caller's coordinate: the frequency.
    pub dt: f32,
    /// The derivative of `w1` with respect to the caller's coordinate.
    pub dw: f32,
}

impl Axis {
    /// `line` returns the lattice's word for a line. `offset` is added to position * frequency.
    #[inline(always)]
    pub fn new(
        position: f64,
        frequency: f64,
        offset: f64,
        fade: Fade,
        line: impl Fn(i64) -> u32,
    ) -> Self {
        let (cell, t) = split(position, frequency, offset);
        let t = t as f32;
        let Weights { w0, w1, slope } = fade.weights(t);
        let dt = frequency as f32;
        Self { lines: [line(cell), line(cell.wrapping_add(1))], t, w0, w1, dt, dw: dt * slope }
    }
}

/// `cell` modulo `period`. A period of 0 means none.
#[inline(always)]
pub(crate) fn wrap(cell: i64, period: u32) -> i64 {
    if period == 0 { cell } else { cell.rem_euclid(i64::from(period)) }
}
