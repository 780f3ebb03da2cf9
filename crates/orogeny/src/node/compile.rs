//! Builds fields from trees of nodes: validates them, and precomputes what evaluation needs.

use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;
use core::any::Any;

use crate::derivative::bounds::Bounds;
use crate::error::DataError;
use crate::lattice::hash::derive;
use crate::limits::{FRAME_FREQUENCY, FRAME_REACH, FRAME_SCALE, SIZE, SLOPE};
use crate::node::Node;
use crate::node::lands::Lands;
use crate::node::ops::blend::Blend;
use crate::node::ops::combine::{Combine, Rule};
use crate::node::ops::constant::Constant;
use crate::node::ops::erosion::{Eroded, MIN_HEIGHT};
use crate::node::ops::lerp::Lerp;
use crate::node::ops::octaves::{build_fractal, build_noise};
use crate::node::ops::remap::Remap;
use crate::node::ops::transform::Transformed;
use crate::node::ops::warp::Warp;
use crate::node::ops::wave;
use crate::node::ops::{Op, Operator};
use crate::node::tree::Tree;
use crate::noise::Noise;

/// The maximum depth of a tree of [`Node`]s.
pub const MAX_DEPTH: usize = 16;
/// The maximum number of [`Node`]s in a tree. Those of a [`Node::Named`] count wherever it is used.
pub const MAX_NODES: usize = 1024;

/// The maximum number of lattice points and gradients in the explicit lattices and tables of a
/// tree.
const MAX_TABLES: usize = 1 << 18;

impl<const N: usize> Node<N> {
    /// Validates the tree and builds the field that it describes.
    ///
    /// # Errors
    /// The first number outside its [limits](crate::limits), a list of the wrong length, a noise
    /// that does not exist in N dimensions, or a tree deeper than [`MAX_DEPTH`] or larger than
    /// [`MAX_NODES`].
    pub fn build(&self) -> Result<Tree<N>, DataError> {
        build(self, None, None)
    }
}

/// What the trees of a recipe share.
#[derive(Clone, Debug, Default)]
pub(crate) struct World<'a> {
    /// Mixed into the seed of every noise.
    pub seed: u64,
    /// The fields that trees may name.
    pub fields: BTreeMap<&'a str, &'a Node>,
    /// The lands, which are checked but for the fields that decide.
    pub lands: Option<&'a Lands>,
}

/// Builds a tree in a world, if there is one, times a factor if there is one.
pub(crate) fn build<const N: usize>(
    node: &Node<N>,
    world: Option<&World<'_>>,
    factor: Option<f32>,
) -> Result<Tree<N>, DataError> {
    let frame = Frame { stretch: [1.0; 2], reach: 0.0 };
    // Ground with a height near 0 has no slopes, so any unit of height will do.
    let height = factor.filter(|&height| height >= MIN_HEIGHT).unwrap_or(1.0);
    let open = Vec::new();
    let mut builder = Builder { world, height, open, nodes: 0, points: 0, depth: 0, frame };
    let root = builder.node(node)?;
    Ok(Tree::new(match factor {
        None => root,
        Some(factor) => Remap::times(root, factor),
    }))
}

/// Builds operators. Counts the nodes and tables of the tree, and tracks the transforms of outer
/// nodes.
pub(crate) struct Builder<'a> {
    world: Option<&'a World<'a>>,
    /// The names of the fields that are being built.
    open: Vec<&'a str>,
    /// The length of one unit of the value, for erosion that does not specify it.
    pub height: f32,
    nodes: usize,
    /// The number of points and gradients in explicit lattices and tables.
    points: usize,
    depth: usize,
    pub frame: Frame,
}

/// How outer nodes transform positions.
#[derive(Clone, Copy)]
pub(crate) struct Frame {
    /// The minimum and the maximum factor by which they scale distances.
    stretch: [f64; 2],
    /// The maximum distance by which they move a position.
    reach: f64,
}

impl Frame {
    /// Adds a map that scales distances by factors from `min` to `max` and moves the origin by
    /// `shift`.
    pub fn then(self, [min, max]: [f64; 2], shift: f64) -> Result<Self, DataError> {
        let stretch = [self.stretch[0] * min, self.stretch[1] * max];
        stretch
            .iter()
            .try_for_each(|&factor| FRAME_SCALE.check(factor))
            .map_err(DataError::here)?;
        Ok(Self { stretch, reach: self.reach * max + shift })
    }
}

impl<'a> Builder<'a> {
    /// Builds a node and its children, recursively.
    pub fn node<const N: usize>(&mut self, node: &Node<N>) -> Result<Op<N>, DataError> {
        const { assert!(N >= 1 && N <= 4, "noise has one to four dimensions") };
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            let problem = format!("the tree is deeper than {MAX_DEPTH} levels");
            return Err(DataError::here(problem));
        }
        self.count(1)?;
        let op = match node {
            Node::Constant(value) => Constant::build(*value),
            Node::Noise(noise) => build_noise(self, noise).map_err(|e| e.under("Noise")),
            Node::Fractal(fractal) => build_fractal(self, fractal).map_err(|e| e.under("Fractal")),
            Node::Wave(wave) => wave::build(self, wave).map_err(|e| e.under("Wave")),
            Node::Named(name) => self.named(name).map_err(|e| e.under("Named")),
            Node::Add(of) => Combine::build(self, Rule::Add, of, "Add"),
            Node::Multiply(of) => Combine::build(self, Rule::Multiply, of, "Multiply"),
            Node::Min { of, smooth } => Combine::build_smooth(self, Rule::Min, *smooth, of, "Min"),
            Node::Max { of, smooth } => Combine::build_smooth(self, Rule::Max, *smooth, of, "Max"),
            Node::Lerp { from, to, mask } => Lerp::build(self, from, to, mask),
            Node::Blend { of, along } => Blend::build(self, along, of),
            Node::Lands(of) => self.lands(of).map_err(|e| e.under("Lands")),
            Node::Shape { field, by } => Remap::build(self, field, by),
            Node::Domain { field, by } => Transformed::build(self, field, by),
            Node::Warp { field, by } => Warp::build(self, field, by),
            Node::Erode { field, by } => Eroded::build(self, field, by),
            Node::Invalid(problem) => Err(DataError::here(problem)),
        }?;
        self.depth -= 1;
        representable(op.bounds(), op.has_loose_bounds())?;
        Ok(op)
    }

    /// Builds a field for each land.
    fn lands<const N: usize>(
        &mut self,
        of: &BTreeMap<String, Node<N>>,
    ) -> Result<Op<N>, DataError> {
        let Some(lands) = self.world.and_then(|world| world.lands) else {
            return Err(DataError::here("only a recipe with `lands` has fields for them"));
        };
        if let Some(name) = of.keys().find(|name| lands.named(name).is_none()) {
            let known: Vec<&str> = lands.of.iter().map(|land| &*land.name).collect();
            let problem = format!("is not the name of a land: those are {}", known.join(", "));
            return Err(DataError::at(name, problem));
        }
        let mut along = Vec::new();
        for (i, node) in lands.along.iter().enumerate() {
            // Like fields with a name, they are of two dimensions.
            let Some(node) = (node as &dyn Any).downcast_ref::<Node<N>>() else {
                return Err(DataError::here("are of two dimensions"));
            };
            along.push(self.node(node).map_err(|e| e.under(&format!("along[{i}]")))?);
        }
        let mut pieces = Vec::new();
        for (i, land) in lands.of.iter().enumerate() {
            match of.get(&land.name) {
                Some(node) => {
                    let op = self.node(node).map_err(|e| e.under(&land.name))?;
                    pieces.push((land.within.clone(), op));
                }
                None if i == 0 => {
                    let problem = "must be there: this land lies below all others";
                    return Err(DataError::at(&*land.name, problem));
                }
                None => {}
            }
        }
        if pieces.is_empty() {
            return Err(DataError::here("the recipe has no lands"));
        }
        Ok(Blend::new(along, pieces).into())
    }

    /// Builds the field of a name.
    fn named<const N: usize>(&mut self, name: &str) -> Result<Op<N>, DataError> {
        let found = self.world.and_then(|world| world.fields.get_key_value(name));
        let Some((&name, &node)) = found else {
            let problem = match self.world {
                None => format!("is {name:?}, but only a recipe has names for fields"),
                Some(World { fields, .. }) => {
                    let known: Vec<&str> = fields.keys().copied().collect();
                    format!("is {name:?}, but must be one of {}", known.join(", "))
                }
            };
            return Err(DataError::here(problem));
        };
        if self.open.contains(&name) {
            let problem = format!("is {name:?}, which would contain itself");
            return Err(DataError::here(problem));
        }
        // Fields with a name are of two dimensions.
        let Some(node) = (node as &dyn Any).downcast_ref::<Node<N>>() else {
            return Err(DataError::here(format!("is {name:?}, a field of two dimensions")));
        };
        self.open.push(name);
        let op = self.node(node).map_err(|e| e.under(name))?;
        self.open.pop();
        Ok(op)
    }

    /// Builds the nodes of a list, which must not be empty.
    pub fn list<const N: usize>(
        &mut self,
        of: &[Node<N>],
        path: &str,
    ) -> Result<Vec<Op<N>>, DataError> {
        if of.is_empty() {
            return Err(DataError::at(path, "must hold at least one field"));
        }
        let nodes = of.iter().enumerate();
        nodes.map(|(i, n)| self.node(n).map_err(|e| e.under(&format!("{path}[{i}]")))).collect()
    }

    /// Builds something whose positions are moved by at most a distance.
    pub fn moved<T>(&mut self, distance: f64, build: impl FnOnce(&mut Self) -> T) -> T {
        let outside = self.frame;
        self.frame.reach += distance;
        let built = build(self);
        self.frame = outside;
        built
    }

    /// Counts nodes, including the items of their lists.
    pub fn count(&mut self, nodes: usize) -> Result<(), DataError> {
        self.nodes += nodes;
        if self.nodes <= MAX_NODES {
            return Ok(());
        }
        Err(DataError::here(format!("the tree has more than {MAX_NODES} nodes")))
    }

    /// Counts the tables of a noise and checks `frequency`, the highest one of its octaves.
    pub fn check_noise<const N: usize>(
        &mut self,
        noise: &Noise<N>,
        frequency: f64,
    ) -> Result<(), DataError> {
        self.points += noise.points();
        if self.points > MAX_TABLES {
            let problem = format!("the tree has more than {MAX_TABLES} given points and gradients");
            return Err(DataError::here(problem));
        }
        self.check_frequency(frequency)
    }

    /// Checks that `f64` resolves a lattice of `frequency` cells per unit of length at the
    /// positions that the outer nodes pass on.
    pub fn check_frequency(&self, frequency: f64) -> Result<(), DataError> {
        FRAME_FREQUENCY.check(frequency * self.frame.stretch[1]).map_err(DataError::here)?;
        FRAME_REACH.check(frequency * self.frame.reach).map_err(DataError::here)
    }

    /// Mixes the seed of the recipe into the seed of a noise.
    pub fn mix(&self, seed: u64) -> u64 {
        self.world.map_or(seed, |world| derive(world.seed, seed))
    }
}

/// Refuses bounds of values or slopes that are too large for `f32`, including products of two. Then
/// evaluation does not overflow, and no bound except that on curvature is infinite or NaN. A loose
/// bound on slopes is not limited, since the slopes themselves are far below it.
pub(crate) fn representable(bounds: Bounds, is_loose: bool) -> Result<Bounds, DataError> {
    SIZE.check(bounds.min).and(SIZE.check(bounds.max)).map_err(DataError::here)?;
    if !is_loose {
        SLOPE.check(bounds.lipschitz).map_err(DataError::here)?;
    }
    Ok(bounds)
}
