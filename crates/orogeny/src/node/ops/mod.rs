//! The operators of a tree, one file each: [`Operator`] lists what a file must provide.
//!
//! To add an operator: write its file, with the compiled form, its `build` and its [`Operator`];
//! add a line to `operators!` below and a variant to [`Node`](crate::Node). The compiler then asks
//! for the new node's children, numbers and builder. Functions of one variable, such as
//! [`clamp`], are smaller: they implement [`remap::Function`].
//!
//! Operators see their operands as [`Op`]s and do not depend on the tree around them. They use
//! `derivative`, `samples`, `fractal` and `kernel`. Start with [`lerp`].

pub(crate) mod blend;
pub(crate) mod clamp;
pub(crate) mod combine;
pub(crate) mod constant;
pub(crate) mod curve;
pub(crate) mod erosion;
pub(crate) mod lerp;
pub(crate) mod normalize;
pub(crate) mod octaves;
pub(crate) mod remap;
pub(crate) mod terraces;
pub(crate) mod transform;
pub(crate) mod warp;
pub(crate) mod wave;

use alloc::vec::Vec;
use core::fmt::Debug;

use crate::derivative::bounds::Bounds;
use crate::derivative::chain_rule::Differentiated;
use crate::fractal::octaves::Octaves;
use crate::node::interpolation_error::Interpolated;
use crate::node::ops::blend::Blend;
use crate::node::ops::combine::Combine;
use crate::node::ops::constant::Constant;
use crate::node::ops::erosion::Eroded;
use crate::node::ops::lerp::Lerp;
use crate::node::ops::remap::Remap;
use crate::node::ops::transform::Transformed;
use crate::node::ops::warp::Warp;
use crate::node::ops::wave::CompiledWave;
use crate::samples::Buffer;
use crate::samples::positions::Positions;

/// An operator, validated and prepared for evaluation.
pub(crate) trait Operator<const N: usize>: Clone + Debug {
    /// The fields that it operates on.
    fn operands(&self) -> &[Op<N>];

    /// The sample or the jet at a point: NaN outside the domain.
    fn at<T: Differentiated<N>>(&self, p: [f64; N]) -> T;

    /// The samples or jets at many positions, bit-identical to [`at`](Self::at).
    fn evaluate<B: Buffer<N>>(&self, positions: Positions<N>, out: &mut B);

    /// Proven bounds over the whole domain.
    fn bounds(&self) -> Bounds;

    /// Proven bounds within `radius` of a point, for samples as rounded to `f32`. `None` if the
    /// point is outside the domain. See [`local_bounds`](crate::node::local_bounds).
    fn local_bounds(&self, p: [f64; N], radius: f64) -> Option<Bounds>;

    /// The distance of the field from its linear interpolation over simplices of a radius. See
    /// [`interpolation_error`](crate::node::interpolation_error).
    fn interpolated(&self, radius: f64) -> Interpolated;

    /// The same values, with gradients low-pass filtered for a grid of `spacing`.
    fn band_limited(&self, spacing: f64) -> Self;

    /// The field without octaves below a wavelength, see [`smoothed`](crate::node::smoothed).
    fn smoothed(&self, wavelength: f64) -> Op<N>;

    /// Whether second derivatives are exact, rather than differences of gradients.
    fn has_hessian(&self) -> bool {
        self.operands().iter().all(Op::has_hessian)
    }

    /// Whether the Lipschitz constant is far above all slopes found by sampling: an estimate, see
    /// [`Field::has_loose_bounds`](crate::Field::has_loose_bounds).
    fn has_loose_bounds(&self) -> bool {
        self.operands().iter().any(Op::has_loose_bounds)
    }
}

/// Declares [`Op`], which forwards each method to the operator that it contains.
macro_rules! operators {
    ($($name:ident($operator:ty),)*) => {
        /// Any operator: a node of a compiled tree.
        #[derive(Clone, Debug)]
        pub(crate) enum Op<const N: usize> {
            $($name($operator),)*
        }

        $(
            impl<const N: usize> From<$operator> for Op<N> {
                fn from(operator: $operator) -> Self {
                    Op::$name(operator)
                }
            }
        )*

        impl<const N: usize> Operator<N> for Op<N> {
            fn operands(&self) -> &[Op<N>] {
                match self { $(Op::$name(operator) => operator.operands(),)* }
            }

            fn at<T: Differentiated<N>>(&self, p: [f64; N]) -> T {
                match self { $(Op::$name(operator) => operator.at(p),)* }
            }

            fn evaluate<B: Buffer<N>>(&self, positions: Positions<N>, out: &mut B) {
                match self { $(Op::$name(operator) => operator.evaluate(positions, out),)* }
            }

            fn bounds(&self) -> Bounds {
                match self {
                    $(Op::$name(operator) => <$operator as Operator<N>>::bounds(operator),)*
                }
            }

            fn local_bounds(&self, p: [f64; N], radius: f64) -> Option<Bounds> {
                match self { $(Op::$name(operator) => operator.local_bounds(p, radius),)* }
            }

            fn interpolated(&self, radius: f64) -> Interpolated {
                match self {
                    $(Op::$name(operator) => {
                        <$operator as Operator<N>>::interpolated(operator, radius)
                    })*
                }
            }

            fn band_limited(&self, spacing: f64) -> Self {
                match self {
                    $(Op::$name(operator) => {
                        <$operator as Operator<N>>::band_limited(operator, spacing).into()
                    })*
                }
            }

            fn smoothed(&self, wavelength: f64) -> Op<N> {
                match self { $(Op::$name(operator) => operator.smoothed(wavelength),)* }
            }

            fn has_hessian(&self) -> bool {
                match self {
                    $(Op::$name(operator) => <$operator as Operator<N>>::has_hessian(operator),)*
                }
            }

            fn has_loose_bounds(&self) -> bool {
                match self {
                    $(Op::$name(operator) => {
                        <$operator as Operator<N>>::has_loose_bounds(operator)
                    })*
                }
            }
        }
    };
}
operators! {
    Constant(Constant),
    Octaves(Octaves<N>),
    Combine(Combine<N>),
    Lerp(Lerp<N>),
    Blend(Blend<N>),
    Remap(Remap<N>),
    Transformed(Transformed<N>),
    Warp(Warp<N>),
    Eroded(Eroded<N>),
    Wave(CompiledWave),
}

/// The operands, low-pass filtered for a grid of `spacing`.
fn all_band_limited<const N: usize>(operands: &[Op<N>], spacing: f64) -> Vec<Op<N>> {
    operands.iter().map(|op| op.band_limited(spacing)).collect()
}

/// The operands without octaves below a wavelength.
fn all_smoothed<const N: usize>(operands: &[Op<N>], wavelength: f64) -> Vec<Op<N>> {
    operands.iter().map(|op| op.smoothed(wavelength)).collect()
}
