//! The tree: its description, its builder methods, and the field that is built from it.
//!
//! [`Node`] describes a tree and is the format of files. `compile` validates it and builds an
//! operator of `ops` from each node. [`Tree`] is the result, which a user evaluates. `local_bounds`
//! and `interpolation_error` have the mathematics that operators share. This module may use all
//! others except `terrain`. Start with [`Node`], then `ops`.

pub(crate) mod compile;
mod interpolation_error;
pub(crate) mod lands;
mod local_bounds;
mod methods;
pub(crate) mod ops;
pub(crate) mod smoothed;
pub(crate) mod tree;

use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;

pub use compile::{MAX_DEPTH, MAX_NODES};
pub use lands::{Land, Lands, MAX_LANDS};
pub use ops::blend::{MAX_ALONG, Piece};
pub use ops::erosion::Erosion;
pub use ops::remap::{Clamp, Curve, Normalize, Shape, Terraces};
pub use ops::transform::{Rotate, Transform};
pub use ops::wave::Wave;
pub use tree::Tree;

use crate::fractal::Fractal;
#[cfg(feature = "serde")]
use crate::limits::at_most;
use crate::limits::{Limit, Number, Parameters};
use crate::node::ops::combine::smooth_numbers;
use crate::node::ops::constant::Constant;
use crate::node::ops::octaves::{fractal_numbers, noise_numbers};
use crate::noise::Noise;

/// A field of N dimensions, described as a tree of nodes. Recipes contain one; in code you build
/// one with [methods](#implementations) and operators.
///
/// A node is plain data and may contain any numbers. [`build`](Self::build) validates the tree and
/// returns the field. Every operator computes exact gradients by the chain rule; each variant says
/// where it is not differentiable.
///
/// Two noises of one tree with the same seed and parameters are the same noise.
///
/// Building and dropping work at any depth. Cloning, comparing, printing and serialising recurse,
/// so only do these with trees that build: they have at most [`MAX_DEPTH`] levels.
///
/// You cannot move fields out of a node in a pattern. Match on a reference, and use
/// [`take`](core::mem::take).
///
/// ```
/// use orogeny::{Field, Fractal, GradientNoise, FractalKind, Node};
/// use orogeny::fractal::Ridged;
///
/// let noise = GradientNoise::seeded;
/// let fractal = |seed, frequency| Fractal { frequency, ..Fractal::fbm(6.0, noise(seed)) };
/// let ridges = Fractal { kind: FractalKind::Ridged(Ridged::default()), ..fractal(1, 0.002) };
/// let hills = Node::from(fractal(2, 0.001));
/// let wide = Node::from(fractal(3, 0.0002)).normalize(0.0, 1.0);
/// let field = hills
///     .lerp(Node::from(ridges), wide)
///     .warp([fractal(4, 0.001).into(), fractal(5, 0.001).into()].map(|w: Node<2>| w * 100.0))
///     .terraces(0.2, 0.5)
///     .build()?;
/// let ground = field.sample([300.0, -20.0]);
/// assert!((f64::from(ground.value)) <= field.bounds().max);
/// # Ok::<(), orogeny::DataError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
#[cfg_attr(feature = "describe", derive(strum::EnumMessage, strum::IntoStaticStr))]
pub enum Node<const N: usize = 2> {
    /// A constant, -1e6 to 1e6.
    Constant(f32),
    /// A basis noise at frequency 1: features are about one unit wide.
    Noise(Noise<N>),
    /// Octaves of a noise.
    Fractal(Fractal<N>),
    /// A wave along the last axis, z for terrain: zones of latitude, for example.
    Wave(Wave),
    /// A field of the recipe by its name in [`fields`](crate::Recipe::fields), or the `temperature`
    /// or `moisture` of its [`Climate`](crate::climate::Climate) at height 0 on level ground. Two
    /// uses of a name are the same field.
    Named(String),
    /// The sum of fields.
    Add(
        #[cfg_attr(feature = "serde", serde(deserialize_with = "at_most::<MAX_NODES, _, _>"))]
        Vec<Node<N>>,
    ),
    /// The product of fields.
    Multiply(
        #[cfg_attr(feature = "serde", serde(deserialize_with = "at_most::<MAX_NODES, _, _>"))]
        Vec<Node<N>>,
    ),
    /// The smooth minimum of fields: min(a, b) - h^2 / (4 w) with h = max(0, w - |a - b|) and w =
    /// `smooth`, from left to right (Inigo Quilez, "Smooth minimum", 2013). With smooth = 0 it has
    /// creases where two are equal; the gradient is that of the first.
    Min {
        /// The fields.
        #[cfg_attr(feature = "serde", serde(deserialize_with = "at_most::<MAX_NODES, _, _>"))]
        of: Vec<Node<N>>,
        /// The difference below which two fields blend, 0 to 1e6.
        #[cfg_attr(feature = "serde", serde(default))]
        smooth: f32,
    },
    /// The smooth maximum of fields: -min(-a, -b), with `Min`'s formula.
    Max {
        /// The fields.
        #[cfg_attr(feature = "serde", serde(deserialize_with = "at_most::<MAX_NODES, _, _>"))]
        of: Vec<Node<N>>,
        /// The difference below which two fields blend, 0 to 1e6.
        #[cfg_attr(feature = "serde", serde(default))]
        smooth: f32,
    },
    /// Linear interpolation by a mask, from (1 - mask) + to mask: exactly `from` where the mask is
    /// 0, exactly `to` where it is 1. It extrapolates where the mask is outside 0 to 1.
    Lerp {
        /// The field where the mask is 0.
        from: Box<Node<N>>,
        /// The field where the mask is 1.
        to: Box<Node<N>>,
        /// The mask.
        mask: Box<Node<N>>,
    },
    /// Pieces that blend by the values of other fields: lands by temperature and moisture, for
    /// example. The pieces lie over each other like layers of [`Cover`](crate::Cover). With the
    /// opacity a_i of piece i, see [`Band`](crate::Band), its weight is
    ///
    /// w_i = a_i (1 - a_(i+1)) (1 - a_(i+2)) ..,
    ///
    /// and a_0 = 1, so the weights add up to 1 and the gradient is the sum of w_i grad f_i + f_i
    /// grad w_i. A piece costs nothing on a grid, at a point and in bounds of a place where bounds
    /// prove that its weight is 0. Second derivatives are continuous if those of all fields are.
    Blend {
        /// The pieces from the lowest to the highest.
        #[cfg_attr(feature = "serde", serde(deserialize_with = "at_most::<MAX_NODES, _, _>"))]
        of: Vec<Piece<N>>,
        /// The fields that decide, at most [`MAX_ALONG`].
        #[cfg_attr(feature = "serde", serde(deserialize_with = "at_most::<MAX_ALONG, _, _>"))]
        along: Vec<Node<N>>,
    },
    /// A field for each of the recipe's [`lands`](crate::Recipe::lands), by their names, which
    /// blend as those do. A land without a field shows what lies below it; the first land needs
    /// one.
    Lands(
        #[cfg_attr(
            feature = "serde",
            serde(with = "::serde_with::rust::maps_duplicate_key_is_error")
        )]
        BTreeMap<String, Node<N>>,
    ),
    /// Functions of one variable, applied to the values of the field one after another.
    Shape {
        /// The field.
        field: Box<Node<N>>,
        /// The functions.
        #[cfg_attr(feature = "serde", serde(deserialize_with = "at_most::<MAX_NODES, _, _>"))]
        by: Vec<Shape>,
    },
    /// Transforms of the domain: they are applied to the position in order, and the field is
    /// sampled at the result. Positions are rounded to `f64`: at 1e12 they are accurate to 1e-4.
    Domain {
        /// The field.
        field: Box<Node<N>>,
        /// The transforms.
        #[cfg_attr(feature = "serde", serde(deserialize_with = "at_most::<MAX_NODES, _, _>"))]
        by: Vec<Transform<N>>,
    },
    /// Domain warping: the field at p + w(p), where w_k is the k-th of the fields `by`.
    /// With q = p + w(p) the gradient is (I + Dw)^T grad f(q), Dw the Jacobian of w. (Inigo Quilez,
    /// "Domain warping", 2002.)
    Warp {
        /// The field.
        field: Box<Node<N>>,
        /// The displacement along each axis, in units of length: N fields.
        #[cfg_attr(feature = "serde", serde(deserialize_with = "at_most::<MAX_NODES, _, _>"))]
        by: Vec<Node<N>>,
    },
    /// An erosion filter with its exact gradient, in two dimensions: gullies that run down the
    /// slopes of the field.
    Erode {
        /// The field, without creases.
        field: Box<Node<N>>,
        /// The gullies.
        by: Erosion,
    },
    /// The result of a method that does not apply to a node, such as [`gain`](Self::gain) on a sum.
    /// [`build`](Self::build) returns it as an error. Files cannot contain it.
    #[cfg_attr(feature = "serde", serde(skip))]
    Invalid(String),
}

/// The children of a node, by shared or by exclusive reference.
macro_rules! children {
    ($node:expr, $reference:ident) => {
        match $node {
            Node::Constant(_)
            | Node::Noise(_)
            | Node::Fractal(_)
            | Node::Wave(_)
            | Node::Named(_)
            | Node::Invalid(_) => Vec::new(),
            Node::Add(of) | Node::Multiply(of) | Node::Min { of, .. } | Node::Max { of, .. } => {
                of.into_iter().collect()
            }
            Node::Lerp { from, to, mask } => vec![from, to, mask],
            Node::Lands(of) => of.into_iter().map(|(_, node)| node).collect(),
            Node::Blend { of, along } => {
                let pieces = of.into_iter().map(|piece| piece.field.$reference());
                pieces.chain(along).collect()
            }
            Node::Shape { field, .. } | Node::Domain { field, .. } | Node::Erode { field, .. } => {
                vec![field]
            }
            Node::Warp { field, by } => {
                let mut children = vec![field.$reference()];
                children.extend(by);
                children
            }
        }
    };
}

impl<const N: usize> Node<N> {
    /// The operands of this node, in the order of a file.
    pub fn children(&self) -> Vec<&Node<N>> {
        children!(self, as_ref)
    }

    /// The operands of this node, mutably.
    pub fn children_mut(&mut self) -> Vec<&mut Node<N>> {
        children!(self, as_mut)
    }

    /// The numbers of this node itself with their limits, for a panel to edit.
    pub fn numbers(&mut self) -> Vec<(&'static Limit, Number<'_>)> {
        match self {
            Node::Constant(value) => Constant::numbers(value),
            Node::Noise(noise) => noise_numbers(noise),
            Node::Fractal(fractal) => fractal_numbers(fractal),
            Node::Wave(wave) => numbers_of(wave),
            Node::Min { smooth, .. } | Node::Max { smooth, .. } => smooth_numbers(smooth),
            Node::Blend { of, .. } => {
                of.iter_mut().flat_map(|piece| &mut piece.within).flat_map(numbers_of).collect()
            }
            Node::Shape { by, .. } => by.iter_mut().flat_map(Shape::numbers).collect(),
            Node::Domain { by, .. } => by.iter_mut().flat_map(Transform::numbers).collect(),
            Node::Erode { by, .. } => numbers_of(by),
            Node::Add(_)
            | Node::Multiply(_)
            | Node::Lerp { .. }
            | Node::Lands(_)
            | Node::Warp { .. }
            | Node::Named(_)
            | Node::Invalid(_) => Vec::new(),
        }
    }
}

impl<const N: usize> Default for Node<N> {
    /// The constant 0, which [`take`](core::mem::take) leaves behind.
    fn default() -> Self {
        Node::Constant(0.0)
    }
}

impl<const N: usize> Drop for Node<N> {
    /// Frees a tree of any depth without recursion, because the stack of a thread is small.
    fn drop(&mut self) {
        let mut inner = self.take_inner();
        while let Some(mut node) = inner.pop() {
            inner.append(&mut node.take_inner());
        }
    }
}

impl<const N: usize> Node<N> {
    /// Takes the children that have children.
    fn take_inner(&mut self) -> Vec<Self> {
        let children = self.children_mut().into_iter();
        children.filter(|child| !child.is_leaf()).map(core::mem::take).collect()
    }

    fn is_leaf(&self) -> bool {
        matches!(
            self,
            Node::Constant(_)
                | Node::Noise(_)
                | Node::Fractal(_)
                | Node::Wave(_)
                | Node::Named(_)
                | Node::Invalid(_)
        )
    }
}

/// The numbers of a structure with their limits.
pub(crate) fn numbers_of<P: Parameters>(parameters: &mut P) -> Vec<(&'static Limit, Number<'_>)> {
    P::LIMITS.iter().zip(parameters.numbers()).collect()
}
