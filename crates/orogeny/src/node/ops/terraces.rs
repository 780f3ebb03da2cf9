//! Terraces: steps of flat ground and cliffs.

use crate::arrays::Each;
use crate::derivative::bounds::Bounds;
use crate::derivative::chain_rule::Differentiated;
#[cfg(not(feature = "std"))]
use crate::float::Float as _;
use crate::lattice::fade::Fade;
use crate::limits::parameters;
use crate::node::ops::remap::{Function, range_of, remapped};

parameters! {
    /// Steps of flat ground and smooth cliffs.
    ///
    /// m(x) = (1 - strength) x + strength T(x), where T is a staircase. In the step that begins at
    /// n step, T stays at n step and then rises to (n + 1) step over the last fraction `cliff` of
    /// the step, by the quintic fade: T(x) = step (n + u(q)), q = max(0, 1 - (n + 1 - x / step) /
    /// cliff). m is twice continuously differentiable and never decreases.
    #[derive(Copy)]
    pub struct Terraces {}
    numbers {
        /// The height of a step.
        step: f32 = 0.1 "", 1e-6 to 1e6;
        /// The fraction of each step that is cliff: 1 is a gentle wave, small fractions are steep
        /// walls.
        cliff: f32 = 0.4 "", 0.01 to 1;
        /// The blend with the staircase: 0 leaves the field unchanged.
        strength: f32 = 1 "", 0 to 1;
    }
}

impl Terraces {
    /// m(x), m'(x) and m''(x).
    #[inline]
    fn at(&self, x: f32) -> [f32; 3] {
        let steps = x / self.step;
        let floor = steps.floor();
        let q = (1.0 - (1.0 - (steps - floor)) / self.cliff).max(0.0);
        let rise = Fade::Quintic.weights(q);
        let (stairs, slope) = (self.step * (floor + rise.w1), rise.slope / self.cliff);
        let second = Fade::Quintic.second(q) / (self.cliff * self.cliff * self.step);
        let (value, slope) =
            (x + self.strength * (stairs - x), 1.0 + self.strength * (slope - 1.0));
        [value, slope, self.strength * second]
    }

    /// The maximum |m'| and |m''| over a range of x. u' is at most 15/8; it increases up to the
    /// middle of the cliff and decreases from there. |u''| is at most 10 / sqrt 3. On flat parts
    /// both are 0.
    fn steepest(&self, range: [f64; 2]) -> (f64, f64) {
        let [step, cliff, strength] = [self.step, self.cliff, self.strength].each(f64::from);
        let floor = (range[0] / step).floor();
        let [first, last] = range.each(|x| 1.0 - (floor + 1.0 - x / step) / cliff);
        let (rise, second) = if last < 0.0 {
            (0.0, 0.0)
        } else if last <= 1.0 {
            let steepest = 0.5f64.clamp(first.max(0.0), last);
            let bump = steepest * (1.0 - steepest);
            (30.0 * (bump * bump), 10.0 / 3f64.sqrt())
        } else {
            (1.875, 10.0 / 3f64.sqrt())
        };
        (1.0 - strength + strength * rise / cliff, strength * second / (cliff * cliff * step))
    }
}

impl Function for Terraces {
    #[inline]
    fn apply<const N: usize, T: Differentiated<N>>(&self, field: T) -> T {
        remapped(field, |x| self.at(x))
    }

    fn bounds(&self, field: Bounds) -> Bounds {
        let (slope, second) = self.steepest([field.min, field.max]);
        field.mapped(range_of(self, field), slope, second)
    }

    fn largest_term(&self) -> f64 {
        self.step.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slopes_are_those_of_the_stairs() {
        for (cliff, strength) in [(1.0, 1.0), (0.2, 1.0), (0.5, 0.3), (0.3, 0.0)] {
            let terraces = Terraces { step: 0.5, cliff, strength };
            let (steepest, sharpest) = terraces.steepest([-2.0, 2.0]);
            let mut found = 0f32;
            for i in -4000..4000 {
                let x = i as f32 / 2000.0;
                let h = 1.0 / 4096.0;
                let ([a, ..], [_, slope, second], [b, ..]) =
                    (terraces.at(x - h), terraces.at(x), terraces.at(x + h));
                let error = f64::from(((b - a) / (2.0 * h) - slope).abs());
                assert!(error < 1e-3 + f64::from(h) * sharpest, "{x}: {error}");
                assert!(slope >= -1e-6 && f64::from(slope) <= steepest + 1e-6);
                let quotient = (terraces.at(x + h)[1] - terraces.at(x - h)[1]) / (2.0 * h);
                let error = f64::from((quotient - second).abs());
                assert!(error < 2e-3 + 0.02 * sharpest, "{x}: {error}");
                found = found.max(slope);
            }
            assert!(
                f64::from(found) > 0.99 * steepest.max(1.0 - f64::from(strength))
                    || strength == 0.0
            );
        }
        let flat = Terraces { step: 0.5, cliff: 0.4, strength: 1.0 };
        assert_eq!((flat.at(1.1), flat.at(-0.45)), ([1.0, 0.0, 0.0], [-0.5, 0.0, 0.0]));
        assert_eq!(flat.steepest([1.0, 1.29]), (0.0, 0.0));
        // From flat ground to the foot of the cliff, half way up, and across a whole cliff.
        assert_eq!([1.4, 1.6].map(|end| flat.steepest([1.0, end]).0), [1.875 / 0.4f32 as f64; 2]);
        let foot = flat.steepest([1.0, 1.35]).0;
        assert!((foot - f64::from(flat.at(1.35)[1])).abs() < 1e-4 && foot > 2.0, "{foot}");
    }
}
