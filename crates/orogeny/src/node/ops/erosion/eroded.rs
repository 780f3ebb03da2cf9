//! Eroded fields, evaluated.

use core::array;

use crate::derivative::bounds::Bounds;
use crate::derivative::chain_rule::Dual;
use crate::derivative::jet::Jet;
use crate::derivative::sample::Sample;
use crate::kernel::{self, Operand, OperandDerivatives};
use crate::lattice::cell::MAX_CELL;
use crate::node::ops::erosion::Erosion;
use crate::node::tree::Op;
use crate::samples::grid::Positions;
use crate::samples::{Buffer, Jets, Samples, operand};
use crate::simd::Level;

/// A field with erosion, in two dimensions.
#[derive(Clone, Debug)]
pub(crate) struct Eroded<const N: usize> {
    pub field: Op<N>,
    /// The field with the gradient that a grid can carry, where it is not the whole one.
    carried: Option<Op<N>>,
    pub erosion: Erosion,
    /// Whether its bound on slopes is loose.
    pub loose: bool,
    seed: u64,
    /// The spacing of that grid.
    spacing: f64,
    kernel: kernel::ErosionKernel,
}

impl<const N: usize> Eroded<N> {
    /// `seed` replaces that of the erosion.
    pub fn new(field: Op<N>, erosion: Erosion, seed: u64) -> Self {
        let kernel = erosion.build(seed, 0.0);
        Self { field, carried: None, erosion, loose: false, seed, spacing: 0.0, kernel }
    }

    /// The same with the gradient that a grid of `spacing` can carry.
    pub fn limited(&self, spacing: f64) -> Self {
        // Limiting twice is limiting to the coarser one.
        let spacing = spacing.max(self.spacing);
        Self {
            carried: Some(self.field.limited(spacing)),
            spacing,
            kernel: self.erosion.build(self.seed, spacing),
            ..self.clone()
        }
    }

    pub fn at<T: Dual<N>>(&self, p: [f64; N]) -> T {
        T::of_samples(|p| self.sample(p), p, self.erosion.step())
    }

    fn sample(&self, p: [f64; N]) -> Sample<N> {
        let whole: Jet<N> = self.field.at(p);
        let carried = self.carried.as_ref().map_or(whole, |field| field.at(p));
        let Jet { sample: Sample { value, gradient }, hessian: h } = carried;
        let slopes = whole.sample.gradient;
        let operand = Operand {
            value: &[value],
            slopes: [&[slopes[0]], &[slopes[1]]],
            resolved: Some(OperandDerivatives {
                slopes: [&[gradient[0]], &[gradient[1]]],
                bends: [&[h[0][0]], &[h[0][1]], &[h[1][1]]],
            }),
        };
        let mut out = [[0.0; 1]; 3];
        let [value, dx, dz] = &mut out;
        let target = kernel::OutputSlices { value, slopes: Some([dx, dz]), bends: None };
        let point = kernel::PlanePositions::Scattered(&p);
        kernel::fill_erosion(&self.kernel, operand, point, Level::new(), target);
        Sample { value: out[0][0], gradient: array::from_fn(|k| out[k + 1][0]) }
    }

    /// The bounds within `radius` of `p`; nothing where one of the two has no value.
    pub fn near(&self, p: [f64; N], radius: f64) -> Option<Bounds> {
        // Lattices are turned, so that coordinates along them are up to sqrt 2 larger.
        let farthest = p.into_iter().fold(0.0, |most: f64, x| most.max(x.abs()));
        if 1.5 * farthest > MAX_CELL * self.erosion.finest() {
            return None;
        }
        let bounds = self.erosion.bounds(self.field.near(p, radius)?);
        Some(Bounds { loose: self.loose, ..bounds })
    }

    /// The samples or jets in many places: the bits of [`at`](Self::at).
    pub fn evaluate<B: Buffer<N>>(&self, positions: Positions<N>, out: &mut B) {
        out.resize(positions.len());
        match out.as_samples() {
            Some(out) => self.fill(positions, out),
            None => positions.visit(|i, p| out.set(i, self.at(p))),
        }
    }

    fn fill(&self, positions: Positions<N>, out: &mut Samples<N>) {
        out.with_jets(|out, [whole, limited]| {
            let carried: Option<&Jets<N>> = match &self.carried {
                _ if !out.has_gradients() => {
                    self.field.evaluate(positions, whole.samples_mut());
                    None
                }
                Some(carried) => {
                    self.field.evaluate(positions, whole.samples_mut());
                    carried.evaluate(positions, limited);
                    Some(limited)
                }
                None => {
                    self.field.evaluate(positions, whole);
                    Some(whole)
                }
            };
            let operand = operand(whole.samples(), carried);
            out.with_target(positions, |positions, tables, target| {
                kernel::fill_erosion(&self.kernel, operand, positions, tables.level, target);
            });
        });
    }
}
