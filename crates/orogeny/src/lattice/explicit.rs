//! The explicit lattice, whose points are listed one by one.

use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::arrays::Each;
use crate::lattice::{Corner, Points};
use crate::limits::LATTICE_POINTS;
#[cfg(feature = "serde")]
use crate::limits::{MAX_LATTICE_POINTS, arrays_at_most, at_most};

/// Gradients and values of a grid that wraps around, the first axis running fastest.
///
/// In two dimensions the point (i, j) has `gradients[i + size[0] * j]`, with indices modulo the
/// size.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct LatticeGrid<const N: usize> {
    /// The number of points along each axis, at least 1, at most 65,536 in all.
    #[cfg_attr(feature = "serde", serde(with = "serde_with::As::<[serde_with::Same; N]>"))]
    pub size: [u32; N],
    /// The lattice gradients, with components within +-1e6. Empty for values only.
    #[cfg_attr(
        feature = "serde",
        serde(serialize_with = "serde_with::As::<Vec<[serde_with::Same; N]>>::serialize"),
        serde(deserialize_with = "arrays_at_most::<MAX_LATTICE_POINTS, N, _, _>"),
        serde(default)
    )]
    pub gradients: Vec<[f32; N]>,
    /// The values, within +-1e6. Empty for gradients only.
    #[cfg_attr(
        feature = "serde",
        serde(deserialize_with = "at_most::<MAX_LATTICE_POINTS, _, _>"),
        serde(default)
    )]
    pub values: Vec<f32>,
}

impl LatticeGrid<1> {
    /// A list of gradients in one dimension.
    pub fn gradients(list: impl IntoIterator<Item = f32>) -> Self {
        let gradients: Vec<_> = list.into_iter().map(|g| [g]).collect();
        Self { size: [gradients.len() as u32], gradients, values: Vec::new() }
    }

    /// A list of values in one dimension.
    pub fn values(list: impl IntoIterator<Item = f32>) -> Self {
        let values: Vec<_> = list.into_iter().collect();
        Self { size: [values.len() as u32], gradients: Vec::new(), values }
    }
}

impl<const N: usize> LatticeGrid<N> {
    /// The number of points. `None` if it is zero or too large.
    pub(crate) fn points(&self) -> Option<usize> {
        let points =
            self.size.iter().try_fold(1usize, |product, &n| product.checked_mul(n as usize))?;
        LATTICE_POINTS.check(points as f64).ok().map(|()| points)
    }

    /// The corners for evaluation. Each list must be empty or have one item for each point.
    pub(crate) fn corners(&self) -> Arc<[Corner<N>]> {
        let corner = |i: usize| Corner {
            gradient: self.gradients.get(i).copied().unwrap_or([0.0; N]),
            value: self.values.get(i).copied().unwrap_or(0.0),
        };
        (0..self.points().unwrap_or(0)).map(corner).collect()
    }
}

/// Gradients and values by lookup.
#[derive(Clone, Debug)]
pub(crate) struct Explicit<const N: usize> {
    size: [i64; N],
    corners: Arc<[Corner<N>]>,
}

impl<const N: usize> Explicit<N> {
    /// `corners` must be those of the grid.
    pub fn new(grid: &LatticeGrid<N>, corners: Arc<[Corner<N>]>) -> Self {
        Self { size: grid.size.each(i64::from), corners }
    }
}

impl<const N: usize> Points<N> for Explicit<N> {
    #[inline(always)]
    fn line(&self, axis: usize, cell: i64) -> u32 {
        let stride: i64 = self.size[..axis].iter().product();
        (cell.rem_euclid(self.size[axis]) * stride) as u32
    }

    #[inline(always)]
    fn corner(&self, lines: [u32; N], _heights: bool) -> Corner<N> {
        self.corners[lines.iter().sum::<u32>() as usize]
    }
}
