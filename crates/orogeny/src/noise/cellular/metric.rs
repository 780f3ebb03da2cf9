//! How cellular noise measures distances.

use core::array;

use crate::derivative::sample::Sample;
#[cfg(not(feature = "std"))]
use crate::float::Float as _;

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

    /// The contribution of one coordinate to [`measure`](Self::measure).
    #[inline(always)]
    pub(super) fn part(self, x: f32) -> f32 {
        match self {
            Metric::Euclidean => x * x,
            Metric::Manhattan | Metric::Chebyshev => x.abs(),
        }
    }

    /// A number that orders distances: the squared Euclidean distance, other distances unchanged.
    #[inline(always)]
    pub(super) fn measure(self, parts: impl Iterator<Item = f32>) -> f32 {
        match self {
            Metric::Euclidean | Metric::Manhattan => parts.sum(),
            Metric::Chebyshev => parts.fold(0.0, f32::max),
        }
    }

    /// The measure of a distance.
    #[inline(always)]
    pub(super) fn measure_of(self, distance: f32) -> f32 {
        self.part(distance)
    }

    /// The distance with a given measure.
    #[inline(always)]
    pub(super) fn distance(self, measure: f32) -> f32 {
        match self {
            Metric::Euclidean => measure.sqrt(),
            Metric::Manhattan | Metric::Chebyshev => measure,
        }
    }

    /// The distance of the measured vector x, with its gradient.
    pub(super) fn sample<const N: usize>(self, x: [f32; N], measure: f32) -> Sample<N> {
        let value = self.distance(measure);
        let sign = |x: f32| if x == 0.0 { 0.0 } else { 1f32.copysign(x) };
        let gradient = match self {
            Metric::Euclidean => {
                let scale = if value > 0.0 { 1.0 / value } else { 0.0 };
                x.map(|x| x * scale)
            }
            Metric::Manhattan => x.map(sign),
            Metric::Chebyshev => {
                let largest = x.iter().position(|x| x.abs() == value);
                array::from_fn(|k| if largest == Some(k) { sign(x[k]) } else { 0.0 })
            }
        };
        Sample { value, gradient }
    }

    /// An entry of the Hessian of a distance.
    pub(super) fn bend<const N: usize>(self, distance: Sample<N>, j: usize, k: usize) -> f32 {
        let Sample { value, gradient } = distance;
        if self != Metric::Euclidean || value == 0.0 {
            return 0.0;
        }
        let own = if j == k { 1.0 } else { 0.0 };
        (own - gradient[j] * gradient[k]) / value
    }
}
