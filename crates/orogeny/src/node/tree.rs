//! Trees of fields, validated and ready to be evaluated.

use core::any::Any;
use core::array;
use core::fmt::Debug;
use std::sync::Arc;

use crate::derivative::bounds::{Bounds, half_diagonal};
use crate::derivative::chain_rule::Dual;
use crate::derivative::jet::Jet;
use crate::derivative::sample::Sample;
use crate::field::Field;
use crate::fractal::fractal_kind::FractalKind;
use crate::fractal::octaves::Octaves;
use crate::node::ops::affine::Affine;
use crate::node::ops::combine::{Join, lerp};
use crate::node::ops::erosion::Eroded;
use crate::node::ops::remap::ShapeOp;
use crate::samples::grid::{Grid, Positions};
use crate::samples::{Buffer, Jets, Samples};

/// A validated tree of fields: what [`Node::build`](crate::Node::build) and
/// [`Recipe::build`](crate::Recipe::build) give.
///
/// The same position gives the same bits on every machine, at a point or on a grid. Domain:
/// positions whose product with the highest frequency in the tree stays below
/// [`MAX_CELL`](crate::lattice::MAX_CELL) (2^53 for simplex noise), NaN beyond.
///
/// # Bounds
/// [`bounds`](Field::bounds) is proven for all positions and seeds. For gradient noise with
/// gradients of length G at most, write W_c(t) for the weight of corner c, X_c = t - c, and e for a
/// unit vector; then
///
/// * |n| <= G sum of W_c |X_c| <= G sqrt(sum of W_c |X_c|^2) = G sqrt(sum over axes of (1 - u)
///   t^2 + u (1 - t)^2) <= G sqrt(N) / 2;
/// * |e . grad n| <= G sum of |W_c e + (e . grad W_c) X_c|;
/// * |e^T H e| <= G sum of |2 (e . grad W_c) e + (e^T H_W e) X_c|.
///
/// The last two are functions of t and e alone, reached by the gradients that point along the
/// terms, so their largest values are the best bounds that hold for every lattice; how those are
/// found, and the same for value noise and simplex noise, is told in the source, `noise/bounds.rs`.
/// Everything else composes, see [`Bounds`].
#[derive(Clone, Debug)]
pub struct Tree<const N: usize> {
    root: Arc<dyn Evaluate<N>>,
    bounds: Bounds,
}

/// A field that trees can share.
trait Evaluate<const N: usize>: Field<N> + Debug + Send + Sync {
    /// The field with the gradient that a grid of `spacing` can carry.
    fn carried(&self, spacing: f64) -> Arc<dyn Evaluate<N>>;

    /// The bounds within `radius` of `p`, or nothing where the field has no value at `p`.
    fn near(&self, p: [f64; N], radius: f64) -> Option<Bounds>;

    /// The largest difference from the linear interpolation over simplices whose corners are
    /// `radius` from their centre.
    fn chord_error(&self, radius: f64) -> f64;
}

impl<const N: usize> Evaluate<N> for Op<N> {
    fn carried(&self, spacing: f64) -> Arc<dyn Evaluate<N>> {
        Arc::new(self.limited(spacing))
    }

    fn near(&self, p: [f64; N], radius: f64) -> Option<Bounds> {
        Op::near(self, p, radius)
    }

    fn chord_error(&self, radius: f64) -> f64 {
        self.chord(radius).error
    }
}

/// A node ready to be evaluated.
#[derive(Clone, Debug)]
pub(crate) enum Op<const N: usize> {
    Constant(f32),
    Octaves(Octaves<N>),
    Join(Join, Vec<Op<N>>),
    /// From, to, mask.
    Lerp(Box<[Op<N>; 3]>),
    Shape(Box<Op<N>>, Vec<ShapeOp>),
    Domain(Box<Op<N>>, Affine<N>),
    Warp(Box<Op<N>>, Vec<Op<N>>),
    Erode(Box<Eroded<N>>),
}

impl<const N: usize> Tree<N> {
    pub(crate) fn new(root: Op<N>, bounds: Bounds) -> Self {
        Self { root: compiled(root), bounds }
    }
}

/// The evaluation of a tree, compiled in this crate and not in the one that uses it, as generic
/// code would be: a game can then have it optimised in its dev builds, while its own code is not.
fn compiled<const N: usize>(root: Op<N>) -> Arc<dyn Evaluate<N>> {
    macro_rules! dimensions {
        ($($n:literal)*) => {
            match N {
                $($n => {
                    #[inline(never)]
                    fn compiled(root: Op<$n>) -> Arc<dyn Evaluate<$n>> {
                        Arc::new(root)
                    }
                    // The compiler does not see that N is the number here, so the types are cast.
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

impl<const N: usize> Field<N> for Tree<N> {
    fn sample(&self, p: [f64; N]) -> Sample<N> {
        self.root.sample(p)
    }

    fn sample_grid(&self, grid: &Grid<N>, out: &mut Samples<N>) {
        self.root.sample_grid(grid, out);
    }

    fn sample_points(&self, points: &[[f64; N]], out: &mut Samples<N>) {
        self.root.sample_points(points, out);
    }

    /// Exact for everything that a tree is made of but [`Damped`](crate::fractal::Damped) octaves and
    /// [`Erosion`](crate::Erosion), which have second derivatives by differences of their
    /// gradients. At creases, and at the borders of cells where a fade is only once differentiable,
    /// it is that of one side.
    fn jet(&self, p: [f64; N]) -> Jet<N> {
        self.root.jet(p)
    }

    fn jet_grid(&self, grid: &Grid<N>, out: &mut Jets<N>) {
        self.root.jet_grid(grid, out);
    }

    fn jet_points(&self, points: &[[f64; N]], out: &mut Jets<N>) {
        self.root.jet_points(points, out);
    }

    fn bounds(&self) -> Bounds {
        self.bounds
    }

    /// Every octave is sampled at `p`, but those whose features are far smaller than the ball;
    /// [`Bounds`] then compose as they do everywhere, over what the octave's slope and second
    /// derivative leave possible in the ball. It allocates nothing, and takes 1.3 times as long as
    /// a sample in small balls and half as long in large ones (measured on fields of some twenty
    /// octaves).
    ///
    /// The samples are rounded to `f32`: of each octave, 1e-6 of the noise's largest value and
    /// slope, in its own cells, are added to the interval, and 1e-6 of these and of its largest
    /// second derivative to the slope. What is proven is proven of the exact field, as with
    /// [`bounds`](Self::bounds).
    fn local_bounds(&self, p: [f64; N], radius: f64) -> Bounds {
        if radius.is_nan() || radius < 0.0 {
            return Bounds::UNKNOWN;
        }
        self.root.near(p, radius).map_or(Bounds::UNKNOWN, |near| near.and(self.bounds))
    }

    /// Octaves count one by one: the coarse ones by their curvature, fine ones by their slope or
    /// range. How it composes is told in the source, `chord.rs`.
    fn interpolation_error(&self, spacing: f64) -> f64 {
        let radius = half_diagonal::<N>(spacing);
        self.root.chord_error(radius).min(self.bounds.chord_error(radius))
    }

    /// Every octave counts by its own frequency times the scales around it, of a stretch that is
    /// not even the largest. A noise without a fractal is an octave of frequency 1. A warp hands
    /// the spacing on as it is: where it compresses, finer features pass than the spacing can
    /// carry.
    fn band_limited(&self, spacing: f64) -> Option<Arc<dyn Field<N> + Send + Sync>> {
        // The slopes only lose parts, so the bounds still hold.
        let limited = || Self { root: self.root.carried(spacing), bounds: self.bounds };
        (spacing >= 0.0).then(|| Arc::new(limited()) as _)
    }
}

impl<const N: usize> Op<N> {
    /// The same tree with the gradients that a grid of `spacing` can carry.
    pub fn limited(&self, spacing: f64) -> Self {
        let all = |of: &[Self]| of.iter().map(|op| op.limited(spacing)).collect();
        let boxed = |op: &Self, spacing| Box::new(op.limited(spacing));
        match self {
            Op::Constant(value) => Op::Constant(*value),
            Op::Octaves(octaves) => Op::Octaves(octaves.band_limited(spacing)),
            Op::Join(join, of) => Op::Join(*join, all(of)),
            Op::Lerp(of) => Op::Lerp(Box::new(array::from_fn(|i| of[i].limited(spacing)))),
            Op::Shape(field, by) => Op::Shape(boxed(field, spacing), by.clone()),
            Op::Domain(field, map) => Op::Domain(boxed(field, spacing * map.norm()), *map),
            Op::Warp(field, by) => Op::Warp(boxed(field, spacing), all(by)),
            Op::Erode(eroded) => Op::Erode(Box::new(eroded.limited(spacing))),
        }
    }
}

impl<const N: usize> Field<N> for Op<N> {
    fn sample(&self, p: [f64; N]) -> Sample<N> {
        self.at(p)
    }

    fn jet(&self, p: [f64; N]) -> Jet<N> {
        self.at(p)
    }

    fn sample_grid(&self, grid: &Grid<N>, out: &mut Samples<N>) {
        self.evaluate(Positions::Grid(grid), out);
    }

    fn sample_points(&self, points: &[[f64; N]], out: &mut Samples<N>) {
        self.evaluate(Positions::Points(points), out);
    }

    fn jet_grid(&self, grid: &Grid<N>, out: &mut Jets<N>) {
        self.evaluate(Positions::Grid(grid), out);
    }

    fn jet_points(&self, points: &[[f64; N]], out: &mut Jets<N>) {
        self.evaluate(Positions::Points(points), out);
    }
}

impl<const N: usize> Op<N> {
    /// Whether second derivatives are known, without differences.
    pub fn has_hessian(&self) -> bool {
        match self {
            Op::Constant(_) => true,
            Op::Octaves(octaves) => !matches!(octaves.kind, FractalKind::Damped(_)),
            Op::Join(_, of) => of.iter().all(Self::has_hessian),
            Op::Lerp(of) => of.iter().all(Self::has_hessian),
            Op::Shape(field, _) | Op::Domain(field, _) => field.has_hessian(),
            Op::Warp(field, by) => field.has_hessian() && by.iter().all(Self::has_hessian),
            Op::Erode(_) => false,
        }
    }

    /// The sample or the jet at a point.
    pub fn at<T: Dual<N>>(&self, p: [f64; N]) -> T {
        match self {
            Op::Constant(value) if p.iter().all(|x| x.is_finite()) => T::constant(*value),
            Op::Constant(_) => T::OUTSIDE,
            Op::Octaves(octaves) => octaves.at(p),
            Op::Join(join, of) => of
                .iter()
                .map(|op| op.at::<T>(p))
                .reduce(|a, b| join.apply(a, b))
                .unwrap_or_default(),
            Op::Lerp(of) => {
                let [from, to, mask] = array::from_fn(|i| of[i].at::<T>(p));
                lerp(from, to, mask)
            }
            Op::Shape(field, by) => {
                by.iter().fold(field.at::<T>(p), |field, shape| shape.apply(field))
            }
            Op::Domain(field, map) => map.pull_back(field.at::<T>(map.apply(p))),
            Op::Warp(field, by) => {
                let by: [T; N] = array::from_fn(|k| by[k].at(p));
                let moved = array::from_fn(|k| p[k] + f64::from(by[k].sample().value));
                field.at::<T>(moved).warped(by)
            }
            Op::Erode(eroded) => eroded.at(p),
        }
    }

    /// The samples or jets in many places: the bits of [`at`](Self::at).
    pub fn evaluate<B: Buffer<N>>(&self, positions: Positions<N>, out: &mut B) {
        match self {
            Op::Constant(value) if positions.are_finite() => {
                out.set_all(positions.len(), B::Item::constant(*value));
            }
            Op::Constant(_) => {
                out.resize(positions.len());
                positions.visit(|i, p| out.set(i, self.at(p)));
            }
            Op::Octaves(octaves) => octaves.evaluate(positions, out),
            Op::Join(join, of) => {
                of[0].evaluate(positions, out);
                for op in &of[1..] {
                    out.with_spares(1, |out, spares| {
                        op.evaluate(positions, &mut spares[0]);
                        join.all(out, &spares[0]);
                    });
                }
            }
            Op::Lerp(of) => {
                of[0].evaluate(positions, out);
                out.with_spares(2, |out, spares| {
                    of[1].evaluate(positions, &mut spares[0]);
                    of[2].evaluate(positions, &mut spares[1]);
                    out.join([&spares[0], &spares[1]], |from, [to, mask]| lerp(from, to, mask));
                });
            }
            Op::Shape(field, by) => {
                field.evaluate(positions, out);
                by.iter().for_each(|shape| shape.apply_all(out));
            }
            Op::Domain(field, map) => out.with_spares(1, |out, spares| {
                let moved = |_, p| map.apply(p);
                out.evaluate_moved(&mut spares[0], positions, moved, |positions, out| {
                    field.evaluate(positions, out);
                });
                out.update(|found| map.pull_back(found));
            }),
            Op::Warp(field, by) => out.with_spares(N + 1, |out, spares| {
                let Some((spare, moves)) = spares.split_last_mut() else { return };
                for (op, spare) in by.iter().zip(moves.iter_mut()) {
                    op.evaluate(positions, spare);
                }
                let moves: [&B; N] = array::from_fn(|k| &moves[k]);
                let moved =
                    |i, p: [f64; N]| array::from_fn(|k| p[k] + f64::from(moves[k].values()[i]));
                out.evaluate_moved(spare, positions, moved, |positions, out| {
                    field.evaluate(positions, out)
                });
                out.join(moves, B::Item::warped);
            }),
            Op::Erode(eroded) => eroded.evaluate(positions, out),
        }
    }
}
