//! Gradient noise, known as Perlin noise.

use crate::field::Field;
use crate::grid::{Grid, Samples};
use crate::lattice::{LatticeGradients, UnitDirections};
use crate::octave::{Octave, fill, sum_at};
use crate::sample::Sample;

/// Gradient noise on the integer lattice, in 2 or 3 dimensions.
///
/// Each lattice point c has a unit gradient g_c, chosen by a hash of its coordinates and the seed. Within a cell the noise
/// is the blend of the ramps g_c . (p - c) of its corners, with weights from the quintic fade
/// u(t) = 6 t^5 - 15 t^4 + 10 t^3 along each axis.
///
/// * Range: |n| <= sqrt(N) / 2, that is 0.7071 in 2D and 0.8660 in 3D. (Cauchy-Schwarz over the corners leaves
///   (1 - u) t^2 + u (1 - t)^2 <= 1/4 for each axis.) It is zero at lattice points.
/// * Smoothness: twice continuously differentiable everywhere, so the gradient has no exceptions.
/// * Period: none. The lattice is hashed from 64-bit coordinates and a 64-bit seed.
/// * Domain: coordinates up to [`MAX_CELL`](crate::MAX_CELL) from zero, NaN beyond.
///
/// Sources: Ken Perlin, "An Image Synthesizer", SIGGRAPH 1985, and "Improving Noise", SIGGRAPH 2002.
///
/// ```
/// use orogeny::{Field, GradientNoise};
///
/// let noise = GradientNoise { seed: 42 };
/// let here = noise.sample([3.25, -7.5]);
/// let right = noise.value([3.2501, -7.5]);
/// assert!(((right - here.value) / 0.0001 - here.gradient[0]).abs() < 0.01);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct GradientNoise {
    /// Noises of different seeds are unrelated.
    pub seed: u64,
}

impl<const N: usize> Field<N> for GradientNoise
where
    UnitDirections: LatticeGradients<N>,
{
    fn sample(&self, p: [f64; N]) -> Sample<N> {
        sum_at([Octave::new(self.seed)].into_iter(), p)
    }

    fn fill(&self, grid: &Grid<N>, out: &mut Samples<N>) {
        fill([Octave::new(self.seed)].into_iter(), grid, out);
    }
}
