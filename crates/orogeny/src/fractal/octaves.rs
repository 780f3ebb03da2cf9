//! The octaves of a fractal, evaluated and summed at points and over grids.

use alloc::boxed::Box;
use alloc::vec::Vec;

use crate::arrays;
use crate::derivative::affine::Affine;
use crate::derivative::bounds::Bounds;
use crate::derivative::chain_rule::{Differentiated, outside};
use crate::derivative::jet::Jet;
use crate::derivative::sample::Sample;
use crate::fractal::fractal_kind::{Damped, FractalKind};
use crate::kernel::{
    self, LatticeOctave, MAX_OCTAVES, OctaveLanes, OctaveTerm, OctaveTerms, Rotation,
};
use crate::lattice::{CornerRule, LatticeMapping};
use crate::noise::Basis;
use crate::samples::positions::Positions;
use crate::samples::{Buffer, Samples, fill_by_differences};

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
    pub fn at<T: Differentiated<N>>(&self, p: [f64; N]) -> T {
        if let FractalKind::Damped(Damped { strength }) = self.kind {
            return outside(self.damped::<T>(strength, p));
        }
        if let (Some(octaves), &[x, z, ..]) = (&self.lanes, &p[..]) {
            let mut lanes = [[0.0; MAX_OCTAVES]; 3];
            if octaves.sample([x, z], T::HAS_GRADIENT, &mut lanes) {
                let [value, slopes @ ..] = lanes;
                let sample = self.sum(|i, _| {
                    let gradient = arrays::from_fn(|k| slopes[k][i]);
                    Sample { value: value[i], gradient }
                });
                return T::with_hessian(sample, || self.summed::<Jet<N>>(p).hessian);
            }
        }
        self.summed(p)
    }

    /// The fractal at one point, octave by octave.
    fn summed<T: Differentiated<N>>(&self, p: [f64; N]) -> T {
        let is_plain = matches!(self.kind, FractalKind::Fbm);
        self.sum(|_, octave| octave.noise_at(if is_plain { octave.amplitude } else { 1.0 }, p))
    }

    /// The sum, given each octave before its slope is filtered: times its amplitude if octaves are
    /// simply summed.
    #[inline]
    fn sum<T: Differentiated<N>>(&self, mut noise: impl FnMut(usize, &Octave<N>) -> T) -> T {
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
                fill_by_differences(positions, self.damped_step(), out, |positions, out| {
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

/// One octave.
#[derive(Clone, Debug)]
pub(crate) struct Octave<const N: usize> {
    pub noise: Basis<N>,
    /// Proven bounds of the noise at its frequency, with amplitude 1.
    pub bounds: Bounds,
    pub mapping: LatticeMapping<N>,
    pub amplitude: f32,
    /// The factor of its slope in the accumulated slope of damping.
    pub share: f32,
    /// The factor of its gradient: 1, or less if it is low-pass filtered for a grid.
    pub slope: f32,
    /// Applied to positions before the noise.
    pub rotation: Option<Affine<N>>,
    /// The noise for the lattice kernel, with amplitude 1 and without the rotation.
    lattice: Option<LatticeOctave>,
}

impl<const N: usize> Octave<N> {
    /// An unrotated octave of amplitude 1.
    pub fn new(noise: Basis<N>, bounds: Bounds, mapping: LatticeMapping<N>) -> Self {
        let lattice = match &noise {
            Basis::Lattice(noise) => noise.prepared(&mapping),
            Basis::Simplex(_) | Basis::Cellular(_) => None,
        };
        Self {
            noise,
            bounds,
            mapping,
            amplitude: 1.0,
            share: 0.0,
            slope: 1.0,
            rotation: None,
            lattice,
        }
    }

    /// The octave with its gradient low-pass filtered for a grid of `spacing`, see
    /// [`Field::band_limited`](crate::Field::band_limited).
    pub(super) fn band_limited(&self, spacing: f64) -> Self {
        // The minimum rather than a product, so that filtering twice for one spacing equals
        // filtering once.
        let slope = self.slope.min(resolved(self.mapping.frequency * spacing));
        Self { slope, ..self.clone() }
    }

    /// Whether the noise is known to have a mean of 0 over all seeds, because its gradients and
    /// values have.
    pub fn has_zero_mean(&self) -> bool {
        let corners = self.lattice.as_ref().map(|lattice| lattice.corners);
        match &self.noise {
            Basis::Lattice(_) => corners.is_some_and(|rule| !matches!(rule, CornerRule::LookUp)),
            Basis::Simplex(_) => true,
            Basis::Cellular(_) => false,
        }
    }

    /// `amplitude` times the noise at a point, with its unfiltered derivatives.
    #[inline]
    pub fn noise_at<T: Differentiated<N>>(&self, amplitude: f32, p: [f64; N]) -> T {
        match &self.rotation {
            None => self.straight_at(amplitude, p),
            Some(rotation) => {
                rotation.pull_back(self.straight_at::<T>(amplitude, rotation.apply(p)))
            }
        }
    }

    /// Like `noise_at`, without the rotation.
    #[inline]
    fn straight_at<T: Differentiated<N>>(&self, amplitude: f32, p: [f64; N]) -> T {
        let sample = self.noise.sample(&self.mapping, amplitude, p);
        T::with_hessian(sample, || self.noise.hessian(&self.mapping, amplitude, p))
    }

    /// The octave for the lattice kernel, with an amplitude and a factor of the gradient. `None` if
    /// the kernel does not support the noise.
    pub(super) fn prepared(&self, amplitude: f32, slope: f32) -> Option<LatticeOctave> {
        let rotation = self.rotation.as_ref().map(Rotation::new);
        Some(LatticeOctave { amplitude, slope, rotation, ..self.lattice.clone()? })
    }

    /// `amplitude` times the noise at many positions, with its derivatives multiplied by `slope`.
    /// With the octave's own slope the result is bit-identical to [`at`](Self::at).
    pub fn fill<B: Buffer<N>>(
        &self,
        amplitude: f32,
        slope: f32,
        positions: Positions<N>,
        out: &mut B,
    ) {
        let octave = self.prepared(amplitude, slope).filter(|_| kernel_sums(true, out));
        if let Some(octave) = octave {
            return fill_lattice(&[octave], positions, out);
        }
        let Some(rotation) = &self.rotation else {
            return self.fill_straight(amplitude, slope, positions, out);
        };
        out.with_spares(1, |out, spares| {
            spares[0].evaluate_moved(
                positions,
                |_, p| rotation.apply(p),
                |positions, out| self.fill_straight(amplitude, 1.0, positions, out),
            );
            out.swap(&mut spares[0]);
            out.update(|found| rotation.pull_back(found).weighted(slope));
        });
    }

    /// Like `fill`, without the rotation, for noises that the lattice kernel does not support.
    fn fill_straight<B: Buffer<N>>(
        &self,
        amplitude: f32,
        slope: f32,
        positions: Positions<N>,
        out: &mut B,
    ) {
        out.resize(positions.len());
        let pointwise = self.pointwise(amplitude, slope).zip(out.as_samples());
        let Some((noise, out)) = pointwise else {
            let at = |p| self.straight_at::<B::Item>(amplitude, p).weighted(slope);
            return positions.visit(|i, p| out.set(i, at(p)));
        };
        let far = |p| self.straight_at::<Sample<N>>(amplitude, p).weighted(slope);
        fill_pointwise(&noise, &far, positions, out);
    }

    /// The octave for the kernel of simplex and cellular noise, with an amplitude and a factor of
    /// the gradient.
    fn pointwise(&self, amplitude: f32, slope: f32) -> Option<kernel::PointwiseNoise> {
        let kind = match &self.noise {
            _ if N != 2 => None,
            Basis::Lattice(_) => None,
            Basis::Simplex(noise) => Some(noise.in_plane(&self.mapping)),
            Basis::Cellular(noise) => noise.in_plane(&self.mapping),
        };
        let LatticeMapping { frequency, offset, .. } = self.mapping;
        let offset = *offset.first_chunk()?;
        kind.map(|kind| kernel::PointwiseNoise { frequency, offset, kind, amplitude, slope })
    }
}

/// The fraction of an octave's slope that a grid resolves, from the number of noise cells between
/// neighbouring points of the grid.
pub(crate) fn resolved(cells: f64) -> f32 {
    let s = (2.0 - 4.0 * cells).clamp(0.0, 1.0);
    (s * s * (3.0 - 2.0 * s)) as f32
}

/// Whether the lattice kernel can sum octaves in a buffer. It does not have the jets of a fractal's
/// terms, and in more than two dimensions it has only the samples of plain sums.
fn kernel_sums<const N: usize, B: Buffer<N>>(is_plain: bool, out: &mut B) -> bool {
    let has_samples = out.as_samples().is_some();
    if N == 2 { is_plain || has_samples } else { is_plain && has_samples }
}

/// Fills with the sum of octaves of lattice noise, as far as [`kernel_sums`].
fn fill_lattice<const N: usize, B: Buffer<N>>(
    octaves: &[LatticeOctave],
    positions: Positions<N>,
    out: &mut B,
) {
    out.resize(positions.len());
    out.with_target(positions, |positions, tables, target| {
        kernel::fill_lattice_octaves(octaves, positions, tables, target);
    });
}

/// Fills the buffer with simplex or cellular noise. `far` samples positions that are too far from
/// the origin for SIMD.
fn fill_pointwise<const N: usize>(
    noise: &kernel::PointwiseNoise,
    far: &dyn Fn([f64; N]) -> Sample<N>,
    positions: Positions<N>,
    out: &mut Samples<N>,
) {
    let far = |i| {
        let Sample { value, gradient } = far(positions.at(i));
        Sample { value, gradient: arrays::from_fn(|k| gradient[k]) }
    };
    out.with_target(positions, |positions, tables, mut target| {
        kernel::fill_pointwise(noise, positions, tables, &mut target, &far);
    });
}
