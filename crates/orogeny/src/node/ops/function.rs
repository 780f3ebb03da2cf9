//! Functions of one variable, prepared for evaluation, and the simplest of them.

use crate::derivative::bounds::Bounds;
use crate::derivative::chain_rule::Dual;
use crate::derivative::elementary::Shaped;
use crate::derivative::sample::Sample;
use crate::node::interpolation_error::Interpolated;

/// A function m of one variable, prepared for evaluation.
pub(crate) trait Function {
    /// m(f), with its derivatives.
    fn apply<const N: usize, T: Dual<N>>(&self, field: T) -> T;

    /// The bounds of m(f) over the whole domain.
    fn bounds(&self, field: Bounds) -> Bounds;

    /// The exact bounds of m(f) over a part of the domain.
    fn local_bounds(&self, field: Bounds) -> Bounds {
        self.bounds(field)
    }

    /// The largest number in the sums and differences of its formula.
    fn largest_term(&self) -> f64 {
        0.0
    }

    /// Whether m is linear.
    fn is_straight(&self) -> bool {
        false
    }

    /// The interpolation error of m(f).
    fn interpolated(&self, field: Interpolated) -> Interpolated {
        let gap = if self.is_straight() { 0.0 } else { 0.5 };
        field.mapped(self.bounds(field.bounds), gap)
    }
}

/// Applies m to a field, given m, m' and m'' at a value.
#[inline]
pub(crate) fn remapped<const N: usize, T: Dual<N>>(field: T, m: impl Fn(f32) -> [f32; 3]) -> T {
    let x = field.value();
    let [value, slope, bend] = m(x);
    if x.is_nan() { T::OUTSIDE } else { field.map(value, slope, bend) }
}

/// The range of a monotonically increasing function.
pub(crate) fn range_of(function: &impl Function, field: Bounds) -> [f64; 2] {
    [field.min, field.max].map(|x| {
        let end = Sample::<0>::constant(x as f32);
        f64::from(function.apply(end).value)
    })
}

/// |f|.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Abs;

impl Function for Abs {
    #[inline]
    fn apply<const N: usize, T: Dual<N>>(&self, field: T) -> T {
        field.abs()
    }

    fn bounds(&self, field: Bounds) -> Bounds {
        field.abs()
    }

    fn interpolated(&self, field: Interpolated) -> Interpolated {
        field.abs()
    }
}

/// f^2.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Square;

impl Function for Square {
    #[inline]
    fn apply<const N: usize, T: Dual<N>>(&self, field: T) -> T {
        field.square()
    }

    fn bounds(&self, field: Bounds) -> Bounds {
        field.square()
    }

    fn interpolated(&self, field: Interpolated) -> Interpolated {
        field.square()
    }
}

/// A factor times f: the height of a recipe.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Times(pub f32);

impl Function for Times {
    #[inline]
    fn apply<const N: usize, T: Dual<N>>(&self, field: T) -> T {
        field.times(self.0)
    }

    fn bounds(&self, field: Bounds) -> Bounds {
        field.times(self.0)
    }

    fn is_straight(&self) -> bool {
        true
    }
}
