//! Cellular noise, known as Worley noise.

use core::array;

use crate::derivative::jet::symmetric;
use crate::derivative::sample::Sample;
use crate::error::RecipeError;
use crate::kernel;
use crate::lattice::axis::wrap;
use crate::lattice::cell::split;
use crate::lattice::hash::{Key, corner, derive, mix, premix};
use crate::lattice::place::Place;
use crate::limits::{Parameters, parameters};
use crate::noise::gradient::check_period;

/// What cellular noise measures.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "describe", derive(strum::EnumMessage, strum::IntoStaticStr, strum::EnumIter))]
pub enum CellularOutput {
    /// The distance to the nearest feature point.
    #[default]
    F1,
    /// The distance to the second nearest.
    F2,
    /// F2 - F1: zero on the borders between the regions of the points, which are lines of a
    /// crackled ground.
    F2MinusF1,
}

parameters! {
    /// Cellular noise: the Euclidean distance to random feature points, one in each cell of the
    /// integer lattice.
    ///
    /// The feature point of the cell c is c + 1/2 + jitter (r - 1/2), r a hash of c, uniform in the
    /// unit cube. F1 <= F2 are the distances to the nearest two. The search is exact: it covers all
    /// cells within 2 of the point's own, farther ones are more than 2 away, and F2 is at most 2.
    /// (The point's own cell holds a point within sqrt N. So does the cell beyond the border
    /// nearest to p, at a distance of m <= 1/2, within sqrt((1 + m)^2 + (N - 1) (1 - m)^2); both
    /// are at most 2 where N <= 4.)
    ///
    /// * Gradient: of F1 the unit vector from the feature point to p; of F2 the same; of F2 - F1
    ///   their difference.
    /// * Hessian: of a distance d with the gradient u, (I - u u^T) / d.
    /// * Not differentiable at feature points, where gradient and Hessian are 0, and where two
    ///   points tie, where it is that of one of them.
    /// * Range: F1 in \[0, sqrt N\]; F2 and F2 - F1 in \[0, 1.5\], \[0, sqrt 2.5\], \[0, sqrt 3\],
    ///   \[0, 2\] in one to four dimensions.
    /// * Domain: coordinates up to [`MAX_CELL`](crate::lattice::MAX_CELL) from zero, NaN beyond.
    ///
    /// Source: Steven Worley, "A Cellular Texture Basis Function", SIGGRAPH 1996.
    pub struct Cellular<const N: usize> {
        /// Noises of different seeds are unrelated.
        seed: u64 = 0,
        /// What is measured.
        output: CellularOutput = CellularOutput::F1,
        /// The number of cells after which the noise repeats along each axis, 0 to 2^31; 0 is
        /// never.
        #[cfg_attr(feature = "serde", serde(with = "serde_with::As::<[serde_with::Same; N]>"))]
        period: [u32; N] = [0; N],
    }
    numbers {
        /// How far feature points stray from the middle of their cells: 0 is a regular grid, 1 the
        /// whole cell.
        jitter: f32 = 1 "", 0 to 1;
    }
}

impl<const N: usize> Cellular<N> {
    /// The distance to the nearest point, with another seed.
    pub fn seeded(seed: u64) -> Self {
        Self { seed, ..Self::default() }
    }

    pub(crate) fn check(&self) -> Result<(), RecipeError> {
        Parameters::check(self)?;
        check_period(&self.period)
    }

    /// A bound on F2.
    pub(crate) fn second(dimensions: usize) -> f64 {
        [2.25f64, 2.5, 3.0, 4.0][dimensions - 1].sqrt()
    }
}

/// Cellular noise ready to be evaluated.
#[derive(Clone, Debug)]
pub(crate) struct CellularPoints<const N: usize> {
    keys: [Key; N],
    period: [u32; N],
    output: CellularOutput,
    jitter: f32,
}

/// A feature point as the vector from it to p, and its squared length.
#[derive(Clone, Copy)]
struct Feature<const N: usize> {
    to: [f32; N],
    squared: f32,
}

impl<const N: usize> CellularPoints<N> {
    pub fn new(noise: &Cellular<N>, seed: u64, period: [u32; N]) -> Self {
        let keys = array::from_fn(|k| Key::new(derive(seed, k as u64)));
        Self { keys, period, output: noise.output, jitter: noise.jitter }
    }

    /// The noise at a point, with the gradient with respect to that point.
    pub fn sample(&self, place: &Place<N>, p: [f64; N]) -> Sample<N> {
        let parts = parts(place, p);
        if parts.iter().any(|part| part.1.is_nan()) {
            return Sample::OUTSIDE;
        }
        let [first, second] = self.nearest(&parts);
        let sample = match self.output {
            CellularOutput::F1 => first.distance(),
            CellularOutput::F2 => second.distance(),
            CellularOutput::F2MinusF1 => second.distance() - first.distance(),
        };
        Sample { gradient: sample.gradient.map(|x| x * place.frequency as f32), ..sample }
    }

    /// The second derivatives of [`sample`](Self::sample).
    pub fn hessian(&self, place: &Place<N>, p: [f64; N]) -> [[f32; N]; N] {
        let [first, second] = self.nearest(&parts(place, p));
        let frequency = place.frequency as f32;
        symmetric(|j, k| {
            let bend = match self.output {
                CellularOutput::F1 => first.bend(j, k),
                CellularOutput::F2 => second.bend(j, k),
                CellularOutput::F2MinusF1 => second.bend(j, k) - first.bend(j, k),
            };
            bend * (frequency * frequency)
        })
    }

    /// The noise for the kernel, in two dimensions, unless it has a period.
    pub fn in_plane(&self, place: &Place<N>) -> Option<kernel::Pointwise> {
        let cellular = kernel::Cellular {
            frequency: place.frequency,
            offset: [place.offset[0], place.offset[1]],
            keys: [self.keys[0], self.keys[1]],
            output: self.output,
            jitter: self.jitter,
            slope: place.frequency as f32,
        };
        (self.period == [0; N]).then_some(kernel::Pointwise::Cellular(cellular))
    }

    /// The two nearest feature points.
    fn nearest(&self, parts: &[(i64, f32); N]) -> [Feature<N>; 2] {
        /// Near cells come first, so that far ones are left out soon.
        const STEPS: [i64; 5] = [0, -1, 1, -2, 2];
        let none = Feature { to: [0.0; N], squared: f32::INFINITY };
        let [mut first, mut second] = [none; 2];
        for mut index in 0..STEPS.len().pow(N as u32) {
            let step: [i64; N] = array::from_fn(|_| {
                let digit = index % STEPS.len();
                index /= STEPS.len();
                STEPS[digit]
            });
            let gap: f32 = (0..N)
                .map(|k| {
                    let (step, t) = (step[k] as f32, parts[k].1);
                    let gap = (step - t).max(t - (step + 1.0)).max(0.0);
                    gap * gap
                })
                .sum();
            if gap >= second.squared {
                continue;
            }
            let point = self.feature(parts, step);
            if point.squared < first.squared {
                (first, second) = (point, first);
            } else if point.squared < second.squared {
                second = point;
            }
        }
        [first, second]
    }

    fn feature(&self, parts: &[(i64, f32); N], step: [i64; N]) -> Feature<N> {
        let mut hash = corner::<N>(array::from_fn(|k| {
            premix(wrap(parts[k].0.wrapping_add(step[k]), self.period[k]), &self.keys[k])
        }));
        let to: [f32; N] = array::from_fn(|k| {
            hash = mix(hash.wrapping_add(0x9e37_79b9));
            // From -1/2 to 1/2.
            let stray = hash as i32 as f32 / (1u64 << 32) as f32;
            (parts[k].1 - step[k] as f32) - (0.5 + self.jitter * stray)
        });
        Feature { to, squared: to.iter().map(|x| x * x).sum() }
    }
}

/// The cells of a point, and its place in them.
fn parts<const N: usize>(place: &Place<N>, p: [f64; N]) -> [(i64, f32); N] {
    array::from_fn(|k| {
        let (cell, t) = split(p[k], place.frequency, place.offset[k]);
        (cell, t as f32)
    })
}

impl<const N: usize> Feature<N> {
    /// An entry of the distance's Hessian, (I - u u^T) / distance with the gradient u.
    fn bend(&self, j: usize, k: usize) -> f32 {
        let Sample { value, gradient } = self.distance();
        let own = if j == k { 1.0 } else { 0.0 };
        if value > 0.0 { (own - gradient[j] * gradient[k]) / value } else { 0.0 }
    }

    /// The distance and its gradient, a unit vector.
    fn distance(&self) -> Sample<N> {
        let length = self.squared.sqrt();
        let scale = if length > 0.0 { 1.0 / length } else { 0.0 };
        Sample { value: length, gradient: self.to.map(|x| x * scale) }
    }
}
