//! From descriptions to fields: validation, and everything that is worked out once.

use core::array;

use crate::derivative::bounds::{Bounds, length, warp_bounds};
use crate::error::RecipeError;
use crate::fractal::Fractal;
use crate::fractal::octaves::Octaves;
use crate::lattice::hash::derive;
use crate::limits::{CONSTANT, FRAME_FREQUENCY, FRAME_REACH, FRAME_SCALE, SIZE, SLOPE, SMOOTH};
use crate::node::Node;
use crate::node::ops::affine::Affine;
use crate::node::ops::combine::{Join, lerp_bounds};
use crate::node::ops::erosion::{Eroded, Erosion, LEAST_HEIGHT};
use crate::node::ops::remap::{Shape, ShapeOp};
use crate::node::ops::transform::Transform;
use crate::node::tree::{Op, Tree};
use crate::noise::Noise;
use crate::samples::Samples;
use crate::samples::grid::Positions;

/// The deepest tree of [`Node`]s that can be built.
pub const MAX_DEPTH: usize = 16;
/// The largest number of [`Node`]s that can be built.
pub const MAX_NODES: usize = 256;

/// The most points of given lattices and gradients of given tables that a tree may hold.
const MAX_TABLES: usize = 1 << 18;

impl<const N: usize> Node<N> {
    /// Validates the tree and makes the field that it describes.
    ///
    /// # Errors
    /// The first number outside its [limits](crate::limits), a list of the wrong length, a noise
    /// that does not exist in N dimensions, or a tree deeper than [`MAX_DEPTH`] or larger than
    /// [`MAX_NODES`].
    pub fn build(&self) -> Result<Tree<N>, RecipeError> {
        build(self, None, None)
    }
}

/// Builds a tree times a factor, where there is one; `seed` is mixed into that of every noise.
pub(crate) fn build<const N: usize>(
    node: &Node<N>,
    seed: Option<u64>,
    factor: Option<f32>,
) -> Result<Tree<N>, RecipeError> {
    let frame = Frame { stretch: [1.0; 2], reach: 0.0 };
    // Flat ground has no slopes, in whatever unit.
    let height = factor.filter(|&height| height >= LEAST_HEIGHT).unwrap_or(1.0);
    let mut builder = Builder { seed, height, nodes: 0, points: 0, depth: 0, frame };
    let (root, bounds) = builder.node(node)?;
    Ok(match factor {
        None => Tree::new(root, bounds),
        Some(factor) => {
            let root = Op::Shape(Box::new(root), vec![ShapeOp::Times(factor)]);
            Tree::new(root, bounds.scaled(factor.into()))
        }
    })
}

/// What has been counted, and where the node being built stands.
struct Builder {
    seed: Option<u64>,
    /// What one unit of the value amounts to, for erosion that does not say.
    height: f32,
    nodes: usize,
    /// Points of given lattices and gradients of given tables.
    points: usize,
    depth: usize,
    frame: Frame,
}

/// What the nodes above do to positions.
#[derive(Clone, Copy)]
struct Frame {
    /// The least and the largest factor by which they scale distances.
    stretch: [f64; 2],
    /// How far they move a position at most.
    reach: f64,
}

type Built<const N: usize> = Result<(Op<N>, Bounds), RecipeError>;

impl Builder {
    fn node<const N: usize>(&mut self, node: &Node<N>) -> Built<N> {
        const { assert!(N >= 1 && N <= 4, "noise has one to four dimensions") };
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            let problem = format!("the tree is deeper than {MAX_DEPTH} levels");
            return Err(RecipeError::here(problem));
        }
        self.count(1)?;
        let built = match node {
            Node::Constant(value) => self.constant(*value),
            Node::Noise(noise) => self.noise(noise).map_err(|e| e.under("Noise")),
            Node::Fractal(fractal) => self.fractal(fractal).map_err(|e| e.under("Fractal")),
            Node::Add(of) => self.join(of, "Add", Join::Add),
            Node::Multiply(of) => self.join(of, "Multiply", Join::Multiply),
            Node::Min { of, smooth } => self.blend(of, *smooth, "Min", Join::Min),
            Node::Max { of, smooth } => self.blend(of, *smooth, "Max", Join::Max),
            Node::Lerp { from, to, mask } => self.lerp(from, to, mask),
            Node::Shape { field, by } => self.shape(field, by),
            Node::Domain { field, by } => self.domain(field, by),
            Node::Warp { field, by } => self.warp(field, by),
            Node::Erode { field, by } => self.erode(field, by),
            Node::Invalid(problem) => Err(RecipeError::here(problem)),
        };
        self.depth -= 1;
        let (op, bounds) = built?;
        Ok((op, within(bounds)?))
    }

    /// Counts nodes, and the items of their lists.
    fn count(&mut self, nodes: usize) -> Result<(), RecipeError> {
        self.nodes += nodes;
        if self.nodes <= MAX_NODES {
            return Ok(());
        }
        Err(RecipeError::here(format!("the tree has more than {MAX_NODES} nodes")))
    }

    /// What every noise must keep in its place: `frequency` is the highest of its octaves.
    fn mapping<const N: usize>(
        &mut self,
        noise: &Noise<N>,
        frequency: f64,
    ) -> Result<(), RecipeError> {
        self.points += noise.points();
        if self.points > MAX_TABLES {
            let problem = format!("the tree has more than {MAX_TABLES} given points and gradients");
            return Err(RecipeError::here(problem));
        }
        self.in_frame(frequency)
    }

    /// Whether a lattice of some cells per unit of length can be told apart where the nodes above
    /// carry positions.
    fn in_frame(&self, frequency: f64) -> Result<(), RecipeError> {
        FRAME_FREQUENCY.check(frequency * self.frame.stretch[1]).map_err(RecipeError::here)?;
        FRAME_REACH.check(frequency * self.frame.reach).map_err(RecipeError::here)
    }

    fn noise<const N: usize>(&mut self, noise: &Noise<N>) -> Built<N> {
        noise.check()?;
        self.mapping(noise, 1.0)?;
        let basis = noise.build(&noise.tables(), self.mix(noise.seed()), noise.period());
        let octaves = Octaves::alone(basis, noise.bounds());
        Ok((Op::Octaves(octaves), noise.bounds()))
    }

    fn fractal<const N: usize>(&mut self, fractal: &Fractal<N>) -> Built<N> {
        fractal.check()?;
        self.mapping(&fractal.noise, fractal.last_frequency())?;
        let octaves = fractal.build(self.mix(fractal.noise.seed()));
        Ok((Op::Octaves(octaves), fractal.bounds()))
    }

    fn domain<const N: usize>(&mut self, field: &Node<N>, by: &[Transform<N>]) -> Built<N> {
        self.count(by.len()).map_err(|e| e.under("Domain.by"))?;
        let outside = self.frame;
        let mut map = Affine::diagonal([1.0; N], [0.0; N]);
        for (i, transform) in by.iter().enumerate() {
            let mut step = || {
                let (next, [least, most]) = transform.build()?;
                let Frame { stretch: [a, b], reach } = self.frame;
                let stretch = [a * least, b * most];
                stretch
                    .iter()
                    .try_for_each(|&factor| FRAME_SCALE.check(factor))
                    .map_err(RecipeError::here)?;
                self.frame = Frame { stretch, reach: reach * most + next.shift() };
                map = map.then(&next);
                Ok(())
            };
            step().map_err(|e: RecipeError| e.under(&format!("Domain.by[{i}]")))?;
        }
        let (op, bounds) = self.node(field).map_err(|e| e.under("Domain.field"))?;
        self.frame = outside;
        Ok((Op::Domain(Box::new(op), map), bounds.stretched(map.norm())))
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
        let mut so_far = bounds[0];
        for (i, next) in bounds.into_iter().enumerate().skip(1) {
            // The sum or product up to here is a number of its own, however small the whole.
            so_far =
                within(join.bounds(so_far, next)).map_err(|e| e.under(&format!("{path}[{i}]")))?;
        }
        Ok((Op::Join(join, ops), so_far))
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
        self.count(by.len()).map_err(|e| e.under("Shape.by"))?;
        let mut shapes = Vec::new();
        for (i, shape) in by.iter().enumerate() {
            let here = |e: RecipeError| e.under(&format!("Shape.by[{i}]"));
            let shape = shape.build(&bounds).map_err(here)?;
            bounds = within(shape.bounds(bounds)).map_err(here)?;
            shapes.push(shape);
        }
        Ok((Op::Shape(Box::new(op), shapes), bounds))
    }

    fn warp<const N: usize>(&mut self, field: &Node<N>, by: &[Node<N>]) -> Built<N> {
        if by.len() != N {
            let problem = format!("has {} fields, but must have {N}, one for each axis", by.len());
            return Err(RecipeError::at("Warp.by", problem));
        }
        let (ops, moves) = self.list(by, "Warp.by")?;
        let outside = self.frame;
        self.frame.reach += length(&moves, Bounds::max_abs);
        let (op, bounds) = self.node(field).map_err(|e| e.under("Warp.field"))?;
        self.frame = outside;
        Ok((Op::Warp(Box::new(op), ops), warp_bounds(bounds, &moves)))
    }

    fn erode<const N: usize>(&mut self, field: &Node<N>, by: &Erosion) -> Built<N> {
        let here = |e: RecipeError| e.under("Erode.by");
        if N != 2 {
            return Err(here(RecipeError::here(format!("exists in 2 dimensions, not in {N}"))));
        }
        by.check().map_err(here)?;
        let by = &Erosion { height: by.height_in(self.height).map_err(here)?, ..*by };
        self.in_frame(1.0 / by.finest()).map_err(here)?;
        let (op, bounds) = self.node(field).map_err(|e| e.under("Erode.field"))?;
        if by.depth() == 0.0 {
            return Ok((op, bounds));
        }
        // Differences of differences would cost five times as much at each level, too.
        if !(bounds.curvature.is_finite() && op.has_hessian()) {
            let problem =
                "has creases, or no second derivatives that are known: gullies would tear there";
            return Err(RecipeError::at("Erode.field", problem));
        }
        let mut eroded = Eroded::new(op, *by, self.mix(by.seed));
        let mut bounds = by.bounds(bounds);
        eroded.loose = bounds.loose | (bounds.lipschitz > LOOSE * largest_slope(&eroded));
        bounds.loose = eroded.loose;
        Ok((Op::Erode(Box::new(eroded)), bounds))
    }
}

/// A bound on slopes that is more than so many times the largest one found is loose.
const LOOSE: f64 = 10.0;

/// The largest slope found at a thousand random places, some hundred features apart.
fn largest_slope<const N: usize>(eroded: &Eroded<N>) -> f64 {
    let reach = 1e3 * eroded.erosion.scale;
    let part = |i: u64, k| (derive(i, k as u64) >> 11) as f64 / (1u64 << 52) as f64 - 1.0;
    let points: Vec<[f64; N]> = (0..1000).map(|i| array::from_fn(|k| reach * part(i, k))).collect();
    let mut samples = Samples::new();
    eroded.evaluate(Positions::Points(&points), &mut samples);
    let squares = samples.iter().map(|sample| sample.gradient.iter().map(|g| g * g).sum::<f32>());
    f64::from(squares.fold(0.0, f32::max)).sqrt()
}

/// Refuses fields whose values or slopes could leave what f32 can hold, products of two included:
/// then nothing overflows in evaluation, and no bound is infinite or NaN but that on curvature. (A
/// loose bound on slopes may be as large as it likes: the slopes are not.)
fn within(bounds: Bounds) -> Result<Bounds, RecipeError> {
    SIZE.check(bounds.min).and(SIZE.check(bounds.max)).map_err(RecipeError::here)?;
    if !bounds.loose {
        SLOPE.check(bounds.lipschitz).map_err(RecipeError::here)?;
    }
    Ok(bounds)
}
