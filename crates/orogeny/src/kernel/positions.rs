//! Positions, and their coordinates in SIMD lanes.

use alloc::vec::Vec;
use core::iter::repeat_n;
use core::ops::Range;

use fearless_simd::Simd;
use fearless_simd::prelude::*;

use crate::arrays::Each;
use crate::kernel::MAX_LANES;

/// The positions at which a fill takes its samples.
#[derive(Clone, Copy, Debug)]
pub(crate) enum KernelPositions<'a> {
    /// A grid, by the coordinates along each axis. The first axis runs fastest.
    Grid(&'a [Coordinates]),
    /// The coordinates of every point, interleaved.
    Scattered { points: &'a [f64], dimensions: usize },
}

/// Coordinates along one axis.
#[derive(Clone, Debug)]
pub(crate) struct Coordinates {
    /// The list, and copies of its last entry, so that a vector can start at any point.
    padded: Vec<f64>,
}

/// The coordinates of a vector of points along one axis: the lower half of the lanes, then the
/// upper half.
pub(super) type CoordinateLanes<S> = [<S as Simd>::f64s; 2];

impl Coordinates {
    pub const fn new() -> Self {
        Self { padded: Vec::new() }
    }

    /// Replaces the list by what `append` appends to an empty one.
    #[inline(always)]
    pub fn write(&mut self, append: impl FnOnce(&mut Vec<f64>)) {
        self.padded.clear();
        append(&mut self.padded);
        if let Some(&last) = self.padded.last() {
            self.padded.extend([last; MAX_LANES]);
        }
    }

    /// Replaces the list by `len` coordinates; `lanes` gives those from an index on.
    #[inline(always)]
    pub(super) fn write_lanes<S: Simd>(
        &mut self,
        len: usize,
        lanes: impl Fn(usize) -> CoordinateLanes<S>,
    ) {
        let half = S::f64s::LEN;
        self.padded.resize(len + MAX_LANES, 0.0);
        for start in (0..len).step_by(2 * half) {
            let [low, high] = lanes(start);
            low.store_slice(&mut self.padded[start..start + half]);
            high.store_slice(&mut self.padded[start + half..start + 2 * half]);
        }
        if let Some(last) = len.checked_sub(1) {
            let last = self.padded[last];
            self.padded[len..].fill(last);
        }
    }

    #[inline(always)]
    pub fn list(&self) -> &[f64] {
        &self.padded[..self.padded.len().saturating_sub(MAX_LANES)]
    }

    /// The coordinates from index `from` on.
    #[inline(always)]
    pub(super) fn lanes<S: Simd>(&self, simd: S, from: usize) -> CoordinateLanes<S> {
        let half = S::f64s::LEN;
        let lanes = &self.padded[from..from + 2 * half];
        [S::f64s::from_slice(simd, &lanes[..half]), S::f64s::from_slice(simd, &lanes[half..])]
    }
}

impl KernelPositions<'_> {
    pub fn dimensions(&self) -> usize {
        match self {
            KernelPositions::Grid(axes) => axes.len(),
            KernelPositions::Scattered { dimensions, .. } => *dimensions,
        }
    }

    pub fn len(&self) -> usize {
        match self {
            KernelPositions::Grid(axes) => axes.iter().map(|axis| axis.list().len()).product(),
            KernelPositions::Scattered { points, dimensions } => points.len() / dimensions,
        }
    }

    /// Writes the coordinates of a range of positions, axis by axis.
    #[inline(always)]
    pub(super) fn block<S: Simd>(&self, simd: S, range: Range<usize>, out: &mut [Coordinates]) {
        match *self {
            KernelPositions::Grid(axes) => {
                let mut stride = 1;
                for (axis, out) in axes.iter().zip(out) {
                    out.write(|out| append_cycle(axis.list(), stride, range.clone(), out));
                    stride *= axis.list().len();
                }
            }
            KernelPositions::Scattered { points, dimensions } => {
                let points = &points[range.start * dimensions..range.end * dimensions];
                for (axis, out) in out.iter_mut().enumerate().take(dimensions) {
                    match dimensions {
                        2 => out.write_lanes::<S>(
                            range.len(),
                            #[inline(always)]
                            |start| scattered_lanes(simd, points, axis, start),
                        ),
                        _ => out
                            .write(|out| out.extend(points.iter().skip(axis).step_by(dimensions))),
                    }
                }
            }
        }
    }
}

/// Appends the part `range` of the endless sequence that cycles through `list` and repeats each
/// entry `stride` times.
#[inline(always)]
fn append_cycle(list: &[f64], stride: usize, range: Range<usize>, out: &mut Vec<f64>) {
    let mut at = range.start;
    while at < range.end {
        let index = at / stride % list.len();
        let end = if stride == 1 {
            let end = range.end.min(at + list.len() - index);
            out.extend_from_slice(&list[index..index + (end - at)]);
            end
        } else {
            let end = range.end.min(at + stride - at % stride);
            out.extend(repeat_n(list[index], end - at));
            end
        };
        at = end;
    }
}

/// The coordinates along one axis of points in the plane, from index `start` on.
#[inline(always)]
fn scattered_lanes<S: Simd>(
    simd: S,
    points: &[f64],
    axis: usize,
    start: usize,
) -> CoordinateLanes<S> {
    let half = S::f64s::LEN;
    let points = &points[2 * start..];
    // Fewer points than a vector may remain.
    let mut padded = [0.0; 2 * MAX_LANES];
    let points = if points.len() < 4 * half {
        padded[..points.len()].copy_from_slice(points);
        &padded[..4 * half]
    } else {
        &points[..4 * half]
    };
    let a = S::f64s::from_slice(simd, &points[..half]);
    let b = S::f64s::from_slice(simd, &points[half..2 * half]);
    let c = S::f64s::from_slice(simd, &points[2 * half..3 * half]);
    let d = S::f64s::from_slice(simd, &points[3 * half..]);
    if axis == 0 { [a.unzip_low(b), c.unzip_low(d)] } else { [a.unzip_high(b), c.unzip_high(d)] }
}

/// The action for each vector of positions.
pub(super) trait Visit<S: Simd> {
    /// `range` has the indices of the positions. If it is shorter than a vector, only the first
    /// lanes count.
    fn visit(&mut self, simd: S, x: CoordinateLanes<S>, z: CoordinateLanes<S>, range: Range<usize>);
}

/// Visits all positions in the plane. On a grid, no vector spans two rows.
#[inline(always)]
pub(super) fn each_vector<S: Simd>(
    simd: S,
    positions: KernelPositions,
    visitor: &mut impl Visit<S>,
) {
    let [width, height] = match positions {
        KernelPositions::Grid(axes) => [0, 1].each(|axis| axes[axis].list().len()),
        KernelPositions::Scattered { .. } => [positions.len(), 1],
    };
    for row in 0..height {
        for column in (0..width).step_by(S::f32s::LEN) {
            // Matched for each vector, so that `visit` is compiled only once.
            let (x, z) = match positions {
                KernelPositions::Grid(axes) => {
                    let z = S::f64s::splat(simd, axes[1].list()[row]);
                    (axes[0].lanes(simd, column), [z; 2])
                }
                KernelPositions::Scattered { points, .. } => (
                    scattered_lanes(simd, points, 0, column),
                    scattered_lanes(simd, points, 1, column),
                ),
            };
            let start = row * width + column;
            visitor.visit(simd, x, z, start..start + S::f32s::LEN.min(width - column));
        }
    }
}
