//! Mapping the proven range of a field to a given one.

use crate::arrays::Each;
use crate::derivative::bounds::Bounds;
use crate::derivative::chain_rule::Differentiated;
use crate::error::DataError;
use crate::limits::{Parameters, parameters};
use crate::node::ops::remap::{Function, remapped};

parameters! {
    /// Maps the proven range of the field, see [`Bounds`](crate::Bounds), to `min` .. `max` by a
    /// factor and an offset.
    ///
    /// The proven range holds for all seeds and positions, so most fields stay well within the
    /// ends.
    #[derive(Copy)]
    pub struct Normalize {}
    numbers {
        /// The result at the lower end of the proven range.
        min: f32 = -1 "", -1e6 to 1e6;
        /// The result at the upper end of the proven range, more than `min`.
        max: f32 = 1 "", -1e6 to 1e6;
    }
}

impl Normalize {
    /// Computes the mapping for the proven range of a field.
    pub(crate) fn fit(&self, field: &Bounds) -> Result<Stretch, DataError> {
        self.check_numbers()?;
        if self.max <= self.min {
            let problem = format!("is {}, but must be more than `min`, {}", self.max, self.min);
            return Err(DataError::at("max", problem));
        }
        let (middle, width) = ((field.min + field.max) / 2.0, field.max - field.min);
        // Far from zero, f32 cannot resolve the values of a narrow range.
        if width.is_nan() || width <= 1e-4 * field.max_abs() {
            let problem = format!(
                "the field's range, {} to {}, is too narrow to be stretched: it must be at least \
                 1e-4 of its values",
                field.min, field.max
            );
            return Err(DataError::here(problem));
        }
        let (min, max) = (f64::from(self.min), f64::from(self.max));
        let factor = (max - min) / width;
        Ok(Stretch {
            from: middle as f32,
            factor: factor as f32,
            to: ((min + max) / 2.0) as f32,
            range: [min, max],
        })
    }
}

/// (f - from) factor + to, from the middle of one range to the middle of the other. That keeps
/// rounding errors small if the ranges are far from zero.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stretch {
    from: f32,
    factor: f32,
    to: f32,
    /// The range to which the proven range of the whole field is mapped.
    range: [f64; 2],
}

impl Function for Stretch {
    #[inline]
    fn apply<const N: usize, T: Differentiated<N>>(&self, field: T) -> T {
        let Self { from, factor, to, .. } = *self;
        remapped(field, |x| [(x - from) * factor + to, factor, 0.0])
    }

    fn bounds(&self, field: Bounds) -> Bounds {
        field.mapped(self.range, self.factor.into(), 0.0)
    }

    /// A part of the domain may not reach the ends.
    fn local_bounds(&self, field: Bounds) -> Bounds {
        let [from, factor, to] = [self.from, self.factor, self.to].each(f64::from);
        let at = |x: f64| ((x - from) * factor + to).clamp(self.range[0], self.range[1]);
        field.mapped([at(field.min), at(field.max)], factor, 0.0)
    }

    fn largest_term(&self) -> f64 {
        f64::from(self.from.abs() * self.factor + self.to.abs())
    }

    fn is_straight(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::derivative::sample::Sample;

    #[test]
    fn normalisation_needs_a_range() {
        let build = |normalize: Normalize, bounds| normalize.fit(&bounds);
        let range = Bounds { min: -3.0, max: 1.0, ..Bounds::constant(0.0) };
        let op = build(Normalize { min: 0.0, max: 1.0 }, range).unwrap();
        assert_eq!(
            [-3.0, -1.0, 1.0].map(|x| op.apply(Sample::<1>::constant(x)).value),
            [0.0, 0.5, 1.0]
        );
        assert!(build(Normalize::default(), Bounds::constant(1.0)).is_err());
        assert!(build(Normalize::default(), Bounds::UNKNOWN).is_err());
        assert!(build(Normalize { min: 1.0, max: 1.0 }, range).is_err());
    }
}
