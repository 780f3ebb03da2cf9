//! Cellular noise, known as Worley noise: distances to random feature points.
//!
//! `Cellular` describes the noise and `CellularPoints` (points.rs) evaluates it. `Metric`
//! (metric.rs) measures distances and has their maxima. noise/bounds.rs derives the proven bounds
//! from those. Start with the formulas of `Cellular`.

mod metric;
mod points;

pub use metric::Metric;
pub(crate) use points::CellularPoints;

use crate::error::DataError;
#[cfg(not(feature = "std"))]
use crate::float::Float as _;
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
