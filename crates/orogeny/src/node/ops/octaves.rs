//! Noises and fractals as operators: the leaves of a tree.

use alloc::vec::Vec;

use crate::arrays::Each;
use crate::derivative::bounds::{Bounds, times};
use crate::derivative::chain_rule::Differentiated;
use crate::derivative::sample::Sample;
use crate::error::DataError;
#[cfg(not(feature = "std"))]
use crate::float::Float as _;
use crate::fractal::Fractal;
use crate::fractal::damped::DampedBounds;
use crate::fractal::fractal_kind::{Damped, FractalKind};
use crate::fractal::octaves::{Octave, Octaves};
use crate::kernel::OctaveTerms;
use crate::lattice::LatticeMapping;
use crate::limits::{Limit, Number, Parameters};
use crate::node::compile::Builder;
use crate::node::interpolation_error::Interpolated;
use crate::node::local_bounds::{Centre, ROUNDING, SURELY_INSIDE, rounded};
use crate::node::numbers_of;
use crate::node::ops::combine::Combine;
use crate::node::ops::constant::Constant;
use crate::node::ops::{Op, Operator};
use crate::node::smoothed::{mean_difference, resolves};
use crate::noise::Noise;
use crate::samples::Buffer;
use crate::samples::positions::Positions;

/// A single noise: one octave of frequency 1.
pub(crate) fn build_noise<const N: usize>(
    builder: &mut Builder<'_>,
    noise: &Noise<N>,
) -> Result<Op<N>, DataError> {
    noise.check()?;
    builder.check_noise(noise, 1.0)?;
    let basis = noise.build(&noise.tables(), builder.mix(noise.seed()), noise.period());
    Ok(Octaves::alone(basis, noise.bounds()).into())
}

pub(crate) fn build_fractal<const N: usize>(
    builder: &mut Builder<'_>,
    fractal: &Fractal<N>,
) -> Result<Op<N>, DataError> {
    fractal.check()?;
    builder.check_noise(&fractal.noise, fractal.last_frequency())?;
    Ok(fractal.build(builder.mix(fractal.noise.seed())).into())
}

/// The numbers of a noise with their limits.
pub(crate) fn noise_numbers<const N: usize>(
    noise: &mut Noise<N>,
) -> Vec<(&'static Limit, Number<'_>)> {
    match noise {
        Noise::Cellular(cellular) => numbers_of(cellular),
        Noise::Gradient(_) | Noise::Simplex(_) => Vec::new(),
    }
}

/// The numbers of a fractal, of its kind and of its noise, with their limits.
pub(crate) fn fractal_numbers<const N: usize>(
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
    all.extend(noise_numbers(noise));
    all
}

impl<const N: usize> Operator<N> for Octaves<N> {
    fn operands(&self) -> &[Op<N>] {
        &[]
    }

    fn at<T: Differentiated<N>>(&self, p: [f64; N]) -> T {
        self.at(p)
    }

    fn evaluate<B: Buffer<N>>(&self, positions: Positions<N>, out: &mut B) {
        self.evaluate(positions, out);
    }

    /// By the triangle inequality: each octave has the noise's bounds at its frequency and
    /// amplitude.
    fn bounds(&self) -> Bounds {
        let sum = if let FractalKind::Damped(Damped { strength }) = self.kind {
            let mut damped = DampedBounds::new(strength);
            let terms = self
                .list
                .iter()
                .map(|octave| damped.next(octave.bounds, octave.amplitude, octave.share));
            terms.reduce(|sum, term| sum + term)
        } else {
            let mut terms = OctaveTerms::new(self.kind.term());
            let terms = self.list.iter().map(|octave| terms.next(octave.bounds, octave.amplitude));
            terms.reduce(|sum, term| sum + term)
        };
        sum.unwrap_or(Bounds::UNKNOWN)
    }

    fn local_bounds(&self, p: [f64; N], radius: f64) -> Option<Bounds> {
        // Rotated positions are rounded.
        let rotations = self.list.iter().filter_map(|octave| octave.rotation.as_ref());
        let radius = rotations.fold(radius, |max, rotation| max.max(rotation.reach(p, radius)));
        let bounds = match self.kind {
            FractalKind::Damped(Damped { strength }) => {
                self.damped_local_bounds(strength, p, radius)
            }
            kind => self.summed_local_bounds(kind, p, radius),
        }?;
        // If no octave was sampled, the bounds are those of the exact noise.
        Some(rounded(bounds, 8.0 * bounds.max_abs()))
    }

    /// Damped octaves contribute by their slope or range, others by their curvature as well.
    fn interpolated(&self, radius: f64) -> Interpolated {
        let unknown = || Interpolated::new(Bounds::UNKNOWN, radius);
        if let FractalKind::Damped(Damped { strength }) = self.kind {
            let mut damped = DampedBounds::new(strength);
            let terms = self.list.iter().map(|octave| {
                Interpolated::new(
                    damped.next(octave.bounds, octave.amplitude, octave.share),
                    radius,
                )
            });
            return terms.reduce(Interpolated::plus).unwrap_or_else(unknown);
        }
        let mut terms = OctaveTerms::new(self.kind.term());
        let octaves = self
            .list
            .iter()
            .map(|octave| terms.next(Interpolated::new(octave.bounds, radius), octave.amplitude));
        octaves.reduce(Interpolated::plus).unwrap_or_else(unknown)
    }

    fn band_limited(&self, spacing: f64) -> Self {
        self.band_limited(spacing)
    }

    /// The first octaves, and the mean of the others.
    fn smoothed(&self, wavelength: f64) -> Op<N> {
        let is_left = |octave: &&Octave<N>| resolves(octave.mapping.frequency, wavelength);
        let (left, cut) = self.list.split_at(self.list.iter().take_while(is_left).count());
        if cut.is_empty() {
            return self.clone().into();
        }
        let part: Op<N> = match left {
            [] => Constant::new(0.0).into(),
            _ => Octaves::new(left.to_vec(), self.kind).into(),
        };
        let is_plain = matches!(self.kind, FractalKind::Fbm | FractalKind::Damped(_));
        if is_plain && cut.iter().all(Octave::has_zero_mean) {
            return part;
        }
        let lost = mean_difference(self, &part, 1.0 / self.list[0].mapping.frequency);
        Combine::plus(part, lost)
    }

    fn has_hessian(&self) -> bool {
        !matches!(self.kind, FractalKind::Damped(_))
    }
}

/// An octave within a ball: its sample at the centre, if it was sampled, and its bounds.
type Local<const N: usize> = (Option<Centre<N>>, Bounds);

impl<const N: usize> Octave<N> {
    /// The noise within `radius` of `p`; `None` outside the domain. It is only sampled if the ball
    /// is so small that this tightens the bounds.
    fn local(&self, p: [f64; N], radius: f64) -> Option<Local<N>> {
        let (whole, frequency) = (self.bounds, self.mapping.frequency);
        let change = times(whole.curvature, radius);
        let reach = times(whole.lipschitz.min(change / 2.0), radius);
        let gains = change < whole.lipschitz || reach < whole.max - whole.min;
        if !gains && p.iter().all(|x| (x * frequency).abs() < SURELY_INSIDE) {
            return Some((None, whole));
        }
        let Sample { value, gradient } = self.noise_at::<Sample<N>>(1.0, p);
        if value.is_nan() {
            return None;
        }
        let centre = Centre {
            value: value.into(),
            gradient: gradient.each(f64::from),
            value_error: ROUNDING * (whole.max_abs() + whole.lipschitz / frequency),
            slope_error: ROUNDING
                * (whole.max_abs() * frequency + whole.lipschitz + whole.curvature / frequency),
        };
        Some((Some(centre), centre.tighten(whole, radius)))
    }
}

impl<const N: usize> Octaves<N> {
    fn summed_local_bounds(&self, kind: FractalKind, p: [f64; N], radius: f64) -> Option<Bounds> {
        let mut terms = OctaveTerms::new(kind.term());
        let mut sum: Option<Local<N>> = None;
        for octave in &self.list {
            let (centre, bounds) = octave.local(p, radius)?;
            let centre = centre
                .filter(|_| matches!(kind, FractalKind::Fbm))
                .map(|centre| centre.scaled(octave.amplitude.into()));
            let term = terms.next(bounds, octave.amplitude);
            sum = Some(match sum {
                None => (centre, term),
                Some((before, bounds)) => {
                    let centre = before.zip(centre).map(|(a, b)| a.plus(b));
                    let bounds = bounds + term;
                    (centre, centre.map_or(bounds, |centre| centre.tighten(bounds, radius)))
                }
            });
        }
        sum.map(|(_, bounds)| bounds)
    }

    fn damped_local_bounds(&self, strength: f32, p: [f64; N], radius: f64) -> Option<Bounds> {
        let mut damped = DampedBounds::new(strength);
        let mut whole = Bounds::constant(0.0);
        for octave in &self.list {
            let (_, local) = octave.local(p, radius)?;
            whole = whole + damped.next(local, octave.amplitude, octave.share);
        }
        Some(self.damped_centre(strength, p).tighten(whole, radius))
    }

    /// The damped sum at the centre of a ball. Elsewhere its Lipschitz constant limits how far it
    /// differs, because the range of the terms does not show how much they are damped.
    fn damped_centre(&self, strength: f32, p: [f64; N]) -> Centre<N> {
        let Sample { value, gradient } = self.damped::<Sample<N>>(strength, p);
        // The relative error of divisors is that of the slopes in them.
        let steepest = 0.65 * f64::from(strength).sqrt();
        let (mut value_error, mut slope_error_sum) = (0.0, 0.0);
        for Octave {
            bounds, mapping: LatticeMapping { frequency, .. }, amplitude, share, ..
        } in &self.list
        {
            let size = bounds.max_abs() + bounds.lipschitz / frequency;
            slope_error_sum +=
                f64::from(*share) * (frequency * size + bounds.curvature / frequency);
            let error = size + bounds.max_abs() * steepest * slope_error_sum;
            value_error += 2.0 * ROUNDING * f64::from(amplitude.abs()) * error;
        }
        // Second derivatives are unbounded, so the slope here does not limit the slope elsewhere.
        let slope_error = f64::INFINITY;
        Centre { value: value.into(), gradient: gradient.each(f64::from), value_error, slope_error }
    }
}
