//! Proven bounds of the noises: values, Lipschitz constants, second derivatives.
//!
//! # Gradient noise
//! With W_c(t) the weight of corner c, X_c = t - c, lattice gradients g_c no longer than 1 and e a
//! unit vector,
//!
//! - e . grad n = sum over c of g_c . (W_c e + (e . grad W_c) X_c) is at most S(t, e) = sum of |W_c
//!   e + (e . grad W_c) X_c|,
//! - e^T H e = sum over c of g_c . (2 (e . grad W_c) e + (e^T H_W e) X_c) is at most K(t, e) = sum
//!   of |2 (e . grad W_c) e + (e^T H_W e) X_c|,
//!
//! Gradients along the terms reach both. So the largest S and K over t in the unit cube and e on
//! the unit sphere are the best bounds that hold for every lattice. [`SLOPE`] and [`CURVATURE`]
//! have them for up to three dimensions, rounded up: by about 1 % in two, and by more in three,
//! where a tighter proof takes minutes. `tests/proofs.rs` proves by interval arithmetic that S and
//! K stay below. In four dimensions they come from the following estimates.
//!
//! Along an axis j the weights of the other axes form a mean, and the mean of a length is at most
//! the root of the mean of its square (Jensen). With xi_k = (1 - u) t_k^2 + u (1 - t_k)^2 <= 1/4,
//! the mean of X_k^2, the terms of either side s of axis j add up to
//!
//! - |e_j . grad n| <= sum over s of sqrt((w_s + w_s' (t_j - s))^2 + w_s'^2 (N - 1) / 4) =: B,
//!   so |grad n| <= sqrt(N) max B,
//!
//! and for any e, with the mean taken over all axes, where all mixed terms vanish because w_0' +
//! w_1' = 0,
//!
//! - |e . grad n|^2 <= 1 + sum over k of e_k^2 (-2 u' + r(t) (1 - t)^2 + r(1 - t) t^2 + (r(t) +
//!   r(1 - t)) (N - 1) / 4), r = u'^2 / u.
//!
//! For second derivatives the same two methods give |H_jj| <= D(t_j) and |H_jk| <= O(t_j, t_k). So
//! no eigenvalue is larger than the largest D(t) + (N - 1) O(t, s), or, with the mixed part by
//! means, than max D + sqrt(2 - 2 / N) max O'. The smaller one is used.
//!
//! # Value noise
//! With values from -1 to 1, |e . grad n| <= sum of |e . grad W_c| <= sqrt(max of r(t) + r(1 - t)),
//! and 2 sqrt(N) for the linear fade; second derivatives are at most the largest sum of |e^T H_W
//! e|, in four dimensions max 2 |u''| + sqrt(2 - 2 / N) max (r(t) + r(1 - t)): [`VALUE_CURVATURE`].
//! For four-point interpolation they are products of the largest sums of |w|, |w'| and |w''|, which
//! are 1 + 2 t (1 - t) <= 3/2, 12 t (1 - t) <= 3 between 1/3 and 2/3 and less beyond, and 2 |4 - 6
//! t| + 2 |2 - 6 t| <= 12.

use crate::arrays::Each;
use crate::derivative::bounds::{Bounds, hull};
#[cfg(not(feature = "std"))]
use crate::float::Float as _;
use crate::lattice::fade::Fade;
use crate::lattice::{Lattice, LatticeValues};
use crate::noise::{Cellular, CellularOutput, GradientNoise, Simplex};

/// The largest slope of noise with unit gradients, by fade and number of dimensions.
#[rustfmt::skip]
pub(crate) const SLOPE: [[f64; 4]; 4] = [
    [2.0,   2.450, 2.900, 5.292],
    [1.392, 1.807, 3.100, 4.290],
    [1.415, 1.810, 2.900, 4.700],
    [1.348, 2.090, 3.600, 3.780],
];

/// The largest second derivative of noise with unit gradients.
#[rustfmt::skip]
pub(crate) const CURVATURE: [[f64; 4]; 4] = [
    [f64::INFINITY; 4],
    [6.284, 8.600, 14.00, 29.20],
    [6.001, 9.900, 15.00, 26.80],
    [7.501, 9.330, 17.00, 28.90],
];

/// The largest second derivative of value noise with values from -1 to 1.
#[rustfmt::skip]
pub(crate) const VALUE_CURVATURE: [[f64; 4]; 4] = [
    [f64::INFINITY; 4],
    [9.870,  11.00, 15.00, 22.10],
    [12.001, 12.50, 16.00, 26.80],
    [11.548, 14.50, 19.00, 28.90],
];

pub(crate) fn row(fade: Fade) -> usize {
    match fade {
        Fade::Linear => 0,
        Fade::Cosine => 1,
        Fade::Cubic => 2,
        Fade::Quintic => 3,
    }
}

/// The bounds of noise whose gradients have a length of at most 1.
fn unit_gradients(fade: Fade, dimensions: usize) -> Bounds {
    let max = (dimensions as f64).sqrt() / 2.0;
    Bounds {
        min: -max,
        max,
        lipschitz: SLOPE[row(fade)][dimensions - 1],
        curvature: CURVATURE[row(fade)][dimensions - 1],
    }
}

/// The bounds of value noise with values from -1 to 1.
fn unit_values(fade: Fade, values: LatticeValues, dimensions: usize) -> Bounds {
    let n = dimensions as f64;
    if values == LatticeValues::FourPoint {
        // Only products, no platform `powf`: ranges decide the bits of a normalised field.
        let power = |k: usize| (k..dimensions).map(|_| 1.5).product::<f64>();
        let max = power(0);
        let curvature = 12.0 * power(1) + (n - 1.0) * 9.0 * power(2);
        return Bounds { min: -max, max, lipschitz: n.sqrt() * 3.0 * power(1), curvature };
    }
    let lipschitz = match fade {
        Fade::Linear => 2.0 * n.sqrt(),
        Fade::Cosine => core::f64::consts::PI,
        Fade::Cubic => 12f64.sqrt(),
        Fade::Quintic => 3.75,
    };
    let curvature = VALUE_CURVATURE[row(fade)][dimensions - 1];
    Bounds { min: -1.0, max: 1.0, lipschitz, curvature }
}

pub(super) fn gradient<const N: usize>(noise: &GradientNoise<N>) -> Bounds {
    let grid = match &noise.lattice {
        Lattice::Grid(grid) => Some(grid),
        _ => None,
    };
    let mut bounds = Bounds::constant(0.0);
    if noise.has_gradients() {
        let length = |g: &[f32; N]| g.each(f64::from).iter().map(|x| x * x).sum::<f64>().sqrt();
        let table = noise.gradients.table();
        let longest =
            grid.map_or(&*table, |grid| &grid.gradients).iter().map(length).fold(0.0, f64::max);
        bounds = bounds + unit_gradients(noise.fade, N).scaled(longest);
    }
    if noise.has_values() {
        let [min, max] =
            grid.map_or([-1.0, 1.0], |grid| hull(grid.values.iter().map(|&h| h.into())));
        // Values from min to max are the mean of both plus a term within half their difference.
        let part = unit_values(noise.fade, noise.values, N).scaled((max - min) / 2.0);
        bounds = bounds + part + Bounds::constant((min + max) / 2.0);
    }
    bounds
}

/// Simplex noise is at most S times the sum over the corners of r^4 d, r = 1/2 - d^2, d the
/// distance of the corner. Its slope is at most S times the sum of max(r^4, |r^4 - 8 r^3 d^2|), the
/// largest |r^4 e - 8 r^3 (e . x) x| over unit vectors e. Its second derivative is at most S times
/// the sum of the largest |-16 r^3 (e . x) e + (48 r^2 (e . x)^2 - 8 r^3) x|. `tests/proofs.rs`
/// proves the numbers.
pub(crate) const SIMPLEX: [[f64; 3]; 2] = [[0.010_101, 0.097_5, 0.72], [0.009_345, 0.076, 0.92]];

pub(super) fn simplex(dimensions: usize) -> Bounds {
    let [value, lipschitz, curvature] = SIMPLEX[dimensions - 2];
    let unit = Bounds { min: -value, max: value, lipschitz, curvature };
    unit.scaled(f64::from(Simplex::scale(dimensions)))
}

/// All outputs have creases. A minimum of functions has the largest of their Lipschitz constants:
/// F1 and F2 have that of a distance, and so has the minimum over i of d_i + v_i b / 2. Cell values
/// are 2 / b times the difference of that minimum and F1. They are at most the value of the nearest
/// cell, for which d_i - F1 is 0, and at least the smallest value, since no d_i is below F1.
pub(super) fn cellular<const N: usize>(noise: &Cellular<N>) -> Bounds {
    let slope = noise.metric.lipschitz(N);
    let (min, max, lipschitz) = match noise.output {
        CellularOutput::F1 => (0.0, noise.metric.first(N), slope),
        CellularOutput::F2 => (0.0, noise.metric.second(N), slope),
        CellularOutput::F2MinusF1 => (0.0, noise.metric.second(N), 2.0 * slope),
        CellularOutput::CellValue => (-1.0, 1.0, 4.0 * slope / f64::from(noise.ramp)),
    };
    Bounds { min, max, lipschitz, curvature: f64::INFINITY }
}
