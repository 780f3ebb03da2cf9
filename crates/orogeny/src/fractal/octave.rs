//! One octave of a fractal, at points and over grids.

use core::array;

use crate::derivative::affine::Affine;
use crate::derivative::bounds::Bounds;
use crate::derivative::chain_rule::Dual;
use crate::derivative::sample::Sample;
use crate::kernel::{self, LatticeOctave, Rotation};
use crate::lattice::CornerRule;
use crate::lattice::mapping::LatticeMapping;
use crate::noise::Basis;
use crate::samples::positions::Positions;
use crate::samples::{Buffer, Samples};

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
    pub fn noise_at<T: Dual<N>>(&self, amplitude: f32, p: [f64; N]) -> T {
        match &self.rotation {
            None => self.straight_at(amplitude, p),
            Some(rotation) => {
                rotation.pull_back(self.straight_at::<T>(amplitude, rotation.apply(p)))
            }
        }
    }

    /// Like `noise_at`, without the rotation.
    #[inline]
    fn straight_at<T: Dual<N>>(&self, amplitude: f32, p: [f64; N]) -> T {
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
pub(super) fn kernel_sums<const N: usize, B: Buffer<N>>(is_plain: bool, out: &mut B) -> bool {
    let has_samples = out.as_samples().is_some();
    if N == 2 { is_plain || has_samples } else { is_plain && has_samples }
}

/// Fills with the sum of octaves of lattice noise, as far as [`kernel_sums`].
pub(super) fn fill_lattice<const N: usize, B: Buffer<N>>(
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
        Sample { value, gradient: array::from_fn(|k| gradient[k]) }
    };
    out.with_target(positions, |positions, tables, mut target| {
        kernel::fill_pointwise(noise, positions, tables, &mut target, &far);
    });
}
