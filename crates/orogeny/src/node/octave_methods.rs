//! Methods that turn a noise into a fractal and set its numbers.

use core::mem::take;

use crate::fractal::{Damped, Fractal, FractalKind, Hybrid, PingPong, Ridged};
use crate::limits::{Limit, Parameters};
use crate::node::Node;
use crate::node::ops::transform::Transform;

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
