//! Constant fields.

use alloc::vec::Vec;

use crate::derivative::bounds::Bounds;
use crate::derivative::chain_rule::Differentiated;
use crate::error::DataError;
use crate::limits::{CONSTANT, Limit, Number};
use crate::node::interpolation_error::Interpolated;
use crate::node::ops::{Op, Operator};
use crate::samples::Buffer;
use crate::samples::positions::Positions;

/// A constant field.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Constant(f32);

impl Constant {
    /// Validates the value.
    pub fn build<const N: usize>(value: f32) -> Result<Op<N>, DataError> {
        CONSTANT.check(value.into()).map_err(|error| DataError::at("Constant", error))?;
        Ok(Self(value).into())
    }

    /// A value that was computed.
    pub fn new(value: f32) -> Self {
        Self(value)
    }

    /// The value with its limit.
    pub fn numbers(value: &mut f32) -> Vec<(&'static Limit, Number<'_>)> {
        vec![(&CONSTANT, Number::F32(value))]
    }
}

impl<const N: usize> Operator<N> for Constant {
    fn operands(&self) -> &[Op<N>] {
        &[]
    }

    fn at<T: Differentiated<N>>(&self, p: [f64; N]) -> T {
        if p.iter().all(|x| x.is_finite()) { T::constant(self.0) } else { T::OUTSIDE }
    }

    fn evaluate<B: Buffer<N>>(&self, positions: Positions<N>, out: &mut B) {
        if positions.are_finite() {
            return out.set_all(positions.len(), B::Item::constant(self.0));
        }
        out.resize(positions.len());
        positions.visit(|i, p| out.set(i, self.at(p)));
    }

    fn bounds(&self) -> Bounds {
        Bounds::constant(self.0.into())
    }

    fn local_bounds(&self, p: [f64; N], _: f64) -> Option<Bounds> {
        p.iter().all(|x| x.is_finite()).then(|| Bounds::constant(self.0.into()))
    }

    fn interpolated(&self, radius: f64) -> Interpolated {
        Interpolated::new(Bounds::constant(self.0.into()), radius)
    }

    fn band_limited(&self, _: f64) -> Self {
        *self
    }

    fn smoothed(&self, _: f64) -> Op<N> {
        (*self).into()
    }
}
