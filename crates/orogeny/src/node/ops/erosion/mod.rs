//! The erosion filter: gullies that run down the slopes of a field.
//!
//! [`Erosion`] describes it and has the formulas, `bounds` proves its range and slope, and `eroded`
//! is the operator. The arithmetic is in `kernel`.

mod eroded;

pub(crate) use eroded::Eroded;

use core::f64::consts::{PI, SQRT_2, TAU};

use crate::derivative::bounds::{Bounds, times};
use crate::derivative::elementary::power;
use crate::error::DataError;
#[cfg(not(feature = "std"))]
use crate::float::Float as _;
use crate::fractal::octaves::resolved;
use crate::kernel::{self, EROSION_JITTER};
use crate::lattice::hash::{Key, derive};
use crate::limits::{Parameters, parameters};
use crate::node::smoothed::resolves;

/// The smallest height other than 0.
pub(crate) const MIN_HEIGHT: f32 = 1e-3;

parameters! {
    /// An erosion filter with its exact gradient, in two dimensions: gullies that branch down the
    /// slopes of a field. It is evaluated point by point, without simulation, neighbour lookups or
    /// seams.
    ///
    /// Lengths are in units of the domain, metres for terrain. With h(p) the field times `height`,
    /// the result is (h + sum of a_i g_i) / `height`. Octave i has the width w_i = `scale` / 2^i
    /// and the amplitude a_i = w_0 `strength` `gain`^i / 4. On the crests and floors of an octave,
    /// the next one fades out:
    ///
    /// g_i = g_(i-1) + M_i (m_i - g_(i-1)),  M_(i+1) = M_i (1 - X_i^4),
    ///
    /// Where the field is flat, all of them fade to
    /// g_(-1) = (h - `middle`) / sqrt((h - `middle`)^2 + `relief`^2): M_0 = |s|^2 / (|s|^2 +
    /// `threshold`^2), s = grad h. So peaks have the height of ridges, and valleys that of gully
    /// floors.
    ///
    /// m_i is the profile of stripes along the slope. Let d = s / sqrt(|s|^2 + `threshold`^2),
    /// which vanishes where the direction is singular, and e = (-d_z, d_x) across it. On a square
    /// lattice of cells w_i wide, rotated by 0.2 + 0.8236 i radians, let c be the jittered pivots
    /// of the cell's four corners and W_c their weights by the quintic fade. Then
    ///
    /// Z = sum of W_c exp(2 pi i (p - c) . e / w_i), X + i Y = Z |Z| / sqrt(|Z|^4 + 0.3^4), m
    /// = -k(-k(X)),
    ///
    /// where k_b(x) = 1 - (sqrt(u + b^2) - b) / (sqrt(1 + b^2) - b) 2 with u = (1 - x) / 2 sharpens
    /// crests: first those of ridges, then, upside down, those of floors. With their sharpness s,
    /// b = 0.03 + (1 - s) / max(s, 1/4).
    ///
    /// Each octave steers the next: `branching` times its slope, simplified to that of a plain
    /// cosine, is added, s_(i+1) = s_i - `branching` a_i M_i (2 pi / w_i) Y_i e_i. So finer gullies
    /// run down the sides of coarser ones. The value depends on the value and gradient of the
    /// field; the gradient also depends on its second derivatives, by the chain rule through all
    /// octaves.
    ///
    /// * Range: that of the field, plus and minus the sum of a_i / `height`.
    /// * Smoothness: once continuously differentiable where the field is twice. Normals have a
    ///   crease along smooth clamps and minima, points of curves, and cell borders of fades that
    ///   are only once differentiable. Fields with creases are refused, as they would tear; so are
    ///   eroded and damped ones. Features of the field finer than `scale` break up gullies.
    /// * Slopes: the Lipschitz constant is proven but far too large for rays, which sample slopes
    ///   instead, see [`Field::has_loose_bounds`](crate::Field::has_loose_bounds).
    /// * Limits: the field's value, slope and second derivative times `height` are limited, see
    ///   [`limits::ERODED_VALUE`](crate::limits::ERODED_VALUE).
    /// * Second derivatives, of [`Field::jet`](crate::Field::jet): central differences of the
    ///   gradient over a 128th of the width of the finest gullies to either side. Their error is
    ///   0.1 % in the median and 8 % at the 99th percentile.
    /// * Band limit: octaves of gullies are filtered as noise with cells w_i wide. Crests narrower
    ///   than the grid's spacing get the slopes of wider ones.
    ///
    /// Stripes along the slope between jittered pivots, with octaves that steer each other, come
    /// from Clay John ("Eroded Terrain Noise", 2018), Felix Westin ("Terrain Erosion Noise", 2023)
    /// and Rune Skovbo Johansen ("Phacelle noise", 2025), who also fades coarse octaves into fine
    /// ones. Their filters return approximate slopes. This construction differs, so that its
    /// gradient is exact.
    #[derive(Copy)]
    pub struct Erosion {
        /// The seed of the gullies. Different seeds give unrelated gullies.
        seed: u64 = 0,
    }
    numbers {
        /// How steep the sides of gullies are. The widest are this times half their width deep.
        strength: f32 = 0.35 "", 0 to 2;
        /// The width of the widest gullies.
        scale: f64 = 350 "units of length", 1e-3 to 1e6;
        /// The number of octaves of gullies. Each is half as wide as the one before. A fraction
        /// scales the last one.
        octaves: f64 = 5 "", 1 to 10;
        /// The ratio of depths from one octave to the next.
        gain: f32 = 0.5 "", 0 to 1;
        /// How sharp the ridges between gullies are: 0 is round, 1 an edge.
        ridge_sharpness: f32 = 0.9 "", 0 to 1;
        /// How sharp the floors of gullies are: 0 is round, 1 an edge.
        valley_sharpness: f32 = 0.5 "", 0 to 1;
        /// Slopes well below this have no gullies.
        threshold: f32 = 0.2 "", 0.01 to 10;
        /// How strongly gullies deflect finer ones: 0 makes them parallel, 2 makes them curl.
        branching: f32 = 1 "", 0 to 2;
        /// The height that separates peaks from valleys. Flat ground above it keeps the height of
        /// ridges, flat ground below it that of gully floors.
        middle: f32 = 0 "units of length", -1e6 to 1e6;
        /// How far peaks and valleys are above and below `middle`. Large values treat both alike.
        relief: f32 = 200 "units of length", 1e-3 to 1e6;
        /// Units of length per unit of the field's value, for measuring slopes. 0 means the height
        /// of the recipe, or 1 without a recipe. Other numbers, at least 0.001, are for fields that
        /// are scaled after erosion.
        height: f32 = 0 "units of length", 0 to 1e5;
    }
}

impl Erosion {
    /// The defaults with another seed.
    pub fn seeded(seed: u64) -> Self {
        Self { seed, ..Self::default() }
    }

    /// The height, given that of the recipe.
    pub(crate) fn height_in(&self, around: f32) -> Result<f32, DataError> {
        match self.height {
            0.0 => Ok(around),
            small if small < MIN_HEIGHT => {
                let problem = format!("is {small}, but must be 0 or at least {MIN_HEIGHT}");
                Err(DataError::at("height", problem))
            }
            height => Ok(height),
        }
    }

    pub(crate) fn check(&self) -> Result<(), DataError> {
        Ok(self.check_numbers()?)
    }

    /// Amplitudes, in units of length, and widths of the octaves.
    fn series(&self) -> impl Iterator<Item = (f64, f64)> {
        let Self { octaves, scale, .. } = *self;
        let first = f64::from(self.strength) * scale / 4.0;
        let gain = f64::from(self.gain);
        (0..octaves.ceil() as u32).map(move |i| {
            let part = (octaves - f64::from(i)).min(1.0);
            (first * power(gain, i) * part, scale * power(0.5, i))
        })
    }

    /// The width of the finest gullies.
    pub(crate) fn finest(&self) -> f64 {
        self.series().last().map_or(self.scale, |(_, width)| width)
    }

    /// The same with the first octaves only, those that are no finer than a wavelength; `None` if
    /// none is.
    pub(crate) fn smoothed(&self, wavelength: f64) -> Option<Self> {
        let is_left = |(_, width): &(f64, f64)| resolves(1.0 / width, wavelength);
        let left = self.series().take_while(is_left).count() as f64;
        (left > 0.0).then(|| Self { octaves: self.octaves.min(left), ..*self })
    }

    /// The step of difference quotients for second derivatives.
    pub(crate) fn step(&self) -> f64 {
        self.finest() / 128.0
    }

    /// Prepares the filter for evaluation. `seed` replaces its own. With `spacing`, gradients are
    /// low-pass filtered for a grid of that spacing.
    pub(crate) fn build(&self, seed: u64, spacing: f64) -> kernel::ErosionKernel {
        let octaves = self.series().zip(0u64..).map(|((amplitude, width), i)| {
            let own = derive(seed, i);
            let stream = |k| (derive(own, k) >> 11) as f64 / (1u64 << 53) as f64;
            let (sin, cos) = libm::sincos(0.2 + 0.8236 * i as f64);
            // A crest is rounded over b / pi of the width to either side: over no less than the
            // spacing.
            let min_width = (PI * spacing / width).min(1e3) as f32;
            kernel::ErosionOctave {
                frequency: 1.0 / width,
                turn: [cos, sin],
                offset: [stream(2), stream(3)],
                keys: [Key::new(derive(own, 0)), Key::new(derive(own, 1))],
                amplitude: amplitude as f32,
                steer: (f64::from(self.branching) * amplitude * TAU / width) as f32,
                resolved: resolved(spacing / width),
                ridge: kernel::Crest::new(self.ridge_width() as f32, min_width),
                valley: kernel::Crest::new(self.valley_width() as f32, min_width),
            }
        });
        kernel::ErosionKernel {
            octaves: octaves.collect(),
            threshold: self.threshold * self.threshold,
            middle: self.middle,
            relief: self.relief * self.relief,
            height: self.height,
        }
    }

    /// b of ridges.
    fn ridge_width(&self) -> f64 {
        width(self.ridge_sharpness)
    }

    /// b of gully floors.
    fn valley_width(&self) -> f64 {
        width(self.valley_sharpness)
    }
}

/// The width b over which a crest is rounded.
fn width(sharpness: f32) -> f64 {
    let round = f64::from(1.0 - sharpness);
    0.03 + round / (1.0 - round).max(0.25)
}

/// The maximum distance of a pivot, in cells.
const REACH: f64 = (1.0 + EROSION_JITTER as f64 / 2.0) * SQRT_2;

// All g_i are means of numbers from -1 to 1, which bounds the values. For the slope let D bound
// the derivative of the steering slope s, at first the second derivatives of the field h, and f =
// 1 / w. Along any direction,
//
// * |d'| <= D / threshold, since s / sqrt(|s|^2 + t^2) stretches nothing by more than 1 / t;
// * the phase changes by at most 2 pi y', y' = f + R D / threshold, where R = 1.35 sqrt 2 is the
//   maximum distance of a pivot from a point of its cell, in cells;
// * |Z'| <= 2 pi y' + f sum of |W_c'| <= 2 pi y' + f 15/4 sqrt 2 =: z, as u' <= 15/8;
// * |X'|, |Y'| <= 3.4 z: the slope of r^2 / sqrt(r^4 + b^4) is at most 1.018 / b, and its quotient
//   by r is at most 1 / (b sqrt 2), b = 0.3;
// * |m'| <= k'(1) of ridges times k'(1) of floors times 3.4 z, k'(1) = (sqrt(1 + b^2) + b) / (2
//   b);
// * |M_0'| <= 0.65 D / threshold, |M_(i+1)'| <= |M_i'| + 4 . 3.4 z;
// * |g_i'| <= max(|g_(i-1)'|, |m'|) + 2 |M'|, and |g_(-1)'| <= L_h / relief;
// * D grows by branching a 2 pi f (|M'| + 3.4 z + D / threshold).
//
// So the bound grows about a hundredfold with each octave, while the slopes found by sampling
// hardly grow. The bound must allow for the singular points of stripes, although they are rare and
// faded out, which these inequalities do not use.
impl Erosion {
    /// The maximum difference between the result and the field.
    pub(crate) fn depth(&self) -> f64 {
        self.series().map(|(amplitude, _)| amplitude).sum::<f64>() / f64::from(self.height)
    }

    /// The bounds of the eroded field, given those of the field. Second derivatives are unbounded.
    pub(crate) fn bounds(&self, field: Bounds) -> Bounds {
        let depth = self.depth();
        Bounds {
            min: field.min - depth,
            max: field.max + depth,
            lipschitz: field.lipschitz + self.steepest(field) / f64::from(self.height),
            curvature: if depth == 0.0 { field.curvature } else { f64::INFINITY },
        }
    }

    /// A bound on the slope of the sum of all gullies.
    fn steepest(&self, field: Bounds) -> f64 {
        let height = f64::from(self.height);
        let threshold = f64::from(self.threshold);
        let crest = |b: f64| ((1.0 + b * b).sqrt() + b) / (2.0 * b);
        let profile = crest(self.ridge_width()) * crest(self.valley_width());
        let mut change = times(field.curvature, height);
        let mut mask = 0.65 * change / threshold;
        let mut target = times(field.lipschitz, height) / f64::from(self.relief);
        let mut sum = 0.0;
        for (amplitude, width) in self.series() {
            let phase = 1.0 / width + REACH * change / threshold;
            let stripes = 3.4 * (TAU * phase + 3.75 * SQRT_2 / width);
            target = target.max(profile * stripes) + 2.0 * mask;
            sum += times(amplitude, target);
            let steer = f64::from(self.branching) * amplitude * 2.0 * PI / width;
            change += times(steer, mask + stripes + change / threshold);
            mask += 4.0 * stripes;
        }
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sharpness_means_the_same_for_ridges_and_valleys() {
        let mut last = f64::INFINITY;
        for sharpness in [0.0, 0.25, 0.5, 0.75, 1.0] {
            let both = Erosion {
                ridge_sharpness: sharpness,
                valley_sharpness: sharpness,
                ..Erosion::default()
            };
            assert_eq!(both.ridge_width(), both.valley_width());
            assert!(both.ridge_width() < last, "{sharpness} must be sharper");
            last = both.ridge_width();
        }
    }
}
