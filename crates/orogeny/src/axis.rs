//! What noise needs to know of a point along one axis.

use crate::fade::{fade, fade_derivative};
use crate::hash::premix;
use crate::split::split;

/// One coordinate of a point in one octave: its two lattice lines and its place between them.
///
/// On a grid it is worked out once for each column and each row, not for each point.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Axis {
    /// The premixes of the lattice lines below and above.
    pub lines: [u32; 2],
    /// The place between them, in [0, 1].
    pub t: f32,
    /// The weights of the lines below and above: 1 - u and u with u = fade(t).
    pub w0: f32,
    /// See `w0`.
    pub w1: f32,
    /// The derivative of t with respect to the caller's coordinate: the frequency.
    pub dt: f32,
    /// The derivative of `w1` with respect to the caller's coordinate.
    pub dw: f32,
}

impl Axis {
    #[inline]
    pub fn new(position: f64, frequency: f64, offset: f64, key: u64) -> Self {
        let (cell, t) = split(position, frequency, offset);
        let (w0, w1) = fade(t);
        let dt = frequency as f32;
        Self {
            lines: [premix(cell, key), premix(cell.wrapping_add(1), key)],
            t,
            w0,
            w1,
            dt,
            dw: dt * fade_derivative(t),
        }
    }
}
