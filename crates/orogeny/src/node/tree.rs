//! The field that is built from a tree of nodes.

use alloc::boxed::Box;
use alloc::sync::Arc;
use core::any::Any;
use core::fmt::Debug;

use crate::derivative::bounds::{Bounds, half_diagonal};
use crate::derivative::jet::Jet;
use crate::derivative::sample::Sample;
use crate::field::{Field, SharedField, at_positions};
use crate::node::ops::{Op, Operator};
use crate::samples::positions::{Grid, Positions};
use crate::samples::{Buffer, Jets, Samples};

/// A validated tree of fields: the result of [`Node::build`](crate::Node::build) and
/// [`Recipe::build`](crate::Recipe::build).
///
/// The same position gives the same bits on every machine, at a point or on a grid. Domain:
/// positions whose product with the highest frequency in the tree stays below
/// [`MAX_CELL`](crate::lattice::MAX_CELL) (2^53 for simplex noise). Outside it, samples are NaN.
///
/// # Bounds
/// [`bounds`](Field::bounds) is proven for all positions and seeds. For gradient noise with
/// gradients of length at most G, write W_c(t) for the weight of corner c, X_c = t - c, and e for a
/// unit vector; then
///
/// * |n| <= G sum of W_c |X_c| <= G sqrt(sum of W_c |X_c|^2) = G sqrt(sum over axes of (1 - u)
///   t^2 + u (1 - t)^2) <= G sqrt(N) / 2;
/// * |e . grad n| <= G sum of |W_c e + (e . grad W_c) X_c|;
/// * |e^T H e| <= G sum of |2 (e . grad W_c) e + (e^T H_W e) X_c|.
///
/// The last two are functions of t and e alone, and gradients that point along the terms reach
/// them. So their maxima are the best bounds that hold for every lattice. `noise/bounds.rs`
/// explains how they are found, and the same for value noise and simplex noise. Operators compose
/// bounds, see [`Bounds`].
#[derive(Clone, Debug)]
pub struct Tree<const N: usize> {
    root: Arc<dyn Evaluate<N>>,
    bounds: Bounds,
    has_loose_bounds: bool,
}

/// An [`Op`] behind a pointer that trees share.
trait Evaluate<const N: usize>: Debug + Send + Sync {
    fn value(&self, p: [f64; N]) -> f32;
    fn sample(&self, p: [f64; N]) -> Sample<N>;
    fn jet(&self, p: [f64; N]) -> Jet<N>;
    fn samples(&self, positions: Positions<N>, out: &mut Samples<N>);
    fn jets(&self, positions: Positions<N>, out: &mut Jets<N>);
    fn local_bounds(&self, p: [f64; N], radius: f64) -> Option<Bounds>;
    fn interpolation_error(&self, radius: f64) -> f64;
    fn band_limited(&self, spacing: f64) -> Arc<dyn Evaluate<N>>;
    fn smoothed(&self, wavelength: f64) -> Op<N>;
}

impl<const N: usize> Evaluate<N> for Op<N> {
    fn value(&self, p: [f64; N]) -> f32 {
        self.at(p)
    }

    fn sample(&self, p: [f64; N]) -> Sample<N> {
        self.at(p)
    }

    fn jet(&self, p: [f64; N]) -> Jet<N> {
        self.at(p)
    }

    fn samples(&self, positions: Positions<N>, out: &mut Samples<N>) {
        self.evaluate(positions, out);
    }

    fn jets(&self, positions: Positions<N>, out: &mut Jets<N>) {
        self.evaluate(positions, out);
    }

    fn local_bounds(&self, p: [f64; N], radius: f64) -> Option<Bounds> {
        Operator::local_bounds(self, p, radius)
    }

    fn interpolation_error(&self, radius: f64) -> f64 {
        self.interpolated(radius).error
    }

    fn band_limited(&self, spacing: f64) -> Arc<dyn Evaluate<N>> {
        Arc::new(Operator::band_limited(self, spacing))
    }

    fn smoothed(&self, wavelength: f64) -> Op<N> {
        Operator::smoothed(self, wavelength)
    }
}

impl<const N: usize> Tree<N> {
    pub(crate) fn new(root: Op<N>) -> Self {
        let bounds = root.bounds();
        // A factor of 0 leaves no slopes to overestimate.
        let has_loose_bounds = root.has_loose_bounds() && bounds.lipschitz > 0.0;
        Self { root: compiled(root), bounds, has_loose_bounds }
    }
}

/// The evaluation of a tree, compiled in this crate rather than in the crate that uses it, as
/// generic code would be. So a game can optimise it in dev builds, while its own code is not
/// optimised.
fn compiled<const N: usize>(root: Op<N>) -> Arc<dyn Evaluate<N>> {
    macro_rules! dimensions {
        ($($n:literal)*) => {
            match N {
                $($n => {
                    #[inline(never)]
                    fn compiled(root: Op<$n>) -> Arc<dyn Evaluate<$n>> {
                        Arc::new(root)
                    }
                    // The compiler does not know that N is this number here, so the types are cast.
                    let root: Box<dyn Any> = Box::new(root);
                    let root = root.downcast::<Op<$n>>().expect("N dimensions");
                    let field: Box<dyn Any> = Box::new(compiled(*root));
                    *field.downcast().expect("N dimensions")
                })*
                _ => unreachable!("noise has one to four dimensions"),
            }
        };
    }
    dimensions!(1 2 3 4)
}

at_positions!([const N: usize] Tree<N>, N);

impl<const N: usize> Field<N> for Tree<N> {
    fn sample(&self, p: [f64; N]) -> Sample<N> {
        self.root.sample(p)
    }

    fn value(&self, p: [f64; N]) -> f32 {
        self.root.value(p)
    }

    fn sample_grid(&self, grid: &Grid<N>, out: &mut Samples<N>) {
        out.evaluate_grid(
            |axis, list| list.extend(grid.coordinates(axis)),
            |positions, out| self.root.samples(positions, out),
        );
    }

    fn sample_points(&self, points: &[[f64; N]], out: &mut Samples<N>) {
        self.root.samples(Positions::Points(points), out);
    }

    /// Exact for every operator but two: [`Damped`](crate::fractal::Damped) octaves and
    /// [`Erosion`](crate::Erosion) take central differences of their gradients. At creases, and at
    /// cell borders of fades that are only once differentiable, it is that of one side.
    fn jet(&self, p: [f64; N]) -> Jet<N> {
        self.root.jet(p)
    }

    fn jet_grid(&self, grid: &Grid<N>, out: &mut Jets<N>) {
        out.evaluate_grid(
            |axis, list| list.extend(grid.coordinates(axis)),
            |positions, out| self.root.jets(positions, out),
        );
    }

    fn jet_points(&self, points: &[[f64; N]], out: &mut Jets<N>) {
        self.root.jets(Positions::Points(points), out);
    }

    fn bounds(&self) -> Bounds {
        self.bounds
    }

    fn has_loose_bounds(&self) -> bool {
        self.has_loose_bounds
    }

    /// Every octave is sampled at `p`, except those whose features are far smaller than the ball.
    /// Its slope and second derivative limit its change within the ball, and [`Bounds`] compose
    /// from there. It allocates nothing. It takes 1.3 times as long as a sample in small balls and
    /// half as long in large ones (measured on fields of some twenty octaves).
    ///
    /// The bounds hold for samples as rounded to `f32`, because every operator adds the rounding
    /// error of its own arithmetic. Exception: where they equal those of [`bounds`](Self::bounds),
    /// which hold for the exact field.
    fn local_bounds(&self, p: [f64; N], radius: f64) -> Bounds {
        if radius.is_nan() || radius < 0.0 {
            return Bounds::UNKNOWN;
        }
        self.root.local_bounds(p, radius).map_or(Bounds::UNKNOWN, |near| near.and(self.bounds))
    }

    /// Octaves are added one by one: coarse ones contribute by their curvature, fine ones by their
    /// slope or range. The rules and their derivation are in the source, in
    /// `node/interpolation_error.rs`.
    fn interpolation_error(&self, spacing: f64) -> f64 {
        let radius = half_diagonal::<N>(spacing);
        self.root.interpolation_error(radius).min(self.bounds.interpolation_error(radius))
    }

    /// Each octave is filtered by its frequency times the maximum factor by which the transforms
    /// around it stretch distances. A noise without a fractal is an octave of frequency 1. A warp
    /// passes the spacing on unchanged: where it compresses the domain, features remain that are
    /// finer than the spacing can resolve.
    fn band_limited(&self, spacing: f64) -> Option<SharedField<N>> {
        // Filtering only reduces slopes, so the bounds still hold.
        let limited = || Self { root: self.root.band_limited(spacing), ..self.clone() };
        (spacing >= 0.0).then(|| Arc::new(limited()) as _)
    }

    /// Every octave stays or is left out: the wavelength of one is 1 / its frequency, over the
    /// maximum factor by which the transforms around it stretch distances. A noise without a
    /// fractal is an octave of frequency 1, and gullies of erosion w wide are one of wavelength w.
    /// The fields that warp, mask and erode are smoothed as well; functions of one variable stay as
    /// they are.
    ///
    /// So that the field is not shifted, the octaves that a fractal or an erosion loses are
    /// replaced by their mean. It is 0 for plain and damped sums of simplex noise and of noise on
    /// the hashed lattice with even gradients or values. Elsewhere, as for ridges, billows,
    /// cellular noise and gullies, it is estimated from 2,048 positions, with a standard error of
    /// about 1 % of the amplitude of the coarsest octave left out. Products and curved functions of
    /// what is left may still have another mean than those of the whole field: among the presets
    /// the largest shift is 3 m, of dunes without octaves below 512 m, and 0.03 m for 64 m.
    fn smoothed(&self, wavelength: f64) -> Option<SharedField<N>> {
        (wavelength >= 0.0).then(|| Arc::new(Self::new(self.root.smoothed(wavelength))) as _)
    }
}
