//! Cellular noise, known as Worley noise: distances to random feature points.
//!
//! `Cellular` describes the noise and `CellularPoints` evaluates it. `Metric` measures distances
//! and has their maxima. noise/bounds.rs derives the proven bounds from those. Start with the
//! formulas of `Cellular`.

use crate::arrays::{self, Each};
use crate::derivative::jet::symmetric;
use crate::derivative::sample::Sample;
use crate::error::DataError;
#[cfg(not(feature = "std"))]
use crate::float::Float as _;
use crate::kernel;
use crate::lattice::LatticeMapping;
use crate::lattice::cell::{split, wrap};
use crate::lattice::hash::{INCREMENT, Key, corner, derive, mix, premix};
use crate::limits::{Parameters, parameters};
use crate::noise::gradient::check_period;

/// What cellular noise returns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "describe", derive(strum::EnumMessage, strum::IntoStaticStr, strum::EnumIter))]
pub enum CellularOutput {
    /// The distance to the nearest feature point.
    #[default]
    F1,
    /// The distance to the second nearest feature point.
    F2,
    /// F2 - F1: zero on the borders between cells, which look like cracks.
    F2MinusF1,
    /// A random value from -1 to 1 for each cell: mesas with flat tops. `ramp` is the width of the
    /// ramps between them.
    CellValue,
}

parameters! {
    /// Cellular noise: distances to random feature points, one in each cell of the integer lattice.
    ///
    /// The feature point of lattice cell c is c + 1/2 + jitter (r - 1/2). r is a hash of c, uniform
    /// in the unit cube. F1 <= F2 are the distances to the nearest two points in the [`Metric`].
    ///
    /// # Cell values
    /// A value that jumps from cell to cell has no finite slope, so rays, levels of detail and all
    /// composed bounds would fail. `CellValue` is the steepest continuous replacement: with the
    /// values v_i, the distances d_i and `ramp` b,
    ///
    /// n = min over i of (v_i + 2 (d_i - F1) / b).
    ///
    /// Inside a cell n is the cell's own value. It falls to that of a lower neighbour along a ramp
    /// inside the higher cell, where d_i - F1 is less than b (v_1 - v_i) / 2. Every border has the
    /// value of the lower cell. A small `ramp` comes as close to jumps as needed.
    ///
    /// # Properties
    /// * Gradient: exact, from the gradient u_i of each distance, see [`Metric`]. That of
    ///   `CellValue` is 2 (u_i - u_1) / b on ramps and 0 on tops.
    /// * Hessian: exact, from that of each distance.
    /// * Creases: at feature points and where two points tie. The gradient there is that of one of
    ///   the points; at a feature point, distance, gradient and Hessian are 0. Ramps also have a
    ///   crease at each end.
    /// * Range: F1 from 0, up to the diameter of a cell in the metric. F2 and F2 - F1 from 0, up to
    ///   the second row. `CellValue` from -1 to 1.
    ///
    /// | | metric | 1D | 2D | 3D | 4D |
    /// |---|---|---|---|---|---|
    /// | F1 | Euclidean | 1 | sqrt 2 | sqrt 3 | 2 |
    /// | | Manhattan | 1 | 2 | 3 | 4 |
    /// | | Chebyshev | 1 | 1 | 1 | 1 |
    /// | F2 | Euclidean | 1.5 | sqrt 2.5 | sqrt 3 | 2 |
    /// | | Manhattan | 1.5 | 2 | 3 | 4 |
    /// | | Chebyshev | 1.5 | 1.5 | 1.5 | 1.5 |
    ///
    /// * Lipschitz constant: that of the metric for F1 and F2, twice that for F2 - F1, and 4 / b
    ///   times it for `CellValue`.
    /// * Domain: coordinates up to [`MAX_CELL`](crate::lattice::MAX_CELL) from zero, NaN beyond.
    /// * The search for feature points is exact: it covers every cell whose feature point can
    ///   affect the result.
    ///
    /// Sources: Steven Worley, "A Cellular Texture Basis Function", SIGGRAPH 1996. The minimum of
    /// cones is the Lipschitz extension of E. J. McShane, "Extension of range of functions", 1934.
    pub struct Cellular<const N: usize> {
        /// The seed. Different seeds give unrelated noise.
        seed: u64 = 0,
        /// What the noise returns.
        output: CellularOutput = CellularOutput::F1,
        /// How distances are measured.
        metric: Metric = Metric::Euclidean,
        /// The number of cells after which the noise repeats along each axis, 0 to 2^31; 0 means no
        /// period.
        #[cfg_attr(feature = "serde", serde(with = "serde_with::As::<[serde_with::Same; N]>"))]
        period: [u32; N] = [0; N],
    }
    numbers {
        /// How far feature points can be from the middle of their cells: 0 is a regular grid, 1
        /// allows the whole cell.
        jitter: f32 = 1 "", 0 to 1;
        /// The width of the ramps between cell values, as a difference of distances over which the
        /// value changes by 2. Other outputs do not use it.
        ramp: f32 = 0.2 "cells", 0.01 to 0.5;
    }
}

impl<const N: usize> Cellular<N> {
    /// The distance to the nearest point, with another seed.
    pub fn seeded(seed: u64) -> Self {
        Self { seed, ..Self::default() }
    }

    pub(crate) fn check(&self) -> Result<(), DataError> {
        self.check_numbers()?;
        check_period(&self.period)
    }

    /// The maximum distance along each axis, in cells, from the cell of p to one whose feature
    /// point can affect the result.
    ///
    /// Cells farther than r away along an axis are at a distance of r or more, in every metric.
    pub(crate) fn reach(&self) -> usize {
        let farthest = match self.output {
            CellularOutput::F1 | CellularOutput::F2 | CellularOutput::F2MinusF1 => {
                self.metric.second(N)
            }
            CellularOutput::CellValue => self.metric.first(N) + f64::from(self.ramp),
        };
        farthest.ceil() as usize
    }
}

/// How cellular noise measures the distance from a feature point to p.
///
/// With x = p - point, the gradient of the distance is unique except where two axes tie (Chebyshev)
/// or a coordinate of x is 0 (Manhattan).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "describe", derive(strum::EnumMessage, strum::IntoStaticStr, strum::EnumIter))]
pub enum Metric {
    /// The length of x, for round cells. Gradient u = x / |x|, Hessian (I - u u^T) / |x|. Lipschitz
    /// constant 1.
    #[default]
    Euclidean,
    /// The sum of the absolute coordinates of x, for cells with borders along the axes and the
    /// diagonals. The components of the gradient are the signs of the coordinates, 0 for a
    /// coordinate of 0. The Hessian is 0. Lipschitz constant sqrt N.
    Manhattan,
    /// The largest absolute coordinate of x, for square cells. The gradient is the sign of that
    /// coordinate along its axis, the first axis where several tie. The Hessian is 0. Lipschitz
    /// constant 1.
    Chebyshev,
}

impl Metric {
    /// A bound on F1: the diameter of a cell, since the cell of p contains a feature point.
    pub(crate) fn first(self, dimensions: usize) -> f64 {
        match self {
            Metric::Euclidean => (dimensions as f64).sqrt(),
            Metric::Manhattan => dimensions as f64,
            Metric::Chebyshev => 1.0,
        }
    }

    /// A bound on F2.
    ///
    /// Let m <= 1/2 be the distance of p from the nearest border of its cell, and N the number of
    /// dimensions. The feature point of the cell of p is within 1 - m of p along each axis. That of
    /// the cell beyond the border is within 1 + m along one axis and 1 - m along the others. The
    /// larger of both distances bounds F2:
    ///
    /// - Euclidean: N (1 - m)^2 and (1 + m)^2 + (N - 1) (1 - m)^2 are convex in m, so the largest
    ///   is at m = 0 or m = 1/2: the square root of N or (N + 8) / 4.
    /// - Manhattan: N (1 - m) and (1 + m) + (N - 1) (1 - m) are at most N, or 1.5 for N = 1.
    /// - Chebyshev: 1 + m is at most 1.5.
    pub(crate) fn second(self, dimensions: usize) -> f64 {
        let n = dimensions as f64;
        match self {
            Metric::Euclidean => n.max((n + 8.0) / 4.0).sqrt(),
            Metric::Manhattan => n.max(1.5),
            Metric::Chebyshev => 1.5,
        }
    }

    /// The Lipschitz constant of a distance.
    pub(crate) fn lipschitz(self, dimensions: usize) -> f64 {
        match self {
            Metric::Euclidean | Metric::Chebyshev => 1.0,
            Metric::Manhattan => (dimensions as f64).sqrt(),
        }
    }

    /// The contribution of one coordinate to [`measure`](Self::measure), and the measure of a
    /// distance.
    #[inline(always)]
    fn part(self, x: f32) -> f32 {
        match self {
            Metric::Euclidean => x * x,
            Metric::Manhattan | Metric::Chebyshev => x.abs(),
        }
    }

    /// A number that orders distances: the squared Euclidean distance, other distances unchanged.
    #[inline(always)]
    fn measure(self, parts: impl Iterator<Item = f32>) -> f32 {
        match self {
            Metric::Euclidean | Metric::Manhattan => parts.sum(),
            Metric::Chebyshev => parts.fold(0.0, f32::max),
        }
    }

    /// The distance with a given measure.
    #[inline(always)]
    fn distance(self, measure: f32) -> f32 {
        match self {
            Metric::Euclidean => measure.sqrt(),
            Metric::Manhattan | Metric::Chebyshev => measure,
        }
    }

    /// The distance of the measured vector x, with its gradient.
    fn sample<const N: usize>(self, x: [f32; N], measure: f32) -> Sample<N> {
        let value = self.distance(measure);
        let sign = |x: f32| if x == 0.0 { 0.0 } else { 1f32.copysign(x) };
        let gradient = match self {
            Metric::Euclidean => {
                let scale = if value > 0.0 { 1.0 / value } else { 0.0 };
                x.each(|x| x * scale)
            }
            Metric::Manhattan => x.each(sign),
            Metric::Chebyshev => {
                let largest = x.iter().position(|x| x.abs() == value);
                arrays::from_fn(|k| if largest == Some(k) { sign(x[k]) } else { 0.0 })
            }
        };
        Sample { value, gradient }
    }

    /// An entry of the Hessian of a distance.
    fn hessian_entry<const N: usize>(self, distance: Sample<N>, j: usize, k: usize) -> f32 {
        let Sample { value, gradient } = distance;
        if self != Metric::Euclidean || value == 0.0 {
            return 0.0;
        }
        let own = if j == k { 1.0 } else { 0.0 };
        (own - gradient[j] * gradient[k]) / value
    }
}

/// The cells to search around that of a point along an axis, near ones first, so that far ones can
/// be skipped early.
const STEPS: [i64; 11] = [0, -1, 1, -2, 2, -3, 3, -4, 4, -5, 5];

/// Cellular noise, prepared for evaluation.
#[derive(Clone, Debug)]
pub(crate) struct CellularPoints<const N: usize> {
    keys: [Key; N],
    period: [u32; N],
    output: CellularOutput,
    metric: Metric,
    jitter: f32,
    /// Half the ramp of cell values.
    half_ramp: f32,
    /// The maximum distance in cells of a feature point that can affect the result.
    reach: usize,
}

/// A feature point: the vector from it to p, and the measure of its distance.
#[derive(Clone, Copy)]
struct Feature<const N: usize> {
    to: [f32; N],
    measure: f32,
    /// The hash from which the value of its cell is drawn.
    hash: u32,
}

/// The nearest cell, and the cell with the lowest cone at p.
struct Cones<const N: usize> {
    nearest: (Sample<N>, f32),
    lowest: (Sample<N>, f32),
}

impl<const N: usize> CellularPoints<N> {
    pub fn new(noise: &Cellular<N>, seed: u64, period: [u32; N]) -> Self {
        Self {
            keys: arrays::from_fn(|k| Key::new(derive(seed, k as u64))),
            period,
            output: noise.output,
            metric: noise.metric,
            jitter: noise.jitter,
            half_ramp: 0.5 * noise.ramp,
            reach: noise.reach(),
        }
    }

    /// The noise at p, with its gradient.
    pub fn sample(&self, mapping: &LatticeMapping<N>, p: [f64; N]) -> Sample<N> {
        let parts = parts(mapping, p);
        if parts.iter().any(|part| part.1.is_nan()) {
            return Sample::OUTSIDE;
        }
        let sample = if self.output == CellularOutput::CellValue {
            self.cell_value(&parts)
        } else {
            let [first, second] = self.nearest(&parts);
            match self.output {
                CellularOutput::F1 | CellularOutput::CellValue => self.measured(&first),
                CellularOutput::F2 => self.measured(&second),
                CellularOutput::F2MinusF1 => self.measured(&second) - self.measured(&first),
            }
        };
        Sample { gradient: sample.gradient.each(|x| x * mapping.frequency as f32), ..sample }
    }

    /// The second derivatives of [`sample`](Self::sample).
    pub fn hessian(&self, mapping: &LatticeMapping<N>, p: [f64; N]) -> [[f32; N]; N] {
        let parts = parts(mapping, p);
        let frequency = mapping.frequency as f32;
        let squared = frequency * frequency;
        // The noise is `weight` times the difference of two distances, or one of them.
        let (distance, from, weight) = if self.output == CellularOutput::CellValue {
            let Cones { nearest, lowest } = self.cones(&parts);
            (lowest.0, Some(nearest.0), 1.0 / self.half_ramp)
        } else {
            let [first, second] = self.nearest(&parts).each(|feature| self.measured(&feature));
            match self.output {
                CellularOutput::F1 | CellularOutput::CellValue => (first, None, 1.0),
                CellularOutput::F2 => (second, None, 1.0),
                CellularOutput::F2MinusF1 => (second, Some(first), 1.0),
            }
        };
        let entry = |sample, j, k| self.metric.hessian_entry(sample, j, k);
        symmetric(|j, k| match from {
            None => entry(distance, j, k) * squared,
            Some(from) => (entry(distance, j, k) - entry(from, j, k)) * weight * squared,
        })
    }

    /// The noise for the kernel, in two dimensions. `None` if the kernel does not support it.
    pub fn in_plane(&self, mapping: &LatticeMapping<N>) -> Option<kernel::PointwiseKind> {
        if self.period != [0; N] || self.metric != Metric::Euclidean {
            return None;
        }
        let measure = match self.output {
            CellularOutput::F1 => kernel::CellularMeasure::F1,
            CellularOutput::F2 => kernel::CellularMeasure::F2,
            CellularOutput::F2MinusF1 => kernel::CellularMeasure::F2MinusF1,
            CellularOutput::CellValue => return None,
        };
        Some(kernel::PointwiseKind::Cellular(kernel::CellularKernel {
            keys: [self.keys[0], self.keys[1]],
            measure,
            jitter: self.jitter,
            slope: mapping.frequency as f32,
        }))
    }

    /// The distance of a feature point with its gradient.
    fn measured(&self, feature: &Feature<N>) -> Sample<N> {
        self.metric.sample(feature.to, feature.measure)
    }

    /// The two nearest feature points. With the output F1, the second one is meaningless.
    fn nearest(&self, parts: &[(i64, f32); N]) -> [Feature<N>; 2] {
        let none = Feature { to: [0.0; N], measure: f32::INFINITY, hash: 0 };
        let [mut first, mut second] = [none; 2];
        self.search(parts, |point| {
            if point.measure < first.measure {
                (first, second) = (point, first);
            } else if point.measure < second.measure {
                second = point;
            }
            if self.output == CellularOutput::F1 { first.measure } else { second.measure }
        });
        [first, second]
    }

    /// The value of the lowest cone, v_i + (d_i - F1) / half the ramp.
    fn cell_value(&self, parts: &[(i64, f32); N]) -> Sample<N> {
        let Cones { nearest: (nearest, own), lowest: (lowest, value) } = self.cones(parts);
        let difference = lowest - nearest;
        let scale = 1.0 / self.half_ramp;
        // Rounding must not raise it above the value of its own cell.
        let value = (value + difference.value * scale).min(own);
        Sample { value, gradient: difference.gradient.each(|x| x * scale) }
    }

    /// Cones are compared by half the ramp times their height, plus F1: d_i + v_i half the ramp.
    fn cones(&self, parts: &[(i64, f32); N]) -> Cones<N> {
        let none = Feature { to: [0.0; N], measure: f32::INFINITY, hash: 0 };
        let [mut nearest, mut lowest] = [none; 2];
        let mut lowest_height = f32::INFINITY;
        self.search(parts, |point| {
            let height = self.metric.distance(point.measure) + self.half_ramp * value(point.hash);
            if point.measure < nearest.measure {
                nearest = point;
            }
            if height < lowest_height {
                (lowest, lowest_height) = (point, height);
            }
            // No value is below -1.
            self.metric.part(lowest_height + self.half_ramp)
        });
        let valued = |point: Feature<N>| (self.measured(&point), value(point.hash));
        Cones { nearest: valued(nearest), lowest: valued(lowest) }
    }

    /// Visits the feature points of the cells around a point, axis 0 fastest, and skips cells at a
    /// measure of `limit` or more. The visitor returns the limit for the remaining cells.
    #[inline(always)]
    fn search(&self, parts: &[(i64, f32); N], mut visit: impl FnMut(Feature<N>) -> f32) {
        let mut limit = f32::INFINITY;
        let count = 2 * self.reach + 1;
        // The contribution of the gap between the point and each cell to its measure.
        let mut gaps = [[0.0; STEPS.len()]; N];
        for (gaps, (_, t)) in gaps.iter_mut().zip(parts) {
            for (gap, &step) in gaps.iter_mut().zip(&STEPS[..count]) {
                let step = step as f32;
                *gap = self.metric.part((step - t).max(t - (step + 1.0)).max(0.0));
            }
        }
        let mut digits = [0; N];
        loop {
            // A gap along one axis may be too wide for a whole row, plane or space of cells.
            let wide = (0..N).rev().find(|&k| gaps[k][digits[k]] >= limit);
            if wide.is_none() {
                let measure = self.metric.measure((0..N).map(|k| gaps[k][digits[k]]));
                // This measure cannot be NaN.
                if measure < limit {
                    limit = visit(self.feature(parts, digits.each(|digit| STEPS[digit])));
                }
            }
            let mut axis = wide.unwrap_or(0);
            digits[..axis].fill(0);
            loop {
                digits[axis] += 1;
                if digits[axis] < count {
                    break;
                }
                digits[axis] = 0;
                axis += 1;
                if axis == N {
                    return;
                }
            }
        }
    }

    #[inline(always)]
    fn feature(&self, parts: &[(i64, f32); N], step: [i64; N]) -> Feature<N> {
        let mut hash = corner::<N>(arrays::from_fn(|k| {
            premix(wrap(parts[k].0.wrapping_add(step[k]), self.period[k]), &self.keys[k])
        }));
        let to: [f32; N] = arrays::from_fn(|k| {
            hash = mix(hash.wrapping_add(INCREMENT));
            // From -1/2 to 1/2.
            let stray = hash as i32 as f32 / (1u64 << 32) as f32;
            (parts[k].1 - step[k] as f32) - (0.5 + self.jitter * stray)
        });
        let measure = self.metric.measure(to.iter().map(|&x| self.metric.part(x)));
        Feature { to, measure, hash }
    }
}

/// The value of a cell, from -1 to 1, from the last hash of its feature point.
#[inline(always)]
fn value(hash: u32) -> f32 {
    mix(hash.wrapping_add(INCREMENT)) as i32 as f32 / (1u32 << 31) as f32
}

/// The cell of a point along each axis, and the offset in it.
fn parts<const N: usize>(mapping: &LatticeMapping<N>, p: [f64; N]) -> [(i64, f32); N] {
    arrays::from_fn(|k| {
        let (cell, t) = split(p[k], mapping.frequency, mapping.offset[k]);
        (cell, t as f32)
    })
}
