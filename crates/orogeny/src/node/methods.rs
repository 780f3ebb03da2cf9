//! Builder methods and operators of nodes. They build the same trees as files.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::ops::{Add, Mul, Neg, Sub};

use crate::fractal::Fractal;
use crate::node::Node;
use crate::node::ops::erosion::Erosion;
use crate::node::ops::remap::{Clamp, Curve, Normalize, Shape, Terraces};
use crate::node::ops::transform::{Rotate, Transform};
use crate::noise::{Cellular, GradientNoise, Noise, Simplex};

impl<const N: usize> Node<N> {
    /// A gradient noise with all defaults but its seed.
    pub fn noise(seed: u64) -> Self {
        GradientNoise::seeded(seed).into()
    }

    /// Rotates the sample position by an angle: in two dimensions, and around (1, 1, 1) in three.
    pub fn rotate(self, degrees: f64) -> Self {
        self.transform(Transform::Rotate(Rotate { degrees, ..Rotate::default() }))
    }

    /// Adds `offset` to the sample position.
    pub fn translate(self, offset: [f64; N]) -> Self {
        self.transform(Transform::Translate(offset))
    }

    /// Transforms the sample position.
    pub fn transform(mut self, transform: Transform<N>) -> Self {
        if let Node::Domain { by, .. } = &mut self {
            // The transform of the last method is applied to positions first.
            by.insert(0, transform);
            return self;
        }
        Node::Domain { field: Box::new(self), by: vec![transform] }
    }

    /// Domain warping: displaces the sample position by other fields, one for each axis.
    pub fn warp(self, by: [Node<N>; N]) -> Self {
        Node::Warp { field: Box::new(self), by: by.into() }
    }

    /// Applies the erosion filter: gullies that run down the slopes of the field.
    pub fn erode(self, by: Erosion) -> Self {
        Node::Erode { field: Box::new(self), by }
    }

    /// Interpolates from this field, where the mask is 0, to another, where it is 1.
    pub fn lerp(self, to: impl Into<Node<N>>, mask: impl Into<Node<N>>) -> Self {
        let (to, mask) = (Box::new(to.into()), Box::new(mask.into()));
        Node::Lerp { from: Box::new(self), to, mask }
    }

    /// The minimum of this field and another, blended where they differ by less than `smooth`.
    pub fn min(self, other: impl Into<Node<N>>, smooth: f32) -> Self {
        Node::Min { of: vec![self, other.into()], smooth }
    }

    /// The maximum of this field and another, blended where they differ by less than `smooth`.
    pub fn max(self, other: impl Into<Node<N>>, smooth: f32) -> Self {
        Node::Max { of: vec![self, other.into()], smooth }
    }

    /// Applies a function to the values of the field.
    pub fn shape(mut self, shape: Shape) -> Self {
        if let Node::Shape { by, .. } = &mut self {
            by.push(shape);
            return self;
        }
        Node::Shape { field: Box::new(self), by: vec![shape] }
    }

    /// The absolute value.
    pub fn abs(self) -> Self {
        self.shape(Shape::Abs)
    }

    /// The square.
    pub fn square(self) -> Self {
        self.shape(Shape::Square)
    }

    /// Clamped between two values, with corners rounded over `smooth` on either side.
    pub fn clamp(self, min: f32, max: f32, smooth: f32) -> Self {
        self.shape(Shape::Clamp(Clamp { min, max, smooth }))
    }

    /// Terraces: steps of a height, of which the fraction `cliff` is not flat.
    pub fn terraces(self, step: f32, cliff: f32) -> Self {
        self.shape(Shape::Terraces(Terraces { step, cliff, strength: 1.0 }))
    }

    /// Remapped by a smooth curve through points (input, output).
    pub fn curve(self, points: impl Into<Vec<(f32, f32)>>) -> Self {
        self.shape(Shape::Curve(Curve(points.into())))
    }

    /// Maps the proven range to `min` .. `max`.
    pub fn normalize(self, min: f32, max: f32) -> Self {
        self.shape(Shape::Normalize(Normalize { min, max }))
    }
}

macro_rules! leaf {
    ($($leaf:ty => $wrap:expr),* $(,)?) => {$(
        impl<const N: usize> From<$leaf> for Node<N> {
            fn from(leaf: $leaf) -> Self {
                $wrap(leaf)
            }
        }
    )*};
}
leaf! {
    f32 => Node::Constant,
    Noise<N> => Node::Noise,
    GradientNoise<N> => |leaf| Node::Noise(Noise::Gradient(leaf)),
    Simplex => |leaf| Node::Noise(Noise::Simplex(leaf)),
    Cellular<N> => |leaf| Node::Noise(Noise::Cellular(leaf)),
    Fractal<N> => Node::Fractal,
}

impl<const N: usize, T: Into<Node<N>>> Add<T> for Node<N> {
    type Output = Self;
    fn add(mut self, other: T) -> Self {
        if let Node::Add(of) = &mut self {
            of.push(other.into());
            return self;
        }
        Node::Add(vec![self, other.into()])
    }
}

impl<const N: usize, T: Into<Node<N>>> Mul<T> for Node<N> {
    type Output = Self;
    fn mul(mut self, other: T) -> Self {
        if let Node::Multiply(of) = &mut self {
            of.push(other.into());
            return self;
        }
        Node::Multiply(vec![self, other.into()])
    }
}

impl<const N: usize> Neg for Node<N> {
    type Output = Self;
    fn neg(self) -> Self {
        self * -1.0
    }
}

impl<const N: usize, T: Into<Node<N>>> Sub<T> for Node<N> {
    type Output = Self;
    fn sub(self, other: T) -> Self {
        self + -other.into()
    }
}
