//! Builder methods and operators of nodes. They build the same trees as files.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::mem::take;
use core::ops::{Add, Mul, Neg, Sub};

use crate::fractal::{Damped, Fractal, FractalKind, Hybrid, PingPong, Ridged};
use crate::limits::{Limit, Parameters};
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

/// # Octaves
///
/// These methods turn a noise into a [`Fractal`] and set its numbers, in any order. Applied to a
/// fractal, they change it.
///
/// On any other node, such as a sum or a warp, `frequency` and `amplitude` still apply. The other
/// methods do not: they leave a [`Node::Invalid`], for which [`build`](Node::build) returns an
/// error that names the method.
///
/// ```
/// use orogeny::{Fractal, GradientNoise, Node};
///
/// let short = Node::<2>::noise(7).ridged(6).gain(0.45).frequency(0.001).amplitude(300.0);
/// let long = Fractal {
///     kind: orogeny::FractalKind::Ridged(Default::default()),
///     gain: 0.45,
///     frequency: 0.001,
///     amplitude: 300.0,
///     ..Fractal::fbm(6.0, GradientNoise::seeded(7))
/// };
/// assert_eq!(short, long.into());
///
/// let wrong = (short + 1.0).gain(0.5).build().unwrap_err();
/// assert_eq!(wrong.to_string(), "gain() needs a noise or a fractal, not Add");
/// ```
impl<const N: usize> Node<N> {
    /// Fractional Brownian motion: the sum of octaves, 1 to 24 and not necessarily whole.
    pub fn fbm(self, octaves: impl Into<f64>) -> Self {
        self.fractal("fbm", FractalKind::Fbm, octaves.into())
    }

    /// The sum of the octaves' absolute values.
    pub fn turbulence(self, octaves: impl Into<f64>) -> Self {
        self.fractal("turbulence", FractalKind::Turbulence, octaves.into())
    }

    /// The sum of 2 |n| - 1 over the octaves n. What some libraries call ridged is its negative.
    pub fn billow(self, octaves: impl Into<f64>) -> Self {
        self.fractal("billow", FractalKind::Billow, octaves.into())
    }

    /// The ridged multifractal, with the defaults of [`Ridged`].
    pub fn ridged(self, octaves: impl Into<f64>) -> Self {
        self.fractal("ridged", FractalKind::Ridged(Ridged::default()), octaves.into())
    }

    /// The hybrid multifractal, with the defaults of [`Hybrid`].
    pub fn hybrid(self, octaves: impl Into<f64>) -> Self {
        self.fractal("hybrid", FractalKind::Hybrid(Hybrid::default()), octaves.into())
    }

    /// Octaves folded back and forth, with the defaults of [`PingPong`].
    pub fn ping_pong(self, octaves: impl Into<f64>) -> Self {
        self.fractal("ping_pong", FractalKind::PingPong(PingPong::default()), octaves.into())
    }

    /// Slope-damped fBm, with the defaults of [`Damped`].
    pub fn damped(self, octaves: impl Into<f64>) -> Self {
        self.fractal("damped", FractalKind::Damped(Damped::default()), octaves.into())
    }

    /// The number of octaves, 1 to 24. A noise becomes an fBm.
    pub fn octaves(self, octaves: impl Into<f64>) -> Self {
        let octaves = octaves.into();
        self.change("octaves", |fractal| set_octaves(fractal, octaves))
    }

    /// The ratio of frequencies from one octave to the next, 1 to 8.
    pub fn lacunarity(self, lacunarity: f64) -> Self {
        self.change("lacunarity", |fractal| fractal.lacunarity = lacunarity)
    }

    /// The ratio of amplitudes from one octave to the next, 0 to 1.
    pub fn gain(self, gain: f32) -> Self {
        self.change("gain", |fractal| fractal.gain = gain)
    }

    /// Multiplies the sample position by `frequency`: features become 1 / frequency as wide.
    ///
    /// On a noise or fractal this multiplies its frequency, which costs nothing when it is sampled.
    /// Other nodes, and frequencies beyond a fractal's limits, get a [`Transform::Scale`].
    pub fn frequency(self, frequency: f64) -> Self {
        match self.into_fractal() {
            Ok(fractal) if is_within::<N>("frequency", fractal.frequency * frequency) => {
                Fractal { frequency: fractal.frequency * frequency, ..fractal }.into()
            }
            Ok(fractal) => Node::from(fractal).transform(Transform::Scale([frequency; N])),
            Err(invalid @ Node::Invalid(_)) => invalid,
            Err(other) => other.transform(Transform::Scale([frequency; N])),
        }
    }

    /// Multiplies the value by `amplitude`.
    ///
    /// On a noise or fractal this multiplies its amplitude, which costs nothing when it is sampled.
    /// Other nodes, and amplitudes beyond a fractal's limits, become a product.
    pub fn amplitude(self, amplitude: f32) -> Self {
        match self.into_fractal() {
            Ok(fractal) if is_within::<N>("amplitude", (fractal.amplitude * amplitude).into()) => {
                Fractal { amplitude: fractal.amplitude * amplitude, ..fractal }.into()
            }
            Ok(fractal) => Node::from(fractal) * amplitude,
            Err(invalid @ Node::Invalid(_)) => invalid,
            Err(other) => other * amplitude,
        }
    }

    fn fractal(self, method: &str, kind: FractalKind, octaves: f64) -> Self {
        self.change(method, |fractal| {
            fractal.kind = kind;
            set_octaves(fractal, octaves);
        })
    }

    fn change(self, method: &str, change: impl FnOnce(&mut Fractal<N>)) -> Self {
        match self.into_fractal() {
            Ok(mut fractal) => {
                change(&mut fractal);
                fractal.into()
            }
            Err(invalid @ Node::Invalid(_)) => invalid,
            Err(other) => Node::Invalid(format!(
                "{method}() needs a noise or a fractal, not {}",
                other.variant()
            )),
        }
    }

    /// A fractal. A noise becomes a single octave with bit-identical values.
    #[expect(clippy::result_large_err, reason = "the node itself, which is passed on")]
    fn into_fractal(mut self) -> Result<Fractal<N>, Self> {
        match &mut self {
            Node::Fractal(fractal) => Ok(take(fractal)),
            Node::Noise(noise) => {
                Ok(Fractal { reseed: false, offset: false, ..Fractal::fbm(1.0, take(noise)) })
            }
            _ => Err(self),
        }
    }

    /// The name of the variant.
    fn variant(&self) -> &'static str {
        match self {
            Node::Constant(_) => "Constant",
            Node::Noise(_) => "Noise",
            Node::Fractal(_) => "Fractal",
            Node::Add(_) => "Add",
            Node::Multiply(_) => "Multiply",
            Node::Min { .. } => "Min",
            Node::Max { .. } => "Max",
            Node::Lerp { .. } => "Lerp",
            Node::Blend { .. } => "Blend",
            Node::Lands(_) => "Lands",
            Node::Wave(_) => "Wave",
            Node::Named(_) => "Named",
            Node::Shape { .. } => "Shape",
            Node::Domain { .. } => "Domain",
            Node::Warp { .. } => "Warp",
            Node::Erode { .. } => "Erode",
            Node::Invalid(_) => "Invalid",
        }
    }
}

/// A single octave is the noise itself. With several, each has its own seed and offset.
fn set_octaves<const N: usize>(fractal: &mut Fractal<N>, octaves: f64) {
    if fractal.octaves <= 1.0 {
        (fractal.reseed, fractal.offset) = (true, true);
    }
    fractal.octaves = octaves;
}

/// Whether a number of a fractal is within its limits.
fn is_within<const N: usize>(name: &str, value: f64) -> bool {
    let limit: Option<&Limit> = Fractal::<N>::LIMITS.iter().find(|limit| limit.name == name);
    limit.is_some_and(|limit| limit.check(value).is_ok())
}
