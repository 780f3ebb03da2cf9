//! Cellular noise at a point: the search for feature points, and the results.

use core::array;

use crate::derivative::jet::symmetric;
use crate::derivative::sample::Sample;
use crate::kernel;
use crate::lattice::axis::wrap;
use crate::lattice::cell::split;
use crate::lattice::hash::{INCREMENT, Key, corner, derive, mix, premix};
use crate::lattice::mapping::LatticeMapping;
use crate::noise::cellular::{Cellular, CellularOutput, Metric};

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
            keys: array::from_fn(|k| Key::new(derive(seed, k as u64))),
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
        Sample { gradient: sample.gradient.map(|x| x * mapping.frequency as f32), ..sample }
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
            let [first, second] = self.nearest(&parts).map(|feature| self.measured(&feature));
            match self.output {
                CellularOutput::F1 | CellularOutput::CellValue => (first, None, 1.0),
                CellularOutput::F2 => (second, None, 1.0),
                CellularOutput::F2MinusF1 => (second, Some(first), 1.0),
            }
        };
        let bend = |sample, j, k| self.metric.bend(sample, j, k);
        symmetric(|j, k| match from {
            None => bend(distance, j, k) * squared,
            Some(from) => (bend(distance, j, k) - bend(from, j, k)) * weight * squared,
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
        Sample { value, gradient: difference.gradient.map(|x| x * scale) }
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
            self.metric.measure_of(lowest_height + self.half_ramp)
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
                    limit = visit(self.feature(parts, digits.map(|digit| STEPS[digit])));
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
        let mut hash = corner::<N>(array::from_fn(|k| {
            premix(wrap(parts[k].0.wrapping_add(step[k]), self.period[k]), &self.keys[k])
        }));
        let to: [f32; N] = array::from_fn(|k| {
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
    array::from_fn(|k| {
        let (cell, t) = split(p[k], mapping.frequency, mapping.offset[k]);
        (cell, t as f32)
    })
}
