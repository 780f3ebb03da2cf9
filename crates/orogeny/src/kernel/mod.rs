//! Lattice noise in two dimensions on dense grids, in vectors of whatever width the machine has.
//!
//! Noise on a grid is separable. What a point needs to know along one axis is worked out once for each column and each row, in [`lines`]. Along
//! a lattice row the noise is an affine function of the height above it (see `interpolate`), whose coefficients are worked out for a whole
//! vector of columns at once, in [`row`]. Each lane hashes its own two corners, redundantly where lanes share a cell, and so there is no
//! gather and no permutation. All sample rows between two lattice rows then cost a handful of products each; and the upper lattice row
//! is the lower one of the next cell.
//!
//! Scattered points share nothing, so each lane has its own two rows as well; but it is all done in vectors.
//!
//! The grid is worked through in strips as wide as a vector, each with all octaves, so that its sums stay in the nearest cache, see [`strips`].
//!
//! The order of all operations is that of `interpolate`, and no product is fused with a sum: so bits are those of a point alone, with every width of
//! vectors, on every machine. Inside, there are neither closures nor `array::map`: the compiler does not inline those into code for
//! another instruction set than that of the whole program, and a kernel would be ten times as slow.

mod corners;
mod lines;
mod row;
mod strips;

pub(crate) use corners::Corners;
pub(crate) use lines::Tables;

use fearless_simd::{Simd, dispatch};
use fearless_simd_macros::simd;

use crate::fade::Fade;
use crate::grid::Grid;
use crate::lattice::Corner;

/// The lanes of the widest vector.
const MAX_LANES: usize = 16;

/// A lattice in two dimensions.
pub(crate) trait Plane {
    /// What the corners of a line across `axis` share.
    fn line(&self, axis: usize, cell: i64) -> u32;

    /// What belongs to the crossing of a column and a row. The height is zero unless `heights`.
    fn corner(&self, lines: [u32; 2], heights: bool) -> Corner<2>;
}

/// One octave of noise.
pub(crate) struct Octave<'a> {
    pub frequency: f64,
    pub offset: [f64; 2],
    pub fade: Fade,
    pub plane: &'a dyn Plane,
    /// The keys of both axes, where lines are hashed with them.
    pub keys: Option<[u64; 2]>,
    pub corners: Corners,
    /// Whether corners have heights.
    pub heights: bool,
    pub amplitude: f32,
    /// The weight of the gradient; where it is zero, the gradient is left as it is.
    pub slope: f32,
}

/// A grid of samples that is written.
pub(crate) struct Target<'a> {
    pub value: &'a mut [f32],
    pub dx: &'a mut [f32],
    pub dz: &'a mut [f32],
}

/// Fills a grid with the sum of `count` octaves.
pub(crate) fn fill<'a>(
    count: usize,
    octave: &dyn Fn(usize) -> Octave<'a>,
    grid: &Grid<2>,
    tables: &mut Tables,
    target: Target,
) {
    dispatch!(tables.level, simd => fill_with(simd, count, octave, grid, tables, target));
}

#[simd]
fn fill_with<'a, S: Simd>(
    simd: S,
    count: usize,
    octave: &dyn Fn(usize) -> Octave<'a>,
    grid: &Grid<2>,
    tables: &mut Tables,
    target: Target,
) {
    tables.prepare(count);
    for i in 0..count {
        tables.tabulate(i, &octave(i), grid);
    }
    strips::fill(simd, octave, &tables.octaves[..count], &mut tables.sums, target);
}

/// Fills scattered points, given as x and z in turns, with the sum of `count` octaves.
pub(crate) fn fill_points<'a>(
    count: usize,
    octave: &dyn Fn(usize) -> Octave<'a>,
    points: &[f64],
    tables: &mut Tables,
    target: Target,
) {
    dispatch!(tables.level, simd => fill_points_with(simd, count, octave, points, tables, target));
}

#[simd]
fn fill_points_with<'a, S: Simd>(
    simd: S,
    count: usize,
    octave: &dyn Fn(usize) -> Octave<'a>,
    points: &[f64],
    tables: &mut Tables,
    target: Target,
) {
    tables.prepare(1);
    strips::fill_points(simd, count, octave, points, tables, target);
}
