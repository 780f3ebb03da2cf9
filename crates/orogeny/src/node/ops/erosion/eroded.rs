//! Eroded fields: the erosion operator, compiled.

use alloc::boxed::Box;
use core::slice;

use crate::arrays;
use crate::derivative::bounds::Bounds;
use crate::derivative::chain_rule::{Differentiated, outside};
use crate::derivative::jet::Jet;
use crate::derivative::sample::Sample;
use crate::error::DataError;
#[cfg(not(feature = "std"))]
use crate::float::Float as _;
use crate::kernel::{self, Operand, OperandDerivatives};
use crate::lattice::cell::MAX_CELL;
use crate::limits::{ERODED_CURVATURE, ERODED_SLOPE, ERODED_VALUE};
use crate::node::Node;
use crate::node::compile::Builder;
use crate::node::interpolation_error::Interpolated;
use crate::node::local_bounds::rounded;
use crate::node::ops::combine::Combine;
use crate::node::ops::erosion::Erosion;
use crate::node::ops::{Op, Operator};
use crate::node::smoothed::{mean_difference, scattered};
use crate::samples::positions::Positions;
use crate::samples::{Buffer, Jets, Samples, fill_by_differences, operand};
use crate::simd;

/// An eroded field in two dimensions.
#[derive(Clone, Debug)]
pub(crate) struct Eroded<const N: usize> {
    field: Box<Op<N>>,
    /// The field with gradients low-pass filtered for `spacing`, if there is one.
    filtered: Option<Box<Op<N>>>,
    erosion: Erosion,
    /// Whether the bound on slopes is loose.
    is_loose: bool,
    seed: u64,
    spacing: f64,
    kernel: kernel::ErosionKernel,
}

impl<const N: usize> Eroded<N> {
    pub fn build(
        builder: &mut Builder<'_>,
        field: &Node<N>,
        by: &Erosion,
    ) -> Result<Op<N>, DataError> {
        let here = |e: DataError| e.under("Erode.by");
        if N != 2 {
            return Err(here(DataError::here(format!("exists in 2 dimensions, not in {N}"))));
        }
        by.check().map_err(here)?;
        let erosion = Erosion { height: by.height_in(builder.height).map_err(here)?, ..*by };
        builder.check_frequency(1.0 / erosion.finest()).map_err(here)?;
        let field = builder.node(field).map_err(|e| e.under("Erode.field"))?;
        if erosion.depth() == 0.0 {
            return Ok(field);
        }
        // This also rules out differences of differences, which would cost five times as much at
        // each level.
        if !(field.bounds().curvature.is_finite() && field.has_hessian()) {
            let problem =
                "has creases, or no second derivatives that are known: gullies would tear there";
            return Err(DataError::at("Erode.field", problem));
        }
        let (bounds, height) = (field.bounds(), f64::from(erosion.height));
        ERODED_VALUE
            .check(bounds.min * height)
            .and(ERODED_VALUE.check(bounds.max * height))
            .and(ERODED_SLOPE.check(bounds.lipschitz * height))
            .and(ERODED_CURVATURE.check(bounds.curvature * height))
            .map_err(|e| DataError::at("Erode.field", e))?;
        let eroded = Self::new(field, erosion, builder.mix(by.seed));
        let is_loose = Operator::bounds(&eroded).lipschitz > LOOSE * eroded.largest_slope();
        Ok(Self { is_loose, ..eroded }.into())
    }

    /// `seed` replaces the seed of the erosion.
    fn new(field: Op<N>, erosion: Erosion, seed: u64) -> Self {
        let kernel = erosion.build(seed, 0.0);
        let field = Box::new(field);
        Self { field, filtered: None, erosion, is_loose: false, seed, spacing: 0.0, kernel }
    }

    /// The largest slope at a thousand random positions, some hundred features apart.
    fn largest_slope(&self) -> f64 {
        let points = scattered(1000, 1e3 * self.erosion.scale);
        let mut samples = Samples::new();
        self.evaluate(Positions::Points(&points), &mut samples);
        let squares = samples.iter().map(|s| s.gradient.iter().map(|g| g * g).sum::<f32>());
        f64::from(squares.fold(0.0, f32::max)).sqrt()
    }

    fn sample(&self, p: [f64; N]) -> Sample<N> {
        let whole: Jet<N> = self.field.at(p);
        let resolved = self.filtered.as_ref().map_or(whole, |field| field.at(p));
        let Jet { sample: Sample { value, gradient }, hessian: h } = resolved;
        let slopes = whole.sample.gradient;
        let operand = Operand {
            value: &[value],
            slopes: [&[slopes[0]], &[slopes[1]]],
            resolved: Some(OperandDerivatives {
                slopes: [&[gradient[0]], &[gradient[1]]],
                second: [&[h[0][0]], &[h[0][1]], &[h[1][1]]],
            }),
        };
        let mut out = [[0.0; 1]; 3];
        let [value, dx, dz] = out.each_mut().map(|part| &mut part[..]);
        let slopes = Some([dx, dz, &mut [], &mut []]);
        let target = kernel::OutputSlices { value, slopes, second: None };
        let point = kernel::KernelPositions::Scattered { points: &p, dimensions: N };
        kernel::fill_erosion(&self.kernel, operand, point, simd::best(), target);
        Sample { value: out[0][0], gradient: arrays::from_fn(|k| out[k + 1][0]) }
    }

    fn fill(&self, positions: Positions<N>, out: &mut Samples<N>) {
        out.with_jets(|out, [whole, limited]| {
            let resolved: Option<&Jets<N>> = match &self.filtered {
                _ if !out.has_gradients() => {
                    self.field.evaluate(positions, whole.samples_mut());
                    None
                }
                Some(field) => {
                    self.field.evaluate(positions, whole.samples_mut());
                    field.evaluate(positions, limited);
                    Some(limited)
                }
                None => {
                    self.field.evaluate(positions, whole);
                    Some(whole)
                }
            };
            let operand = operand(whole.samples(), resolved);
            out.with_target(positions, |positions, tables, target| {
                kernel::fill_erosion(&self.kernel, operand, positions, tables.level, target);
            });
        });
    }
}

/// A bound on slopes is loose if it is more than this many times the largest slope found.
const LOOSE: f64 = 10.0;

impl<const N: usize> Operator<N> for Eroded<N> {
    fn operands(&self) -> &[Op<N>] {
        slice::from_ref(&*self.field)
    }

    fn at<T: Differentiated<N>>(&self, p: [f64; N]) -> T {
        outside(T::of_samples(|p| self.sample(p), p, self.erosion.step()))
    }

    fn evaluate<B: Buffer<N>>(&self, positions: Positions<N>, out: &mut B) {
        let step = self.erosion.step();
        fill_by_differences(positions, step, out, |positions, out| self.fill(positions, out));
    }

    fn bounds(&self) -> Bounds {
        self.erosion.bounds(self.field.bounds())
    }

    fn local_bounds(&self, p: [f64; N], radius: f64) -> Option<Bounds> {
        // Lattices are rotated, so that coordinates along them are up to sqrt 2 larger.
        let farthest = p.into_iter().fold(0.0, |max: f64, x| max.max(x.abs()));
        if 1.5 * farthest > MAX_CELL * self.erosion.finest() {
            return None;
        }
        let bounds = self.erosion.bounds(self.field.local_bounds(p, radius)?);
        Some(rounded(bounds, bounds.max_abs()))
    }

    /// The sum of the field and of gullies, for which only the range helps.
    fn interpolated(&self, radius: f64) -> Interpolated {
        let field = self.field.interpolated(radius);
        let range = 2.0 * self.erosion.depth();
        field.with(self.erosion.bounds(field.bounds), field.error + range, field.swing + range)
    }

    fn band_limited(&self, spacing: f64) -> Self {
        // Filtering twice equals filtering for the coarser grid.
        let spacing = spacing.max(self.spacing);
        Self {
            filtered: Some(Box::new(self.field.band_limited(spacing))),
            spacing,
            kernel: self.erosion.build(self.seed, spacing),
            ..self.clone()
        }
    }

    /// The smoothed field with the first octaves of gullies, and the mean of the others.
    fn smoothed(&self, wavelength: f64) -> Op<N> {
        let erosion = self.erosion.smoothed(wavelength);
        let with = |field: Op<N>, filtered: Option<Op<N>>| match erosion {
            None => filtered.unwrap_or(field),
            Some(erosion) => Self {
                field: Box::new(field),
                filtered: filtered.map(Box::new),
                kernel: erosion.build(self.seed, self.spacing),
                erosion,
                ..*self
            }
            .into(),
        };
        let smoothed = |op: &Op<N>| op.smoothed(wavelength);
        let part = with(smoothed(&self.field), self.filtered.as_deref().map(smoothed));
        if erosion == Some(self.erosion) {
            return part;
        }
        // The same field below both, so that only gullies differ.
        let coarse = with((*self.field).clone(), None);
        Combine::plus(part, mean_difference(self, &coarse, self.erosion.scale))
    }

    fn has_hessian(&self) -> bool {
        false
    }

    fn has_loose_bounds(&self) -> bool {
        self.is_loose || self.field.has_loose_bounds()
    }
}
