//! Eroded fields, evaluated.

use core::array;

use crate::derivative::bounds::Bounds;
use crate::derivative::chain_rule::Dual;
use crate::derivative::jet::Jet;
use crate::derivative::sample::Sample;
use crate::kernel::{self, Carried, Ground};
use crate::lattice::cell::MAX_CELL;
use crate::node::ops::erosion::Erosion;
use crate::node::tree::Op;
use crate::samples::grid::Places;
use crate::samples::{Buffer, Jets, Samples, ground};
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
    kernel: kernel::Erosion,
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
        let ground = Ground {
            value: &[value],
            slopes: [&[slopes[0]], &[slopes[1]]],
            carried: Some(Carried {
                slopes: [&[gradient[0]], &[gradient[1]]],
                bends: [&[h[0][0]], &[h[0][1]], &[h[1][1]]],
            }),
        };
        let mut out = [[0.0; 1]; 3];
        let [value, dx, dz] = &mut out;
        let target = kernel::Target { value, slopes: Some([dx, dz]), bends: None };
        let place = kernel::Where::Points(&p);
        kernel::fill_erosion(&self.kernel, ground, place, Level::new(), target);
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
    pub fn evaluate<B: Buffer<N>>(&self, places: Places<N>, out: &mut B) {
        out.resize(places.len());
        match out.as_samples() {
            Some(out) => self.fill(places, out),
            None => places.visit(|i, p| out.set(i, self.at(p))),
        }
    }

    fn fill(&self, places: Places<N>, out: &mut Samples<N>) {
        out.with_jets(|out, [whole, limited]| {
            let carried: Option<&Jets<N>> = match &self.carried {
                _ if !out.has_gradients() => {
                    self.field.evaluate(places, whole.samples_mut());
                    None
                }
                Some(carried) => {
                    self.field.evaluate(places, whole.samples_mut());
                    carried.evaluate(places, limited);
                    Some(limited)
                }
                None => {
                    self.field.evaluate(places, whole);
                    Some(whole)
                }
            };
            let ground = ground(whole.samples(), carried);
            out.with_target(places, |places, tables, target| {
                kernel::fill_erosion(&self.kernel, ground, places, tables.level, target);
            });
        });
    }
}
