//! Noise in two dimensions on dense grids, in vectors of whatever width the machine has.
//!
//! Lattice noise on a grid is separable. What a point needs to know along one axis is worked out
//! once for each column and each row, in [`lines`]. Along a lattice row the noise is an affine
//! function of the height above it (see `interpolate`), whose coefficients are worked out for a
//! whole vector of columns at once, in [`row`]. Each lane hashes its own two corners, redundantly
//! where lanes share a cell, and so nothing is gathered from others. All sample rows between two
//! lattice rows then cost a handful of products each; and the upper lattice row is the lower one of
//! the next cell.
//!
//! Scattered points share nothing, so each lane has its own two rows as well; but it is all done in
//! vectors. So are simplex and cellular noise, which share nothing on grids either, see
//! [`pointwise`].
//!
//! The grid is worked through in bands of rows and strips as wide as a vector, each with all
//! octaves, so that its sums, or what neighbouring strips write, stay in the nearest cache, see
//! [`strips`]. [`passes`] add an octave to a strip, [`rows`] to the rows between two lattice rows.
//!
//! The order of all operations is that of `interpolate`, and no product is fused with a sum: so
//! bits are those of a point alone, with every width of vectors, on every machine. Inside, neither
//! closures nor `array::map` have to do with vectors: the compiler does not inline those into code
//! for another instruction set than that of the whole program, and a kernel would be ten times as
//! slow.

mod cellular;
mod corners;
mod damped;
mod erosion;
mod ground;
mod lines;
mod passes;
mod permute;
mod pointwise;
mod position;
mod row;
mod rows;
mod simplex;
mod strips;
mod sums;
mod terms;
mod vectors;

pub(crate) use cellular::Cellular;
pub(crate) use corners::{Corners, Directions};
pub(crate) use damped::{Damping, Sloped, add as add_damped};
pub(crate) use erosion::{
    Crest, Erosion, ErosionOctave, JITTER as EROSION_JITTER, fill as fill_erosion,
};
pub(crate) use ground::{Carried, Ground};
pub(crate) use lines::Tables;
pub(crate) use pointwise::{Pointwise, fill as fill_pointwise};
pub(crate) use simplex::Simplex;

use fearless_simd::{Simd, dispatch};
use fearless_simd_macros::simd;

use crate::fractal::fractal_kind::FractalKind;
use crate::lattice::Corner;
use crate::lattice::fade::Fade;
use crate::lattice::hash::Key;
use crate::samples::grid::Grid;

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
    pub keys: Option<[Key; 2]>,
    pub corners: Corners,
    /// Whether corners have heights.
    pub heights: bool,
    pub amplitude: f32,
    /// The weight of the gradient; where it is zero, the gradient is left as it is.
    pub slope: f32,
    /// The term that a fractal makes of it, and its amplitude; without, it is added as it is. There
    /// are no second derivatives of such terms.
    pub shape: Option<(FractalKind, f32)>,
}

/// The samples that are written.
pub(crate) struct Target<'a> {
    pub value: &'a mut [f32],
    /// The derivatives along x and z, unless values are all that is asked for.
    pub slopes: Option<[&'a mut [f32]; 2]>,
    /// The second derivatives along x twice, x and z, and z twice, where they are asked for: then
    /// there are slopes.
    pub bends: Option<[&'a mut [f32]; 3]>,
}

/// Where samples are wanted.
#[derive(Clone, Copy)]
pub(crate) enum Where<'a> {
    Grid(&'a Grid<2>),
    /// x and z in turns.
    Points(&'a [f64]),
}

/// Fills a grid, or scattered points, with the sum of `count` octaves.
pub(crate) fn fill<'a>(
    count: usize,
    octave: &dyn Fn(usize) -> Octave<'a>,
    places: Where,
    tables: &mut Tables,
    Target { value, slopes, bends }: Target,
) {
    let level = tables.level;
    match (slopes, bends) {
        (Some([dx, dz]), Some([xx, xz, zz])) => {
            let target = [value, dx, dz, xx, xz, zz];
            dispatch!(level, simd => fill_with::<_, 2>(simd, count, octave, places, tables, target));
        }
        (Some([dx, dz]), None) => {
            let target = [value, dx, dz, &mut [], &mut [], &mut []];
            dispatch!(level, simd => fill_with::<_, 1>(simd, count, octave, places, tables, target));
        }
        (None, _) => {
            let target = [value, &mut [], &mut [], &mut [], &mut [], &mut []];
            dispatch!(level, simd => fill_with::<_, 0>(simd, count, octave, places, tables, target));
        }
    }
}

/// Writes values; with `ORDER` 1 the gradient as well, with 2 the second derivatives too.
#[simd]
fn fill_with<'a, S: Simd, const ORDER: u8>(
    simd: S,
    count: usize,
    octave: &dyn Fn(usize) -> Octave<'a>,
    places: Where,
    tables: &mut Tables,
    target: [&mut [f32]; 6],
) {
    match places {
        Where::Grid(grid) => {
            tables.prepare(count);
            for i in 0..count {
                tables.tabulate(simd, i, &octave(i), grid, ORDER == 2);
            }
            let Tables { octaves, sums, .. } = tables;
            strips::fill::<S, ORDER>(simd, octave, &mut octaves[..count], sums, target);
        }
        Where::Points(points) => {
            tables.prepare(1);
            strips::fill_points::<S, ORDER>(simd, count, octave, points, tables, target);
        }
    }
}
