//! Linear interpolation between two fields, with a third one as the mask.

use alloc::boxed::Box;

use crate::arrays;
use crate::derivative::bounds::Bounds;
use crate::derivative::chain_rule::{Differentiated, lerp, lerp_bounds};
use crate::derivative::elementary::Shaped;
use crate::error::DataError;
use crate::node::Node;
use crate::node::compile::Builder;
use crate::node::interpolation_error::Interpolated;
use crate::node::local_bounds::rounded;
use crate::node::ops::{Op, Operator};
use crate::samples::Buffer;
use crate::samples::positions::Positions;

/// The field from (1 - mask) + to mask.
#[derive(Clone, Debug)]
pub(crate) struct Lerp<const N: usize> {
    /// From, to, mask.
    operands: Box<[Op<N>; 3]>,
}

impl<const N: usize> Lerp<N> {
    pub fn build(
        builder: &mut Builder<'_>,
        from: &Node<N>,
        to: &Node<N>,
        mask: &Node<N>,
    ) -> Result<Op<N>, DataError> {
        let from = builder.node(from).map_err(|e| e.under("Lerp.from"))?;
        let to = builder.node(to).map_err(|e| e.under("Lerp.to"))?;
        let mask = builder.node(mask).map_err(|e| e.under("Lerp.mask"))?;
        Ok(Self { operands: Box::new([from, to, mask]) }.into())
    }
}

impl<const N: usize> Operator<N> for Lerp<N> {
    fn operands(&self) -> &[Op<N>] {
        &self.operands[..]
    }

    fn at<T: Differentiated<N>>(&self, p: [f64; N]) -> T {
        let [from, to, mask] = arrays::from_fn(|i| self.operands[i].at::<T>(p));
        lerp(from, to, mask)
    }

    fn evaluate<B: Buffer<N>>(&self, positions: Positions<N>, out: &mut B) {
        let [from, to, mask] = &*self.operands;
        from.evaluate(positions, out);
        out.with_spares(2, |out, spares| {
            to.evaluate(positions, &mut spares[0]);
            mask.evaluate(positions, &mut spares[1]);
            out.join([&spares[0], &spares[1]], |from, [to, mask]| lerp(from, to, mask));
        });
    }

    fn bounds(&self) -> Bounds {
        let [from, to, mask] = arrays::from_fn(|i| self.operands[i].bounds());
        lerp_bounds(from, to, mask)
    }

    fn local_bounds(&self, p: [f64; N], radius: f64) -> Option<Bounds> {
        let [from, to, mask] = arrays::from_fn(|i| self.operands[i].local_bounds(p, radius));
        let (from, to, mask) = (from?, to?, mask?);
        let size = (from.max_abs() + to.max_abs()) * (1.0 + mask.max_abs());
        Some(rounded(lerp_bounds(from, to, mask), size))
    }

    fn interpolated(&self, radius: f64) -> Interpolated {
        let [from, to, mask] = arrays::from_fn(|i| self.operands[i].interpolated(radius));
        // (1 - m) a + m b = a + (b - a) m.
        let sum = from.plus(to.plus(from.times(-1.0)).product(mask));
        let bounds = lerp_bounds(from.bounds, to.bounds, mask.bounds);
        sum.with(bounds, sum.error, sum.swing)
    }

    fn band_limited(&self, spacing: f64) -> Self {
        let operands = core::array::from_fn(|i| self.operands[i].band_limited(spacing));
        Self { operands: Box::new(operands) }
    }

    fn smoothed(&self, wavelength: f64) -> Op<N> {
        let operands = core::array::from_fn(|i| self.operands[i].smoothed(wavelength));
        Self { operands: Box::new(operands) }.into()
    }
}
