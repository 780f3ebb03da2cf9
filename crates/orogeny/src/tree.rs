//! Trees of fields, validated and ready to be evaluated.

use core::array;

use crate::affine::Affine;
use crate::bounds::Bounds;
use crate::error::RecipeError;
use crate::field::Field;
use crate::fractal::Kind;
use crate::grid::{Grid, Samples};
use crate::hash::derive;
use crate::join::{Join, lerp, lerp_bounds};
use crate::limits::{CONSTANT, SMOOTH};
use crate::node::Node;
use crate::octaves::{Octave, Octaves};
use crate::sample::Sample;
use crate::shape::{Shape, ShapeOp};

/// The deepest tree of [`Node`]s that can be built.
pub const MAX_DEPTH: usize = 16;
/// The largest number of [`Node`]s that can be built.
pub const MAX_NODES: usize = 256;

/// A validated tree of fields: what [`Node::build`] and [`Recipe::build`](crate::Recipe::build) give.
///
/// The same position gives the same bits on every machine, at a point or on a grid. Domain: positions whose product with the highest frequency
/// in the tree stays below [`MAX_CELL`](crate::MAX_CELL) (2^53 for simplex noise), NaN beyond.
///
/// # Bounds
/// [`bounds`](Field::bounds) is proven for all positions and seeds. For gradient noise with gradients of length G at most, write W_c(t) for the weight of corner c, X_c = t - c, and e for a
/// unit vector; then
///
/// * |n| <= G sum of W_c |X_c| <= G sqrt(sum of W_c |X_c|^2) = G sqrt(sum over axes of (1 - u) t^2 + u (1 - t)^2) <= G sqrt(N) / 2;
/// * |e . grad n| <= G sum of |W_c e + (e . grad W_c) X_c|;
/// * |e^T H e| <= G sum of |2 (e . grad W_c) e + (e^T H_W e) X_c|.
///
/// The last two are functions of t and e alone, reached by the gradients that point along the terms, so their largest values are the best bounds that hold for
/// every lattice; how those are found, and the same for value noise and simplex noise, is told in the source, `noise/bounds.rs`. Everything else composes, see [`Bounds`].
#[derive(Clone, Debug)]
pub struct Tree<const N: usize> {
    root: Op<N>,
    bounds: Bounds,
}

#[derive(Clone, Debug)]
enum Op<const N: usize> {
    Constant(f32),
    Octaves(Octaves<N>),
    Join(Join, Vec<Op<N>>),
    /// From, to, mask.
    Lerp(Box<[Op<N>; 3]>),
    Shape(Box<Op<N>>, Vec<ShapeOp>),
    Domain(Box<Op<N>>, Affine<N>),
    Warp(Box<Op<N>>, Vec<Op<N>>),
}

/// Builds a tree; `seed` is mixed into that of every noise.
pub(crate) fn build<const N: usize>(
    node: &Node<N>,
    seed: Option<u64>,
) -> Result<Tree<N>, RecipeError> {
    let (root, bounds) = Builder { seed, nodes: 0, depth: 0 }.node(node)?;
    Ok(Tree { root, bounds })
}

struct Builder {
    seed: Option<u64>,
    nodes: usize,
    depth: usize,
}

type Built<const N: usize> = Result<(Op<N>, Bounds), RecipeError>;

impl Builder {
    fn node<const N: usize>(&mut self, node: &Node<N>) -> Built<N> {
        const { assert!(N >= 1 && N <= 4, "noise has one to four dimensions") };
        self.nodes += 1;
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            let problem = format!("the tree is deeper than {MAX_DEPTH} levels");
            return Err(RecipeError::here(problem));
        }
        if self.nodes > MAX_NODES {
            let problem = format!("the tree has more than {MAX_NODES} nodes");
            return Err(RecipeError::here(problem));
        }
        let built = match node {
            Node::Constant(value) => self.constant(*value),
            Node::Noise(noise) => noise.check().map_err(|e| e.under("Noise")).map(|()| {
                let octave = Octave::alone(noise.build(self.mix(noise.seed()), noise.period()));
                let list = vec![octave];
                (Op::Octaves(Octaves { list, kind: Kind::Fbm }), noise.bounds())
            }),
            Node::Fractal(fractal) => fractal.check().map_err(|e| e.under("Fractal")).map(|()| {
                (Op::Octaves(fractal.build(self.mix(fractal.noise.seed()))), fractal.bounds())
            }),
            Node::Add(of) => self.join(of, "Add", Join::Add),
            Node::Multiply(of) => self.join(of, "Multiply", Join::Multiply),
            Node::Min { of, smooth } => self.blend(of, *smooth, "Min", Join::Min),
            Node::Max { of, smooth } => self.blend(of, *smooth, "Max", Join::Max),
            Node::Lerp { from, to, mask } => self.lerp(from, to, mask),
            Node::Shape { field, by } => self.shape(field, by),
            Node::Domain { field, by } => {
                let (op, bounds) = self.node(field).map_err(|e| e.under("Domain.field"))?;
                let mut map = Affine::diagonal([1.0; N], [0.0; N]);
                let mut norm = 1.0;
                for (i, transform) in by.iter().enumerate() {
                    let (next, stretch) =
                        transform.build().map_err(|e| e.under(&format!("Domain.by[{i}]")))?;
                    (map, norm) = (map.then(&next), norm * stretch);
                }
                Ok((Op::Domain(Box::new(op), map), bounds.stretched(norm)))
            }
            Node::Warp { field, by } => self.warp(field, by),
        };
        self.depth -= 1;
        built
    }

    /// The seed of a noise in this world.
    fn mix(&self, seed: u64) -> u64 {
        self.seed.map_or(seed, |world| derive(world, seed))
    }

    fn constant<const N: usize>(&self, value: f32) -> Built<N> {
        match CONSTANT.check(value.into()) {
            Ok(()) => Ok((Op::Constant(value), Bounds::constant(value.into()))),
            Err(error) => Err(RecipeError::at("Constant", error)),
        }
    }

    fn list<const N: usize>(
        &mut self,
        of: &[Node<N>],
        path: &str,
    ) -> Result<(Vec<Op<N>>, Vec<Bounds>), RecipeError> {
        if of.is_empty() {
            return Err(RecipeError::at(path, "must hold at least one field"));
        }
        let mut built = (Vec::new(), Vec::new());
        for (i, node) in of.iter().enumerate() {
            let (op, bounds) = self.node(node).map_err(|e| e.under(&format!("{path}[{i}]")))?;
            built.0.push(op);
            built.1.push(bounds);
        }
        Ok(built)
    }

    fn join<const N: usize>(&mut self, of: &[Node<N>], path: &str, join: Join) -> Built<N> {
        let (ops, bounds) = self.list(of, path)?;
        let bounds = bounds.into_iter().reduce(|a, b| join.bounds(a, b));
        Ok((Op::Join(join, ops), bounds.unwrap_or(Bounds::UNKNOWN)))
    }

    fn blend<const N: usize>(
        &mut self,
        of: &[Node<N>],
        smooth: f32,
        name: &str,
        join: fn(f32) -> Join,
    ) -> Built<N> {
        SMOOTH.check(smooth.into()).map_err(|e| RecipeError::from(e).under(name))?;
        self.join(of, &format!("{name}.of"), join(smooth))
    }

    fn lerp<const N: usize>(&mut self, from: &Node<N>, to: &Node<N>, mask: &Node<N>) -> Built<N> {
        let (from, a) = self.node(from).map_err(|e| e.under("Lerp.from"))?;
        let (to, b) = self.node(to).map_err(|e| e.under("Lerp.to"))?;
        let (mask, m) = self.node(mask).map_err(|e| e.under("Lerp.mask"))?;
        Ok((Op::Lerp(Box::new([from, to, mask])), lerp_bounds(a, b, m)))
    }

    fn shape<const N: usize>(&mut self, field: &Node<N>, by: &[Shape]) -> Built<N> {
        let (op, mut bounds) = self.node(field).map_err(|e| e.under("Shape.field"))?;
        let mut shapes = Vec::new();
        for (i, shape) in by.iter().enumerate() {
            let shape = shape.build(&bounds).map_err(|e| e.under(&format!("Shape.by[{i}]")))?;
            bounds = shape.bounds(bounds);
            shapes.push(shape);
        }
        Ok((Op::Shape(Box::new(op), shapes), bounds))
    }

    fn warp<const N: usize>(&mut self, field: &Node<N>, by: &[Node<N>]) -> Built<N> {
        let (op, bounds) = self.node(field).map_err(|e| e.under("Warp.field"))?;
        if by.len() != N {
            let problem = format!("has {} fields, but must have {N}, one for each axis", by.len());
            return Err(RecipeError::at("Warp.by", problem));
        }
        let (ops, moves) = self.list(by, "Warp.by")?;
        let norm = |of: fn(&Bounds) -> f64| moves.iter().map(|b| of(b).powi(2)).sum::<f64>().sqrt();
        let (slope, bend) = (norm(|b| b.lipschitz), norm(|b| b.curvature));
        let mut warped = bounds.stretched(1.0 + slope);
        warped.curvature += crate::bounds::times(bounds.lipschitz, bend);
        Ok((Op::Warp(Box::new(op), ops), warped))
    }
}

impl<const N: usize> Tree<N> {
    /// The same field times a factor.
    pub(crate) fn times(self, factor: f32) -> Self {
        let root = Op::Shape(Box::new(self.root), vec![ShapeOp::Times(factor)]);
        Self { root, bounds: self.bounds.scaled(factor.into()) }
    }
}

impl<const N: usize> Field<N> for Tree<N> {
    fn sample(&self, p: [f64; N]) -> Sample<N> {
        self.root.sample(p)
    }

    fn fill(&self, grid: &Grid<N>, out: &mut Samples<N>) {
        self.root.fill(grid, out);
    }

    fn bounds(&self) -> Bounds {
        self.bounds
    }
}

impl<const N: usize> Op<N> {
    fn sample(&self, p: [f64; N]) -> Sample<N> {
        match self {
            Op::Constant(value) => Sample::constant(*value),
            Op::Octaves(octaves) => octaves.sample(p),
            Op::Join(join, of) => of
                .iter()
                .map(|op| op.sample(p))
                .reduce(|a, b| join.samples(a, b))
                .unwrap_or_default(),
            Op::Lerp(of) => {
                let [from, to, mask] = array::from_fn(|i| of[i].sample(p));
                lerp(from, to, mask)
            }
            Op::Shape(field, by) => {
                by.iter().fold(field.sample(p), |sample, shape| shape.apply(sample))
            }
            Op::Domain(field, map) => map.pull_back(field.sample(map.apply(p))),
            Op::Warp(field, by) => warped(field, p, array::from_fn(|k| by[k].sample(p))),
        }
    }

    fn fill(&self, grid: &Grid<N>, out: &mut Samples<N>) {
        match self {
            Op::Octaves(octaves) => octaves.fill(grid, out),
            Op::Join(join, of) => {
                of[0].fill(grid, out);
                for op in &of[1..] {
                    out.combine(|other| op.fill(grid, other), |a, b| join.samples(a, b));
                }
            }
            Op::Lerp(of) => {
                of[0].fill(grid, out);
                out.with_spares(2, |out, spares| {
                    of[1].fill(grid, &mut spares[0]);
                    of[2].fill(grid, &mut spares[1]);
                    out.update(|i, from| lerp(from, spares[0].get(i), spares[1].get(i)));
                });
            }
            Op::Shape(field, by) => {
                field.fill(grid, out);
                for shape in by {
                    out.update(|_, sample| shape.apply(sample));
                }
            }
            Op::Warp(field, by) => out.with_spares(N, |out, spares| {
                for (op, spare) in by.iter().zip(spares.iter_mut()) {
                    op.fill(grid, spare);
                }
                let at = |(i, p)| warped(field, p, array::from_fn(|k| spares[k].get(i)));
                out.write(grid.points().enumerate().map(at));
            }),
            Op::Constant(_) | Op::Domain(..) => {
                out.write(grid.points().map(|p| self.sample(p)));
            }
        }
    }
}

/// The field at p + w(p).
fn warped<const N: usize>(field: &Op<N>, p: [f64; N], by: [Sample<N>; N]) -> Sample<N> {
    let sample = field.sample(array::from_fn(|k| p[k] + f64::from(by[k].value)));
    let gradient = array::from_fn(|j| {
        let moved: f32 = (0..N).map(|k| sample.gradient[k] * by[k].gradient[j]).sum();
        sample.gradient[j] + moved
    });
    Sample { gradient, ..sample }
}
