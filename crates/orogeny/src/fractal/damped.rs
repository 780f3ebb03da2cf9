//! Slope-damped fBm, with its exact gradient and proven bounds.

use crate::arrays;
use crate::derivative::bounds::{Bounds, times};
use crate::derivative::chain_rule::Differentiated;
use crate::derivative::jet::Jet;
use crate::derivative::sample::Sample;
#[cfg(not(feature = "std"))]
use crate::float::Float as _;
use crate::fractal::octaves::{Octave, Octaves};
use crate::kernel;
use crate::samples::positions::Positions;
use crate::samples::{Buffer, Jets, Samples, operand};

/// The sum of a_i n_i / (1 + `strength` |s_i|^2), with the accumulated slope s_i = sum over j <= i
/// of `share`_j grad n_j.
#[derive(Clone, Copy)]
struct Damping<const N: usize> {
    strength: f32,
    slope: [Sample<N>; N],
}

impl<const N: usize> Damping<N> {
    /// The next term, from an octave's `noise` of amplitude 1. `resolved` is the same noise with
    /// its derivatives low-pass filtered for a grid.
    #[inline(always)]
    fn next(&mut self, octave: &Octave<N>, noise: Jet<N>, resolved: Jet<N>) -> Sample<N> {
        let mut squared = Sample::constant(0.0);
        for (k, slope) in self.slope.iter_mut().enumerate() {
            // Filtered slopes would make values depend on the grid.
            let own = Sample { value: noise.sample.gradient[k], gradient: resolved.hessian[k] };
            *slope = *slope + own * octave.share;
            squared = squared + *slope * *slope;
        }
        let factor = 1.0 / (1.0 + self.strength * squared.value);
        let damped = squared.map(factor, -self.strength * (factor * factor));
        resolved.sample * damped * octave.amplitude
    }
}

impl<const N: usize> Octaves<N> {
    /// The damped sum at a point. Second derivatives are differences of the gradient.
    pub(crate) fn damped<T: Differentiated<N>>(&self, strength: f32, p: [f64; N]) -> T {
        T::of_samples(|p| self.damped_sample(strength, p), p, self.damped_step())
    }

    /// The step of the differences: a 128th of a cell of the finest octave.
    pub(super) fn damped_step(&self) -> f64 {
        let finest = self.list.last().map_or(1.0, |octave| octave.mapping.frequency);
        1.0 / (128.0 * finest)
    }

    fn damped_sample(&self, strength: f32, p: [f64; N]) -> Sample<N> {
        let mut damping = Damping { strength, slope: [Sample::constant(0.0); N] };
        let mut sum = Sample::constant(0.0);
        for octave in &self.list {
            let noise: Jet<N> = octave.noise_at(1.0, p);
            sum = sum + damping.next(octave, noise, noise.weighted(octave.slope));
        }
        sum
    }

    /// The damped sum at many positions, bit-identical to [`damped`](Self::damped).
    pub(crate) fn fill_damped(&self, strength: f32, positions: Positions<N>, out: &mut Samples<N>) {
        out.set_all(positions.len(), Sample::constant(0.0));
        out.with_spares(N, |out, slopes| {
            for slope in slopes.iter_mut() {
                slope.set_all(positions.len(), Sample::constant(0.0));
            }
            out.with_jets(|out, [noise, _]| {
                for octave in &self.list {
                    if out.has_gradients() {
                        octave.fill(1.0, 1.0, positions, noise);
                    } else {
                        octave.fill(1.0, 1.0, positions, noise.samples_mut());
                    }
                    add(strength, octave, out, slopes, noise);
                }
            });
        });
    }
}

/// Adds the term of an octave at every position.
fn add<const N: usize>(
    strength: f32,
    octave: &Octave<N>,
    out: &mut Samples<N>,
    slopes: &mut [Samples<N>],
    noise: &Jets<N>,
) {
    if N == 2 {
        return add_in_plane(strength, octave, out, slopes, noise);
    }
    let has_gradients = out.has_gradients();
    for i in 0..out.len() {
        let slope = arrays::from_fn(|k| slopes[k].get(i));
        let mut damping = Damping { strength, slope };
        let jet = match has_gradients {
            true => noise.get(i),
            false => Jet { sample: noise.samples().get(i), ..Jet::constant(0.0) },
        };
        let term = damping.next(octave, jet, jet.weighted(octave.slope));
        out.set(i, out.get(i) + term);
        slopes.iter_mut().zip(damping.slope).for_each(|(all, slope)| all.set(i, slope));
    }
}

/// Like `add` in two dimensions, by the SIMD kernel.
fn add_in_plane<const N: usize>(
    strength: f32,
    octave: &Octave<N>,
    out: &mut Samples<N>,
    slopes: &mut [Samples<N>],
    noise: &Jets<N>,
) {
    let Octave { share, slope, amplitude, .. } = *octave;
    let damping = kernel::DampingKernel { strength, share, slope, amplitude };
    let operand = operand(noise.samples(), out.has_gradients().then_some(noise));
    let level = out.tables.level;
    let [x, z] = slopes else { return };
    kernel::add_damped(damping, operand, level, sloped(out), [sloped(x), sloped(z)]);
}

fn sloped<const N: usize>(samples: &mut Samples<N>) -> kernel::SlopedSlices<'_> {
    let (value, [dx, dz, ..]) = (&mut samples.value, &mut samples.gradient[..]) else {
        return Default::default();
    };
    [value, dx, dz]
}

/// The bounds of damped terms, in order.
///
/// The absolute value of a term is at most that of its octave. With D_i the sum of the shares of
/// the second derivatives so far, which bounds s_i',
///
/// |(n_i / (1 + k |s_i|^2))'| <= |n_i'| + |n_i| 2 k |s_i| D_i / (1 + k |s_i|^2)^2
///   <= |n_i'| + |n_i| 0.65 sqrt(k) D_i,
///
/// since 2 x / (1 + x^2)^2 <= 3 sqrt(3) / 8. A bound on second derivatives would need third
/// derivatives of the noise.
pub(crate) struct DampedBounds {
    /// 0.65 sqrt(k).
    steepest: f64,
    /// D.
    turn: f64,
}

impl DampedBounds {
    pub fn new(strength: f32) -> Self {
        Self { steepest: 0.65 * f64::from(strength).sqrt(), turn: 0.0 }
    }

    /// The bounds of the next term, from those of its noise of amplitude 1.
    pub fn next(&mut self, noise: Bounds, amplitude: f32, share: f32) -> Bounds {
        self.turn += times(noise.curvature, share.into());
        let damped = Bounds {
            min: noise.min.min(0.0),
            max: noise.max.max(0.0),
            lipschitz: noise.lipschitz + times(noise.max_abs() * self.steepest, self.turn),
            curvature: f64::INFINITY,
        };
        damped.scaled(amplitude.into())
    }
}
