//! Coordinates in vectors, split into lattice cells and the places within them.

use fearless_simd::Simd;
use fearless_simd::prelude::*;

use crate::kernel::MAX_LANES;
use crate::lattice::cell::{NEAR, ONES, VELTKAMP};
use crate::samples::grid::Grid;

/// The coordinates of a vector of points along an axis: the lower half of the lanes, then the upper
/// one.
pub(super) type Positions<S> = [<S as Simd>::f64s; 2];

/// Coordinates along an axis, a vector at a time.
pub(super) trait Coordinates {
    fn at(&self, i: usize) -> f64;

    /// Those from `at` on. What they are beyond the last one does not matter.
    fn lanes<S: Simd>(&self, simd: S, at: usize) -> Positions<S>;
}

pub(super) struct OnGrid<'a> {
    pub grid: &'a Grid<2>,
    pub axis: usize,
}

impl Coordinates for OnGrid<'_> {
    fn at(&self, i: usize) -> f64 {
        self.grid.coordinate(self.axis, i)
    }

    #[inline(always)]
    fn lanes<S: Simd>(&self, simd: S, at: usize) -> Positions<S> {
        const COUNT: [f64; MAX_LANES] =
            [0., 1., 2., 3., 4., 5., 6., 7., 8., 9., 10., 11., 12., 13., 14., 15.];
        let first = S::f64s::splat(simd, at as f64);
        let half = S::f64s::LEN;
        let low = first + S::f64s::from_slice(simd, &COUNT[..half]);
        let high = first + S::f64s::from_slice(simd, &COUNT[half..2 * half]);
        let origin = S::f64s::splat(simd, self.grid.origin[self.axis]);
        let spacing = S::f64s::splat(simd, self.grid.spacing);
        [origin + spacing * low, origin + spacing * high]
    }
}

/// Points given as x and z in turns.
pub(super) struct Scattered<'a> {
    pub points: &'a [f64],
    pub axis: usize,
}

impl Coordinates for Scattered<'_> {
    fn at(&self, i: usize) -> f64 {
        self.points[2 * i + self.axis]
    }

    #[inline(always)]
    fn lanes<S: Simd>(&self, simd: S, at: usize) -> Positions<S> {
        let half = S::f64s::LEN;
        let points = &self.points[2 * at..];
        // The last ones may be fewer than a vector.
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
        if self.axis == 0 {
            [a.unzip_low(b), c.unzip_low(d)]
        } else {
            [a.unzip_high(b), c.unzip_high(d)]
        }
    }
}

/// How coordinates become places on the lattice.
pub(super) struct Splitter<S: Simd> {
    simd: S,
    frequency: S::f64s,
    /// The upper 26 bits of the frequency and the rest.
    halves: [S::f64s; 2],
    offset: S::f64s,
}

/// A vector of places on the lattice.
pub(super) struct Places<S: Simd> {
    /// The lower 32 bits of the cells.
    pub cells: S::u32s,
    /// The place in the cell, in [0, 1].
    pub t: S::f32s,
    /// Whether all cells and their neighbours are between -2^31 and 2^31; otherwise the rest means
    /// nothing.
    pub near: bool,
}

/// Half a vector of places on the lattice.
pub(super) struct Whole<S: Simd> {
    pub cell: S::f64s,
    pub t: S::f64s,
    /// Which cells are near, see [`Places`].
    pub near: S::mask64s,
}

impl<S: Simd> Splitter<S> {
    #[inline(always)]
    pub fn new(simd: S, frequency: f64, offset: f64) -> Self {
        let frequency = S::f64s::splat(simd, frequency);
        let offset = S::f64s::splat(simd, offset);
        Self { simd, frequency, halves: halves::<S>(frequency), offset }
    }

    /// The arithmetic of [`split`](crate::lattice::cell::split), in its order.
    #[inline(always)]
    pub fn split(&self, [low, high]: Positions<S>) -> Places<S> {
        let (low, high) = (self.whole(low), self.whole(high));
        let cells: [S::u64s; 2] = [(low.cell + ONES).bitcast(), (high.cell + ONES).bitcast()];
        Places {
            cells: cells[0].narrow(cells[1]),
            t: low.t.narrow(high.t),
            near: (low.near & high.near).all_true(),
        }
    }

    /// The same for half a vector, with nothing rounded.
    #[inline(always)]
    pub fn whole(&self, position: S::f64s) -> Whole<S> {
        let (product, error) = self.product(position);
        let floor = product.floor();
        let t = ((product - floor) + error) + self.offset;
        let carry = t.floor();
        let near = product.abs().simd_lt(S::f64s::splat(self.simd, NEAR));
        Whole { cell: floor + carry, t: t - carry, near }
    }

    /// The rounded product with the frequency, and the exact difference of the true one from it.
    #[inline(always)]
    pub fn product(&self, position: S::f64s) -> (S::f64s, S::f64s) {
        let product = position * self.frequency;
        (product, self.error(position, product))
    }

    /// The exact difference of the product of position and frequency from its rounded one.
    #[inline(always)]
    fn error(&self, position: S::f64s, product: S::f64s) -> S::f64s {
        // Vectors of this width come with a fused product and sum. Both ways are exact, so they
        // have the same bits.
        if S::f64s::LEN >= 4 {
            return position.mul_add_precise(self.frequency, -product);
        }
        let [high, low] = halves::<S>(position);
        let [frequency, rest] = self.halves;
        ((high * frequency - product) + high * rest + low * frequency) + low * rest
    }
}

/// Veltkamp's halves of 53 bits.
#[inline(always)]
fn halves<S: Simd>(a: S::f64s) -> [S::f64s; 2] {
    let scaled = a * VELTKAMP;
    let high = scaled - (scaled - a);
    [high, a - high]
}
