//! Functions of one variable, applied to the values of a field.

pub use crate::node::ops::clamp::Clamp;
pub use crate::node::ops::curve::Curve;
pub use crate::node::ops::normalize::Normalize;
pub use crate::node::ops::terraces::Terraces;

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::slice;

use crate::arrays::Each;
use crate::derivative::bounds::{Bounds, times};
use crate::derivative::chain_rule::Differentiated;
use crate::derivative::elementary::Shaped;
use crate::derivative::sample::Sample;
use crate::error::DataError;
use crate::limits::{Limit, Number, Parameters};
use crate::node::compile::{Builder, representable};
use crate::node::interpolation_error::Interpolated;
use crate::node::local_bounds::rounded;
use crate::node::ops::curve::Spline;
use crate::node::ops::normalize::Stretch;
use crate::node::ops::{Op, Operator};
use crate::node::{Node, numbers_of};
use crate::samples::Buffer;
use crate::samples::positions::Positions;

/// A function of one variable. The gradient of m(f) is m'(f) grad f, and its Hessian is m' H + m''
/// grad f (grad f)^T. Where m'' jumps, it is that of one side.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "describe", derive(strum::EnumMessage, strum::IntoStaticStr))]
pub enum Shape {
    /// The absolute value. It has a crease where the field is zero; the gradient is 0 there.
    Abs,
    /// The square. As smooth as the field.
    Square,
    /// Clamps values between two limits.
    Clamp(Clamp),
    /// Steps of flat ground and smooth cliffs.
    Terraces(Terraces),
    /// A smooth curve through given points.
    Curve(Curve),
    /// Maps the proven range linearly to a given range.
    Normalize(Normalize),
}

impl Shape {
    /// Validates it, and prepares it for a field with the given bounds.
    fn build(&self, field: &Bounds) -> Result<Remapping, DataError> {
        match self {
            Shape::Abs => Ok(Remapping::Abs(Abs)),
            Shape::Square => Ok(Remapping::Square(Square)),
            Shape::Clamp(clamp) => {
                clamp.check().map(|()| Remapping::Clamp(*clamp)).map_err(|e| e.under("Clamp"))
            }
            Shape::Terraces(terraces) => terraces
                .check_numbers()
                .map(|()| Remapping::Terraces(*terraces))
                .map_err(|e| DataError::from(e).under("Terraces")),
            Shape::Curve(curve) => {
                curve.build().map(Remapping::Curve).map_err(|e| e.under("Curve"))
            }
            Shape::Normalize(normalize) => {
                normalize.fit(field).map(Remapping::Stretch).map_err(|e| e.under("Normalize"))
            }
        }
    }

    /// Its numbers with their limits.
    pub(crate) fn numbers(&mut self) -> Vec<(&'static Limit, Number<'_>)> {
        match self {
            Shape::Abs | Shape::Square | Shape::Curve(_) => Vec::new(),
            Shape::Clamp(clamp) => numbers_of(clamp),
            Shape::Terraces(terraces) => numbers_of(terraces),
            Shape::Normalize(normalize) => numbers_of(normalize),
        }
    }
}

/// Declares [`Remapping`], which forwards each method to the function that it contains.
macro_rules! functions {
    ($($name:ident($function:ty),)*) => {
        /// Any function.
        #[derive(Clone, Debug)]
        enum Remapping {
            $($name($function),)*
        }

        impl Remapping {
            /// Remaps a whole buffer, with a loop for each function, which the compiler vectorises.
            fn apply_all<const N: usize, B: Buffer<N>>(&self, out: &mut B) {
                match self {
                    $(Remapping::$name(function) => out.update(|field| function.apply(field)),)*
                }
            }
        }

        impl Function for Remapping {
            #[inline]
            fn apply<const N: usize, T: Differentiated<N>>(&self, field: T) -> T {
                match self { $(Remapping::$name(function) => function.apply(field),)* }
            }

            fn bounds(&self, field: Bounds) -> Bounds {
                match self { $(Remapping::$name(function) => function.bounds(field),)* }
            }

            fn local_bounds(&self, field: Bounds) -> Bounds {
                match self { $(Remapping::$name(function) => function.local_bounds(field),)* }
            }

            fn largest_term(&self) -> f64 {
                match self { $(Remapping::$name(function) => function.largest_term(),)* }
            }

            fn is_straight(&self) -> bool {
                match self { $(Remapping::$name(function) => function.is_straight(),)* }
            }

            fn interpolated(&self, field: Interpolated) -> Interpolated {
                match self { $(Remapping::$name(function) => function.interpolated(field),)* }
            }
        }
    };
}
functions! {
    Abs(Abs),
    Square(Square),
    Times(Times),
    Clamp(Clamp),
    Terraces(Terraces),
    Curve(Spline),
    Stretch(Stretch),
}

/// A field with functions applied to it, one after another.
#[derive(Clone, Debug)]
pub(crate) struct Remap<const N: usize> {
    field: Box<Op<N>>,
    by: Vec<Remapping>,
}

impl<const N: usize> Remap<N> {
    pub fn build(
        builder: &mut Builder<'_>,
        field: &Node<N>,
        by: &[Shape],
    ) -> Result<Op<N>, DataError> {
        let field = builder.node(field).map_err(|e| e.under("Shape.field"))?;
        builder.count(by.len()).map_err(|e| e.under("Shape.by"))?;
        let (mut bounds, is_loose) = (field.bounds(), field.has_loose_bounds());
        let mut functions = Vec::new();
        for (i, shape) in by.iter().enumerate() {
            let here = |e: DataError| e.under(&format!("Shape.by[{i}]"));
            let function = shape.build(&bounds).map_err(here)?;
            bounds = representable(function.bounds(bounds), is_loose).map_err(here)?;
            functions.push(function);
        }
        Ok(Self { field: Box::new(field), by: functions }.into())
    }

    /// A factor times a field.
    pub fn times(field: Op<N>, factor: f32) -> Op<N> {
        Self { field: Box::new(field), by: vec![Remapping::Times(Times(factor))] }.into()
    }
}

impl<const N: usize> Operator<N> for Remap<N> {
    fn operands(&self) -> &[Op<N>] {
        slice::from_ref(&*self.field)
    }

    fn at<T: Differentiated<N>>(&self, p: [f64; N]) -> T {
        self.by.iter().fold(self.field.at(p), |field, function| function.apply(field))
    }

    fn evaluate<B: Buffer<N>>(&self, positions: Positions<N>, out: &mut B) {
        self.field.evaluate(positions, out);
        self.by.iter().for_each(|function| function.apply_all(out));
    }

    fn bounds(&self) -> Bounds {
        self.by.iter().fold(self.field.bounds(), |field, function| function.bounds(field))
    }

    fn local_bounds(&self, p: [f64; N], radius: f64) -> Option<Bounds> {
        let field = self.field.local_bounds(p, radius)?;
        Some(self.by.iter().fold(field, |field, function| {
            let bounds = function.local_bounds(field);
            // Rounding errors of f are multiplied by the slope of m.
            let slope = bounds.lipschitz / field.lipschitz;
            let slope = if slope.is_finite() { slope } else { 0.0 };
            let size = bounds.max_abs() + function.largest_term() + times(slope, field.max_abs());
            rounded(bounds, size)
        }))
    }

    fn interpolated(&self, radius: f64) -> Interpolated {
        let field = self.field.interpolated(radius);
        self.by.iter().fold(field, |field, function| function.interpolated(field))
    }

    fn band_limited(&self, spacing: f64) -> Self {
        Self { field: Box::new(self.field.band_limited(spacing)), by: self.by.clone() }
    }

    fn smoothed(&self, wavelength: f64) -> Op<N> {
        Self { field: Box::new(self.field.smoothed(wavelength)), by: self.by.clone() }.into()
    }
}

/// A function m of one variable, prepared for evaluation.
pub(crate) trait Function {
    /// m(f), with its derivatives.
    fn apply<const N: usize, T: Differentiated<N>>(&self, field: T) -> T;

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
pub(crate) fn remapped<const N: usize, T: Differentiated<N>>(
    field: T,
    m: impl Fn(f32) -> [f32; 3],
) -> T {
    let x = field.value();
    let [value, slope, second] = m(x);
    if x.is_nan() { T::OUTSIDE } else { field.map(value, slope, second) }
}

/// The range of a monotonically increasing function.
pub(crate) fn range_of(function: &impl Function, field: Bounds) -> [f64; 2] {
    [field.min, field.max].each(|x| {
        let end = Sample::<0>::constant(x as f32);
        f64::from(function.apply(end).value)
    })
}

/// |f|.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Abs;

impl Function for Abs {
    #[inline]
    fn apply<const N: usize, T: Differentiated<N>>(&self, field: T) -> T {
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
    fn apply<const N: usize, T: Differentiated<N>>(&self, field: T) -> T {
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
    fn apply<const N: usize, T: Differentiated<N>>(&self, field: T) -> T {
        field.times(self.0)
    }

    fn bounds(&self, field: Bounds) -> Bounds {
        field.times(self.0)
    }

    fn is_straight(&self) -> bool {
        true
    }
}
