//! From descriptions to fields: validation, and everything that is worked out once.

use crate::affine::Affine;
use crate::bounds::{Bounds, times};
use crate::error::RecipeError;
use crate::hash::derive;
use crate::join::{Join, lerp_bounds};
use crate::kind::Kind;
use crate::limits::{CONSTANT, SMOOTH};
use crate::node::Node;
use crate::octaves::{Octave, Octaves};
use crate::shape::Shape;
use crate::tree::{Op, Tree};

/// The deepest tree of [`Node`]s that can be built.
pub const MAX_DEPTH: usize = 16;
/// The largest number of [`Node`]s that can be built.
pub const MAX_NODES: usize = 256;

impl<const N: usize> Node<N> {
    /// Validates the tree and makes the field that it describes.
    ///
    /// # Errors
    /// The first number outside its [limits](crate::limits), a list of the wrong length, a noise that does not exist in N dimensions, or a tree deeper
    /// than [`MAX_DEPTH`] or larger than [`MAX_NODES`].
    pub fn build(&self) -> Result<Tree<N>, RecipeError> {
        build(self, None)
    }
}

/// Builds a tree; `seed` is mixed into that of every noise.
pub(crate) fn build<const N: usize>(
    node: &Node<N>,
    seed: Option<u64>,
) -> Result<Tree<N>, RecipeError> {
    let (root, bounds) = Builder { seed, nodes: 0, depth: 0 }.node(node)?;
    Ok(Tree::new(root, bounds))
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
        warped.curvature += times(bounds.lipschitz, bend);
        Ok((Op::Warp(Box::new(op), ops), warped))
    }
}
