//! Bounds near a point: the composition of [`Bounds`], over a ball in place of the whole domain.
//!
//! With s the sample of one octave in the middle of a ball of radius r, and L, C and the interval
//! those of the octave everywhere,
//!
//! - |grad n| <= min(L, |grad s| + C r) =: L',
//! - |n - s| <= min(L' r, |grad s| r + C r^2 / 2), cut with the interval,
//!
//! by Taylor's formula along the line from the middle. The sums of the first i octaves of an fBm
//! are fields as well, so the same holds of each of them: slopes that cancel in the middle do not
//! count. Everything else composes by the rules of the bounds everywhere.

use core::array;

use crate::derivative::bounds::{Bounds, times, warp_bounds};
use crate::derivative::sample::Sample;
use crate::fractal::damped::DampedBounds;
use crate::fractal::fractal_kind::{Damped, FractalKind};
use crate::fractal::octave::Octave;
use crate::fractal::octaves::Octaves;
use crate::kernel::OctaveTerms;
use crate::lattice::mapping::LatticeMapping;
use crate::node::ops::combine::lerp_bounds;
use crate::node::tree::Op;

/// What `f32` may lose of an octave: an error of the value of this times (max |n| + L), and of the
/// gradient of this times (max |n| + L + C) f, with the noise's bounds at frequency 1. It covers
/// both the sample in the middle and another one elsewhere, each with half of it: 5e-7, where the
/// tests find up to 4e-7.
const ROUNDING: f64 = 1e-6;

/// Coordinates below it, in cells, are within the domain of every noise.
const SURELY_INSIDE: f64 = (1u64 << 50) as f64;

/// An octave, or the sum of some, in the middle of a ball.
#[derive(Clone, Copy)]
struct Middle<const N: usize> {
    value: f64,
    gradient: [f64; N],
    value_error: f64,
    slope_error: f64,
}

impl<const N: usize> Middle<N> {
    fn scaled(self, factor: f64) -> Self {
        Self {
            value: self.value * factor,
            gradient: self.gradient.map(|g| g * factor),
            value_error: self.value_error * factor.abs(),
            slope_error: self.slope_error * factor.abs(),
        }
    }

    fn plus(self, other: Self) -> Self {
        Self {
            value: self.value + other.value,
            gradient: array::from_fn(|k| self.gradient[k] + other.gradient[k]),
            value_error: self.value_error + other.value_error,
            slope_error: self.slope_error + other.slope_error,
        }
    }

    /// What the bounds of a whole field become within `radius` of its middle.
    fn tightened(&self, whole: Bounds, radius: f64) -> Bounds {
        let slope = self.gradient.iter().map(|g| g * g).sum::<f64>().sqrt() + self.slope_error;
        let turn = times(whole.curvature, radius);
        let lipschitz = whole.lipschitz.min(slope + turn);
        let reach = self.value_error + times(lipschitz.min(slope + turn / 2.0), radius);
        Bounds {
            min: whole.min.max(self.value - reach),
            max: whole.max.min(self.value + reach),
            lipschitz,
            ..whole
        }
    }
}

impl<const N: usize> Octave<N> {
    /// The noise in the middle of a ball, unless its bounds are too wide for the ball to gain from
    /// that, and its bounds there. Nothing outside the domain.
    fn near(&self, p: [f64; N], radius: f64) -> Option<(Option<Middle<N>>, Bounds)> {
        let (whole, frequency) = (self.bounds, self.mapping.frequency);
        let turn = times(whole.curvature, radius);
        let reach = times(whole.lipschitz.min(turn / 2.0), radius);
        let gains = turn < whole.lipschitz || reach < whole.max - whole.min;
        if !gains && p.iter().all(|x| (x * frequency).abs() < SURELY_INSIDE) {
            return Some((None, whole));
        }
        let Sample { value, gradient } = self.noise_at::<Sample<N>>(1.0, p);
        if value.is_nan() {
            return None;
        }
        let middle = Middle {
            value: value.into(),
            gradient: gradient.map(f64::from),
            value_error: ROUNDING * (whole.max_abs() + whole.lipschitz / frequency),
            slope_error: ROUNDING
                * (whole.max_abs() * frequency + whole.lipschitz + whole.curvature / frequency),
        };
        Some((Some(middle), middle.tightened(whole, radius)))
    }
}

impl<const N: usize> Octaves<N> {
    /// The damped sum in the middle of a ball: from there it departs by its Lipschitz constant, for
    /// the range of its terms tells nothing of how far they are damped.
    fn damped_middle(&self, strength: f32, p: [f64; N]) -> Middle<N> {
        let Sample { value, gradient } = self.damped::<Sample<N>>(strength, p);
        // Divisors are as wrong as the slopes in them.
        let steepest = 0.65 * f64::from(strength).sqrt();
        let (mut value_error, mut turned) = (0.0, 0.0);
        for Octave {
            bounds, mapping: LatticeMapping { frequency, .. }, amplitude, share, ..
        } in &self.list
        {
            let size = bounds.max_abs() + bounds.lipschitz / frequency;
            turned += f64::from(*share) * (frequency * size + bounds.curvature / frequency);
            let error = size + bounds.max_abs() * steepest * turned;
            value_error += 2.0 * ROUNDING * f64::from(amplitude.abs()) * error;
        }
        // Nothing is known of second derivatives, so that the slope here tells nothing of that
        // elsewhere.
        let slope_error = f64::INFINITY;
        Middle { value: value.into(), gradient: gradient.map(f64::from), value_error, slope_error }
    }

    /// The bounds in a ball; nothing where its middle is outside the domain.
    fn near(&self, p: [f64; N], radius: f64) -> Option<Bounds> {
        // Turned positions are rounded.
        let turns = self.list.iter().filter_map(|octave| octave.rotation.as_ref());
        let radius = turns.fold(radius, |most, turn| most.max(turn.reach(p, radius)));
        if let FractalKind::Damped(Damped { strength }) = self.kind {
            let mut damped = DampedBounds::new(strength);
            let mut whole = Bounds::constant(0.0);
            for octave in &self.list {
                let (_, near) = octave.near(p, radius)?;
                whole = whole + damped.next(near, octave.amplitude, octave.share);
            }
            return Some(self.damped_middle(strength, p).tightened(whole, radius));
        }
        let mut terms = OctaveTerms::new(self.kind.term());
        let mut sum: Option<(Option<Middle<N>>, Bounds)> = None;
        for octave in &self.list {
            let (middle, bounds) = octave.near(p, radius)?;
            let middle = middle
                .filter(|_| matches!(self.kind, FractalKind::Fbm))
                .map(|middle| middle.scaled(octave.amplitude.into()));
            let term = terms.next(bounds, octave.amplitude);
            sum = Some(match sum {
                None => (middle, term),
                Some((before, bounds)) => {
                    let middle = before.zip(middle).map(|(a, b)| a.plus(b));
                    let bounds = bounds + term;
                    (middle, middle.map_or(bounds, |middle| middle.tightened(bounds, radius)))
                }
            });
        }
        sum.map(|(_, bounds)| bounds)
    }
}

impl<const N: usize> Op<N> {
    /// The bounds in a ball; nothing where its middle is outside the domain.
    pub fn near(&self, p: [f64; N], radius: f64) -> Option<Bounds> {
        match self {
            Op::Constant(value) => {
                p.iter().all(|x| x.is_finite()).then(|| Bounds::constant((*value).into()))
            }
            Op::Octaves(octaves) => octaves.near(p, radius),
            Op::Join(join, of) => {
                let mut all = of.iter().map(|op| op.near(p, radius));
                let first = all.next()??;
                all.try_fold(first, |so_far, next| Some(join.bounds_of_part(so_far, next?)))
            }
            Op::Lerp(of) => {
                let [from, to, mask] = array::from_fn(|i| of[i].near(p, radius));
                Some(lerp_bounds(from?, to?, mask?))
            }
            Op::Shape(field, by) => {
                let field = field.near(p, radius)?;
                Some(by.iter().fold(field, |field, shape| shape.bounds_of_part(field)))
            }
            Op::Domain(field, map) => {
                let field = field.near(map.apply(p), map.reach(p, radius))?;
                Some(field.stretched(map.norm()))
            }
            Op::Erode(eroded) => eroded.near(p, radius),
            Op::Warp(field, by) => {
                let mut moves = [Bounds::UNKNOWN; N];
                for (bounds, op) in moves.iter_mut().zip(by) {
                    *bounds = op.near(p, radius)?;
                }
                // The moved ball lies within that about the middle of all moves.
                let middle = array::from_fn(|k| p[k] + 0.5 * (moves[k].min + moves[k].max));
                let halves = moves.map(|b| 0.5 * (b.max - b.min));
                let spread = halves.iter().map(|x| x * x).sum::<f64>().sqrt();
                Some(warp_bounds(field.near(middle, radius + spread)?, &moves))
            }
        }
    }
}
