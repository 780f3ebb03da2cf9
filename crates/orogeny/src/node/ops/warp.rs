//! Domain warping: a field sampled at displaced positions.

use alloc::vec::Vec;

use crate::arrays;
use crate::derivative::bounds::{Bounds, length, warp_bounds};
use crate::derivative::chain_rule::Differentiated;
use crate::error::DataError;
#[cfg(not(feature = "std"))]
use crate::float::Float as _;
use crate::node::Node;
use crate::node::compile::Builder;
use crate::node::interpolation_error::Interpolated;
use crate::node::ops::{Op, Operator, all_band_limited, all_smoothed};
use crate::samples::Buffer;
use crate::samples::positions::Positions;

/// The field at p + w(p).
#[derive(Clone, Debug)]
pub(crate) struct Warp<const N: usize> {
    /// The components of w along each axis, and the field last.
    operands: Vec<Op<N>>,
}

impl<const N: usize> Warp<N> {
    pub fn build(
        builder: &mut Builder<'_>,
        field: &Node<N>,
        by: &[Node<N>],
    ) -> Result<Op<N>, DataError> {
        if by.len() != N {
            let problem = format!("has {} fields, but must have {N}, one for each axis", by.len());
            return Err(DataError::at("Warp.by", problem));
        }
        let mut operands = builder.list(by, "Warp.by")?;
        let moves: [Bounds; N] = arrays::from_fn(|k| operands[k].bounds());
        let field = builder.moved(length(&moves, Bounds::max_abs), |builder| builder.node(field));
        operands.push(field.map_err(|e| e.under("Warp.field"))?);
        Ok(Self { operands }.into())
    }

    /// The components of w.
    fn by(&self) -> &[Op<N>] {
        &self.operands[..N]
    }

    fn field(&self) -> &Op<N> {
        &self.operands[N]
    }
}

impl<const N: usize> Operator<N> for Warp<N> {
    fn operands(&self) -> &[Op<N>] {
        &self.operands
    }

    fn at<T: Differentiated<N>>(&self, p: [f64; N]) -> T {
        let by: [T; N] = arrays::from_fn(|k| self.by()[k].at(p));
        let moved = arrays::from_fn(|k| p[k] + f64::from(by[k].value()));
        self.field().at::<T>(moved).warped(by)
    }

    fn evaluate<B: Buffer<N>>(&self, positions: Positions<N>, out: &mut B) {
        out.with_spares(N + 1, |out, spares| {
            let Some((spare, moves)) = spares.split_last_mut() else { return };
            for (op, spare) in self.by().iter().zip(moves.iter_mut()) {
                op.evaluate(positions, spare);
            }
            let moves: [&B; N] = arrays::from_fn(|k| &moves[k]);
            let moved =
                |i, p: [f64; N]| arrays::from_fn(|k| p[k] + f64::from(moves[k].values()[i]));
            spare.evaluate_moved(positions, moved, |positions, out| {
                self.field().evaluate(positions, out);
            });
            out.swap(spare);
            out.join(moves, B::Item::warped);
        });
    }

    fn bounds(&self) -> Bounds {
        let moves: [Bounds; N] = arrays::from_fn(|k| self.by()[k].bounds());
        warp_bounds(self.field().bounds(), &moves)
    }

    fn local_bounds(&self, p: [f64; N], radius: f64) -> Option<Bounds> {
        let mut moves = [Bounds::UNKNOWN; N];
        for (bounds, op) in moves.iter_mut().zip(self.by()) {
            *bounds = op.local_bounds(p, radius)?;
        }
        // The displaced ball lies within one around the middle of all displacements. Positions are
        // rounded to `f64`; the bounds of the displacements include their rounding to `f32`.
        let middle: [f64; N] = arrays::from_fn(|k| p[k] + 0.5 * (moves[k].min + moves[k].max));
        let halves: [f64; N] = arrays::from_fn(|k| {
            let rounding = 4.0 * f64::EPSILON * (p[k].abs() + radius + moves[k].max_abs());
            0.5 * (moves[k].max - moves[k].min) + rounding
        });
        let spread = halves.iter().map(|x| x * x).sum::<f64>().sqrt();
        Some(warp_bounds(self.field().local_bounds(middle, radius + spread)?, &moves))
    }

    fn interpolated(&self, radius: f64) -> Interpolated {
        Interpolated::new(self.bounds(), radius)
    }

    fn band_limited(&self, spacing: f64) -> Self {
        Self { operands: all_band_limited(&self.operands, spacing) }
    }

    fn smoothed(&self, wavelength: f64) -> Op<N> {
        Self { operands: all_smoothed(&self.operands, wavelength) }.into()
    }
}
