//! Fields as trees.

mod at_position;
pub(crate) mod compile;
mod interpolation_error;
mod local_bounds;
mod methods;
mod octave_methods;
pub(crate) mod ops;
pub(crate) mod tree;

pub use compile::{MAX_DEPTH, MAX_NODES};
pub use ops::erosion::Erosion;
pub use ops::remap::{Clamp, Curve, Normalize, Shape, Terraces};
pub use ops::transform::{Rotate, Transform};
pub use tree::Tree;

use crate::fractal::{Fractal, FractalKind};
#[cfg(feature = "serde")]
use crate::limits::at_most;
use crate::limits::{CONSTANT, Limit, Number, Parameters, SMOOTH};
use crate::noise::Noise;

/// A field of N dimensions, described as a tree: what a recipe holds, and what code builds by
/// [methods](#implementations) and operators.
///
/// A tree is plain data and may hold anything; [`build`](Self::build) validates it and makes the
/// field that can be evaluated. All of it carries the exact gradient, by the rules of calculus;
/// each variant says where it is not differentiable.
///
/// Noises of one tree with the same seed and parameters are the same noise.
///
/// ```
/// use orogeny::{Field, Fractal, GradientNoise, FractalKind, Node};
/// use orogeny::fractal::Ridged;
///
/// let fractal = |seed, frequency| Fractal { frequency, ..Fractal::fbm(6.0, GradientNoise::seeded(seed)) };
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
/// # Ok::<(), orogeny::RecipeError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
#[cfg_attr(feature = "describe", derive(strum::EnumMessage, strum::IntoStaticStr))]
pub enum Node<const N: usize = 2> {
    /// The same value everywhere, -1e6 to 1e6.
    Constant(f32),
    /// A noise of features about one unit wide.
    Noise(Noise<N>),
    /// Octaves of a noise.
    Fractal(Fractal<N>),
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
    /// The least of fields: min(a, b) - h^2 / (4 w) with h = max(0, w - |a - b|) and w = `smooth`,
    /// from left to right (Inigo Quilez, "Smooth minimum", 2013). With smooth = 0 it has creases
    /// where two are equal; the gradient is that of the first.
    Min {
        /// The fields.
        #[cfg_attr(feature = "serde", serde(deserialize_with = "at_most::<MAX_NODES, _, _>"))]
        of: Vec<Node<N>>,
        /// The difference below which two fields blend, 0 to 1e6.
        #[cfg_attr(feature = "serde", serde(default))]
        smooth: f32,
    },
    /// The greatest of fields: as `Min`, turned upside down.
    Max {
        /// The fields.
        #[cfg_attr(feature = "serde", serde(deserialize_with = "at_most::<MAX_NODES, _, _>"))]
        of: Vec<Node<N>>,
        /// The difference below which two fields blend, 0 to 1e6.
        #[cfg_attr(feature = "serde", serde(default))]
        smooth: f32,
    },
    /// from (1 - mask) + to mask: one field where the mask is 0, another where it is 1, and beyond
    /// that line where the mask is beyond.
    Lerp {
        /// The field where the mask is 0.
        from: Box<Node<N>>,
        /// The field where the mask is 1.
        to: Box<Node<N>>,
        /// The mask.
        mask: Box<Node<N>>,
    },
    /// Functions of one variable, applied to the field one after another.
    Shape {
        /// The field.
        field: Box<Node<N>>,
        /// The functions.
        #[cfg_attr(feature = "serde", serde(deserialize_with = "at_most::<MAX_NODES, _, _>"))]
        by: Vec<Shape>,
    },
    /// Transforms of the domain: a position is sent through them in their order, and the field is
    /// sampled there. Positions are rounded to `f64`: at 1e12 they are right to 1e-4.
    Domain {
        /// The field.
        field: Box<Node<N>>,
        /// The transforms.
        #[cfg_attr(feature = "serde", serde(deserialize_with = "at_most::<MAX_NODES, _, _>"))]
        by: Vec<Transform<N>>,
    },
    /// The domain warped: the field at p + w(p), where w_k is the k-th of the fields `by`. With q =
    /// p + w(p) the gradient is (I + Dw)^T grad f(q), Dw the Jacobian of w. (Inigo Quilez, "Domain
    /// warping", 2002.)
    Warp {
        /// The field.
        field: Box<Node<N>>,
        /// The displacement along each axis, in units of length: N fields.
        #[cfg_attr(feature = "serde", serde(deserialize_with = "at_most::<MAX_NODES, _, _>"))]
        by: Vec<Node<N>>,
    },
    /// Gullies that run down the slopes of the field, in two dimensions, with the gradient that
    /// they have.
    Erode {
        /// The field, without creases.
        field: Box<Node<N>>,
        /// The gullies.
        by: Erosion,
    },
    /// The result of a method that does not apply to a node, such as [`gain`](Self::gain) on a sum.
    /// [`build`](Self::build) refuses it with this message. No file can hold it.
    #[cfg_attr(feature = "serde", serde(skip))]
    Invalid(String),
}

impl<const N: usize> Node<N> {
    /// The fields that this one is made of, in the order of a file.
    pub fn children(&self) -> Vec<&Node<N>> {
        match self {
            Node::Constant(_) | Node::Noise(_) | Node::Fractal(_) | Node::Invalid(_) => Vec::new(),
            Node::Add(of) | Node::Multiply(of) | Node::Min { of, .. } | Node::Max { of, .. } => {
                of.iter().collect()
            }
            Node::Lerp { from, to, mask } => vec![from, to, mask],
            Node::Shape { field, .. } | Node::Domain { field, .. } | Node::Erode { field, .. } => {
                vec![field]
            }
            Node::Warp { field, by } => core::iter::once(&**field).chain(by).collect(),
        }
    }

    /// The same, to be changed.
    pub fn children_mut(&mut self) -> Vec<&mut Node<N>> {
        match self {
            Node::Constant(_) | Node::Noise(_) | Node::Fractal(_) | Node::Invalid(_) => Vec::new(),
            Node::Add(of) | Node::Multiply(of) | Node::Min { of, .. } | Node::Max { of, .. } => {
                of.iter_mut().collect()
            }
            Node::Lerp { from, to, mask } => vec![from, to, mask],
            Node::Shape { field, .. } | Node::Domain { field, .. } | Node::Erode { field, .. } => {
                vec![field]
            }
            Node::Warp { field, by } => core::iter::once(&mut **field).chain(by).collect(),
        }
    }

    /// The numbers of this node itself with their limits, for a panel to edit.
    pub fn numbers(&mut self) -> Vec<(&'static Limit, Number<'_>)> {
        match self {
            Node::Constant(value) => vec![(&CONSTANT, Number::F32(value))],
            Node::Noise(Noise::Cellular(cellular)) => numbers_of(cellular),
            Node::Noise(_) => Vec::new(),
            Node::Fractal(fractal) => numbers_of_fractal(fractal),
            Node::Min { smooth, .. } | Node::Max { smooth, .. } => {
                vec![(&SMOOTH, Number::F32(smooth))]
            }
            Node::Shape { by, .. } => by.iter_mut().flat_map(numbers_of_shape).collect(),
            Node::Domain { by, .. } => {
                let rotations = by.iter_mut().filter_map(|transform| match transform {
                    Transform::Rotate(rotate) => Some(numbers_of(rotate)),
                    _ => None,
                });
                rotations.flatten().collect()
            }
            Node::Erode { by, .. } => numbers_of(by),
            Node::Add(_)
            | Node::Multiply(_)
            | Node::Lerp { .. }
            | Node::Warp { .. }
            | Node::Invalid(_) => Vec::new(),
        }
    }
}

fn numbers_of<P: Parameters>(parameters: &mut P) -> Vec<(&'static Limit, Number<'_>)> {
    P::LIMITS.iter().zip(parameters.numbers()).collect()
}

fn numbers_of_fractal<const N: usize>(
    fractal: &mut Fractal<N>,
) -> Vec<(&'static Limit, Number<'_>)> {
    let (own, (noise, kind, ..)) = fractal.split();
    let mut all: Vec<_> = Fractal::<N>::LIMITS.iter().zip(own).collect();
    match kind {
        FractalKind::Ridged(ridged) => all.extend(numbers_of(ridged)),
        FractalKind::Hybrid(hybrid) => all.extend(numbers_of(hybrid)),
        FractalKind::PingPong(ping_pong) => all.extend(numbers_of(ping_pong)),
        FractalKind::Damped(damped) => all.extend(numbers_of(damped)),
        FractalKind::Fbm | FractalKind::Turbulence | FractalKind::Billow => {}
    }
    if let Noise::Cellular(cellular) = noise {
        all.extend(numbers_of(cellular));
    }
    all
}

fn numbers_of_shape(shape: &mut Shape) -> Vec<(&'static Limit, Number<'_>)> {
    match shape {
        Shape::Abs | Shape::Square | Shape::Curve(_) => Vec::new(),
        Shape::Clamp(clamp) => numbers_of(clamp),
        Shape::Terraces(terraces) => numbers_of(terraces),
        Shape::Normalize(normalize) => numbers_of(normalize),
    }
}
