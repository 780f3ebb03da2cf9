//! One octave of lattice noise, with its rotation, and the term that it adds to a fractal's sum.

use alloc::sync::Arc;

use fearless_simd::Simd;

use crate::arrays;
use crate::derivative::affine::Affine;
use crate::derivative::elementary::Shaped;
use crate::kernel::{Coordinates, MAX_DIMENSIONS};
use crate::lattice::fade::Fade;
use crate::lattice::hash::Key;
use crate::lattice::{CornerLookup, CornerRule};

/// One octave of lattice noise, prepared when the field is built. Axes that it does not have are
/// unused.
#[derive(Clone, Debug)]
pub(crate) struct LatticeOctave {
    pub frequency: f64,
    /// The fraction of a cell that is added to position * frequency.
    pub offset: [f64; MAX_DIMENSIONS],
    pub fade: Fade,
    pub lattice: Arc<dyn CornerLookup>,
    /// The keys of the axes, if lattice lines are hashed and not periodic.
    pub keys: Option<[Key; MAX_DIMENSIONS]>,
    pub corners: CornerRule,
    /// Whether corners have values.
    pub has_values: bool,
    pub amplitude: f32,
    /// The factor of the gradient. Zero leaves the gradient of the sum as it is.
    pub slope: f32,
    /// The term that a fractal makes of the octave, and its amplitude. `None` adds the octave as it
    /// is. Second derivatives require `None`.
    pub term: Option<(OctaveTerm, f32)>,
    /// Applied to positions before the noise.
    pub rotation: Option<Rotation>,
}

/// How an octave becomes a term of the sum.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum OctaveTerm {
    /// a n.
    Plain,
    /// a |n|.
    Turbulence,
    /// a (2 |n| - 1).
    Billow,
    /// a (2 T((n + 1) strength) - 1), T the triangle wave of period 2.
    PingPong { strength: f32 },
    /// a s, s = w (offset - |n|)^2. The next octave's weight w is min(1, feedback s).
    Ridged { offset: f32, feedback: f32 },
    /// s = a w (n + offset). The next octave's weight w is min(1, feedback s).
    Hybrid { offset: f32, feedback: f32 },
}

/// Converts octaves to terms, in order, for all types of numbers: samples, jets, SIMD lanes and
/// bounds.
pub(crate) struct OctaveTerms<T> {
    term: OctaveTerm,
    /// The weight of the next octave of a multifractal; `None` before the first octave.
    pub weight: Option<T>,
}

impl<T: Shaped> OctaveTerms<T> {
    pub fn new(term: OctaveTerm) -> Self {
        Self { term, weight: None }
    }

    /// The term of the next octave.
    #[inline(always)]
    pub fn next(&mut self, noise: T, amplitude: f32) -> T {
        match self.term {
            OctaveTerm::Plain => noise.times(amplitude),
            OctaveTerm::Turbulence => noise.abs().times(amplitude),
            OctaveTerm::Billow => noise.abs().affine(2.0, -1.0).times(amplitude),
            OctaveTerm::PingPong { strength } => {
                noise.affine(strength, strength).triangle().affine(2.0, -1.0).times(amplitude)
            }
            OctaveTerm::Ridged { offset, feedback } => {
                let signal = self.weighted(noise.abs().affine(-1.0, offset).square());
                self.weight = Some(signal.affine(feedback, 0.0).at_most_one());
                signal.times(amplitude)
            }
            OctaveTerm::Hybrid { offset, feedback } => {
                let term = self.weighted(noise.affine(1.0, offset)).times(amplitude);
                self.weight = Some(term.affine(feedback, 0.0).at_most_one());
                term
            }
        }
    }

    #[inline(always)]
    fn weighted(&self, signal: T) -> T {
        match self.weight {
            Some(weight) => weight.product(signal),
            None => signal,
        }
    }
}

/// An affine map of two or three dimensions, applied to positions before the noise, and to
/// derivatives after it: the operations of [`Affine`], in its order.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rotation {
    /// Rows and columns that the map does not have are unused.
    matrix: [[f64; 3]; 3],
    offset: [f64; 3],
}

impl Rotation {
    pub fn new<const N: usize>(map: &Affine<N>) -> Self {
        let (matrix, offset) = map.parts();
        let entry = |k: usize, j: usize| matrix.get(k).and_then(|row| row.get(j));
        Self {
            matrix: arrays::from_fn(|k| arrays::from_fn(|j| *entry(k, j).unwrap_or(&0.0))),
            offset: arrays::from_fn(|k| *offset.get(k).unwrap_or(&0.0)),
        }
    }

    /// Maps a list of positions, given axis by axis.
    #[inline(always)]
    pub fn apply<S: Simd, const N: usize>(
        &self,
        simd: S,
        from: &[Coordinates],
        to: &mut [Coordinates],
    ) {
        let len = from[0].list().len();
        for ((to, row), offset) in to.iter_mut().zip(self.matrix).zip(self.offset).take(N) {
            to.write_lanes::<S>(
                len,
                #[inline(always)]
                |start| {
                    let [low, high] = from[0].lanes(simd, start);
                    let mut sum = [low * row[0], high * row[0]];
                    for k in 1..N {
                        let [low, high] = from[k].lanes(simd, start);
                        sum = [sum[0] + low * row[k], sum[1] + high * row[k]];
                    }
                    [sum[0] + offset, sum[1] + offset]
                },
            );
        }
    }

    /// Turns the first derivatives at the mapped position into those at the original one.
    #[inline(always)]
    pub fn pull_back<S: Simd, const N: usize>(&self, gradient: [S::f32s; N]) -> [S::f32s; N] {
        let mut out = gradient;
        for (j, out) in out.iter_mut().enumerate() {
            *out = gradient[0] * self.matrix[0][j] as f32;
            for (g, row) in gradient.into_iter().zip(self.matrix).skip(1) {
                *out += g * row[j] as f32;
            }
        }
        out
    }

    /// The same for the second derivatives xx, xz and zz in the plane: M^T H M.
    #[inline(always)]
    pub fn pull_back_second<S: Simd>(&self, [xx, xz, zz]: [S::f32s; 3]) -> [S::f32s; 3] {
        let m = |k: usize, j: usize| self.matrix[k][j] as f32;
        let hessian = [[xx, xz], [xz, zz]];
        let mut half = hessian;
        for (half, row) in half.iter_mut().zip(hessian) {
            *half = [row[0] * m(0, 0) + row[1] * m(1, 0), row[0] * m(0, 1) + row[1] * m(1, 1)];
        }
        let [a, b] = half;
        [
            a[0] * m(0, 0) + b[0] * m(1, 0),
            a[1] * m(0, 0) + b[1] * m(1, 0),
            a[1] * m(0, 1) + b[1] * m(1, 1),
        ]
    }
}
