//! A periodic wave along an axis.

use crate::band::{SECOND, SLOPE, quintic};
use crate::derivative::bounds::{Bounds, times};
use crate::derivative::chain_rule::Differentiated;
use crate::derivative::sample::Sample;
use crate::error::DataError;
#[cfg(not(feature = "std"))]
use crate::float::Float as _;
use crate::fractal::octaves::resolved;
use crate::lattice::MAX_CELL;
use crate::limits::{Parameters, parameters};
use crate::node::compile::Builder;
use crate::node::interpolation_error::Interpolated;
use crate::node::local_bounds::rounded;
use crate::node::ops::constant::Constant;
use crate::node::ops::{Op, Operator};
use crate::node::smoothed::resolves;
use crate::samples::Buffer;
use crate::samples::positions::Positions;

parameters! {
    /// A wave along the last axis, the same along all others: 1 at 0 and at multiples of its
    /// length, -1 half way between them.
    ///
    /// With u the distance from the nearest multiple, in lengths, it is 1 - 2 s(2 u), where s(t) =
    /// 6 t^5 - 15 t^4 + 10 t^3. So second derivatives are continuous. Move and turn it with a
    /// [`Transform`](crate::Transform).
    ///
    /// Source: the fade of Ken Perlin, "Improving noise", SIGGRAPH 2002.
    #[derive(Copy)]
    pub struct Wave {}
    numbers {
        /// The distance from one crest to the next.
        length: f64 = 1e6 "units of length", 1e-3 to 1e9;
    }
}

/// Checks a wave and builds it.
pub(crate) fn build<const N: usize>(
    builder: &mut Builder<'_>,
    wave: &Wave,
) -> Result<Op<N>, DataError> {
    wave.check_numbers()?;
    builder.check_frequency(2.0 / wave.length)?;
    Ok(CompiledWave { wave: *wave, weight: 1.0 }.into())
}

/// A wave, prepared for evaluation.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CompiledWave {
    wave: Wave,
    /// That of its derivatives.
    weight: f32,
}

impl CompiledWave {
    /// Half waves per unit of length: they are its cells.
    fn frequency(&self) -> f64 {
        2.0 / self.wave.length
    }
}

impl<const N: usize> Operator<N> for CompiledWave {
    fn operands(&self) -> &[Op<N>] {
        &[]
    }

    fn at<T: Differentiated<N>>(&self, p: [f64; N]) -> T {
        let cells = p[N - 1] * self.frequency();
        if !p.iter().all(|x| x.is_finite()) || cells.is_nan() || cells.abs() >= MAX_CELL {
            return T::OUTSIDE;
        }
        // The distance to the nearest crest, in half waves.
        let from_crest = cells - 2.0 * (0.5 * cells).round();
        let [rise, slope, second] = quintic(from_crest.abs() as f32);
        let frequency = self.frequency() as f32;
        let along = if from_crest < 0.0 { frequency } else { -frequency };
        let mut gradient = [0.0; N];
        gradient[N - 1] = 2.0 * slope * along;
        let hessian = || {
            let mut hessian = [[0.0; N]; N];
            hessian[N - 1][N - 1] = -2.0 * second * frequency * frequency;
            hessian
        };
        let sample = Sample { value: 1.0 - 2.0 * rise, gradient };
        T::with_hessian(sample, hessian).weighted(self.weight)
    }

    fn evaluate<B: Buffer<N>>(&self, positions: Positions<N>, out: &mut B) {
        out.resize(positions.len());
        positions.visit(|i, p| out.set(i, self.at(p)));
    }

    fn bounds(&self) -> Bounds {
        let frequency = self.frequency();
        let (lipschitz, curvature) =
            (2.0 * SLOPE * frequency, 2.0 * SECOND * frequency * frequency);
        Bounds { min: -1.0, max: 1.0, lipschitz, curvature }
    }

    fn local_bounds(&self, p: [f64; N], radius: f64) -> Option<Bounds> {
        // Filtered slopes are smaller than those of the values.
        let here: Sample<N> = Self { weight: 1.0, ..*self }.at(p);
        if here.value.is_nan() {
            return None;
        }
        let whole = Operator::<N>::bounds(self);
        let slope = f64::from(here.gradient[N - 1].abs());
        let slope = whole.lipschitz.min(slope + times(whole.curvature, radius));
        let near = whole.near(here.value.into(), times(slope, radius));
        Some(rounded(Bounds { lipschitz: slope, ..near }, 2.0))
    }

    fn interpolated(&self, radius: f64) -> Interpolated {
        Interpolated::new(Operator::<N>::bounds(self), radius)
    }

    fn band_limited(&self, spacing: f64) -> Self {
        Self { weight: resolved(spacing * self.frequency()), ..*self }
    }

    /// Its mean is 0.
    fn smoothed(&self, wavelength: f64) -> Op<N> {
        match resolves(1.0 / self.wave.length, wavelength) {
            true => (*self).into(),
            false => Constant::new(0.0).into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::Node;
    use crate::node::{Transform, Wave};

    #[test]
    fn crests_are_at_multiples_of_the_length() {
        let wave = Node::<2>::Wave(Wave { length: 8.0 }).build().unwrap();
        for (z, value) in [(0.0, 1.0), (2.0, 0.0), (4.0, -1.0), (-2.0, 0.0), (8e9, 1.0)] {
            assert_eq!(wave.value([3.0, z]), value, "{z}");
        }
        assert!(wave.value([0.0, 1e30]).is_nan() && wave.value([f64::NAN, 0.0]).is_nan());
        let sample = wave.sample([0.0, 2.0]);
        // 2 s'(1/2) of a half wave of 4.
        assert!((sample.gradient[1] + 2.0 * 1.875 / 4.0).abs() < 1e-6, "{sample:?}");
        let moved = Node::<2>::Wave(Wave { length: 8.0 });
        let moved = moved.transform(Transform::Translate([0.0, 4.0])).build().unwrap();
        assert_eq!(moved.value([0.0, 0.0]), -1.0);
    }

    #[test]
    fn a_length_has_limits() {
        let error = Node::<2>::Wave(Wave { length: 0.0 }).build().unwrap_err();
        assert_eq!(error.path, "Wave.length");
    }
}
