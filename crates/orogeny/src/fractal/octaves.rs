//! The octaves of a fractal, evaluated and summed at points and over grids.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::array;

use crate::derivative::bounds::Bounds;
use crate::derivative::chain_rule::{Dual, outside};
use crate::derivative::jet::Jet;
use crate::derivative::sample::Sample;
use crate::fractal::fractal_kind::{Damped, FractalKind};
use crate::fractal::octave::{Octave, fill_lattice, kernel_sums};
use crate::kernel::{LatticeOctave, MAX_OCTAVES, OctaveLanes, OctaveTerm, OctaveTerms};
use crate::lattice::mapping::LatticeMapping;
use crate::noise::Basis;
use crate::samples::positions::Positions;
use crate::samples::{Buffer, differences};

/// Octaves and how they are combined. Single noises are fractals of one octave.
#[derive(Clone, Debug)]
pub(crate) struct Octaves<const N: usize> {
    pub list: Vec<Octave<N>>,
    pub kind: FractalKind,
    /// The octaves for the lattice kernel; `None` if it does not support the noise.
    lattice: Option<Vec<LatticeOctave>>,
    /// The octaves for single points; `None` unless they are of the default noise in the plane.
    pub lanes: Option<Box<OctaveLanes>>,
}

impl<const N: usize> Octaves<N> {
    pub fn new(list: Vec<Octave<N>>, kind: FractalKind) -> Self {
        let prepared = |octave: &Octave<N>| match kind {
            // The amplitude is folded into the lattice if octaves are simply summed.
            FractalKind::Fbm => octave.prepared(octave.amplitude, octave.slope),
            _ => {
                let term = Some((kind.term(), octave.amplitude));
                Some(LatticeOctave { term, ..octave.prepared(1.0, octave.slope)? })
            }
        };
        let lattice: Option<Vec<_>> = list.iter().map(prepared).collect();
        let lanes = lattice.as_deref().filter(|_| N == 2).and_then(OctaveLanes::new).map(Box::new);
        Self { list, kind, lattice, lanes }
    }

    /// A single noise at frequency 1.
    pub fn alone(noise: Basis<N>, bounds: Bounds) -> Self {
        let mapping = LatticeMapping { frequency: 1.0, offset: [0.0; N] };
        Self::new(vec![Octave::new(noise, bounds, mapping)], FractalKind::Fbm)
    }

    /// Every octave with its gradient low-pass filtered for a grid of `spacing`.
    pub fn band_limited(&self, spacing: f64) -> Self {
        let list = self.list.iter().map(|octave| octave.band_limited(spacing)).collect();
        Self::new(list, self.kind)
    }

    /// The fractal at one point. Outside the domain it is NaN.
    pub fn at<T: Dual<N>>(&self, p: [f64; N]) -> T {
        if let FractalKind::Damped(Damped { strength }) = self.kind {
            return outside(self.damped::<T>(strength, p));
        }
        if let (Some(octaves), &[x, z, ..]) = (&self.lanes, &p[..]) {
            let mut lanes = [[0.0; MAX_OCTAVES]; 3];
            if octaves.sample([x, z], T::HAS_GRADIENT, &mut lanes) {
                let [value, slopes @ ..] = lanes;
                let sample = self.sum(|i, _| {
                    let gradient = array::from_fn(|k| slopes[k][i]);
                    Sample { value: value[i], gradient }
                });
                return T::with_hessian(sample, || self.summed::<Jet<N>>(p).hessian);
            }
        }
        self.summed(p)
    }

    /// The fractal at one point, octave by octave.
    fn summed<T: Dual<N>>(&self, p: [f64; N]) -> T {
        let is_plain = matches!(self.kind, FractalKind::Fbm);
        self.sum(|_, octave| octave.noise_at(if is_plain { octave.amplitude } else { 1.0 }, p))
    }

    /// The sum, given each octave before its slope is filtered: times its amplitude if octaves are
    /// simply summed.
    #[inline]
    fn sum<T: Dual<N>>(&self, mut noise: impl FnMut(usize, &Octave<N>) -> T) -> T {
        let mut terms = OctaveTerms::new(self.kind.term());
        // `reduce`, since 0 + -0 would lose the sign that a grid keeps.
        self.list
            .iter()
            .enumerate()
            .map(|(i, octave)| {
                let noise = noise(i, octave).weighted(octave.slope);
                match self.kind {
                    FractalKind::Fbm => noise,
                    _ => terms.next(noise, octave.amplitude),
                }
            })
            .reduce(|sum, term| sum + term)
            .map(outside)
            .unwrap_or_default()
    }

    /// The fractal at many positions, bit-identical to [`at`](Self::at).
    pub fn evaluate<B: Buffer<N>>(&self, positions: Positions<N>, out: &mut B) {
        let is_plain = matches!(self.kind, FractalKind::Fbm);
        let lattice = self.lattice.as_ref().filter(|_| kernel_sums(is_plain, out));
        match self.kind {
            _ if positions.len() == 0 => out.resize(0),
            FractalKind::Damped(Damped { strength }) => {
                differences::fill(positions, self.damped_step(), out, |positions, out| {
                    self.fill_damped(strength, positions, out);
                });
            }
            _ if let Some(lattice) = lattice => fill_lattice(lattice, positions, out),
            FractalKind::Fbm => {
                out.set_all(positions.len(), B::Item::NOTHING);
                for octave in &self.list {
                    let fill =
                        |out: &mut _| octave.fill(octave.amplitude, octave.slope, positions, out);
                    out.combine(fill, |sum, octave| sum + octave);
                }
            }
            kind => out.with_spares(2, |out, spares| {
                let [noise, weights] = spares else { return };
                weights.resize(positions.len());
                out.set_all(positions.len(), B::Item::NOTHING);
                for (i, octave) in self.list.iter().enumerate() {
                    octave.fill(1.0, octave.slope, positions, noise);
                    add_terms(kind.term(), i == 0, octave.amplitude, out, weights, noise);
                }
            }),
        }
        // An octave without a slope adds no NaN to the gradient outside the domain.
        let flat = self.list.iter().any(|octave| octave.slope == 0.0);
        if flat && out.has_gradients() && any_nan(out.values()) {
            out.update(outside);
        }
    }
}

/// Checks all numbers, without an early exit, so that the loop is vectorised.
fn any_nan(numbers: &[f32]) -> bool {
    numbers.iter().fold(false, |any, x| any | x.is_nan())
}

/// Adds an octave's terms of the fractal, without the kernel.
fn add_terms<const N: usize, B: Buffer<N>>(
    term: OctaveTerm,
    first: bool,
    amplitude: f32,
    out: &mut B,
    weights: &mut B,
    noise: &B,
) {
    // A loop for each case, so that both are vectorised.
    match term {
        OctaveTerm::Plain
        | OctaveTerm::Turbulence
        | OctaveTerm::Billow
        | OctaveTerm::PingPong { .. } => {
            out.join([noise], |sum, [noise]| sum + OctaveTerms::new(term).next(noise, amplitude));
        }
        OctaveTerm::Ridged { .. } | OctaveTerm::Hybrid { .. } => {
            out.join_both(weights, noise, |sum, weight, noise| {
                let mut terms = OctaveTerms::new(term);
                terms.weight = if first { None } else { Some(weight) };
                let term = terms.next(noise, amplitude);
                [sum + term, terms.weight.unwrap_or_default()]
            });
        }
    }
}
