//! Where fields are evaluated: regular grids of points, and scattered points.

use core::array;

use crate::kernel::PlaneGrid;

/// A regular grid of points: index (i, j, ..) stands for the point `origin + spacing * (i, j, ..)`.
///
/// The coordinates are computed in `f64`. Where origin and spacing are multiples of one power of
/// two they are exact, so two grids that share points pass the very same coordinates for them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Grid<const N: usize> {
    /// The point with all indices zero.
    pub origin: [f64; N],
    /// The distance between neighbours along every axis.
    pub spacing: f64,
    /// The number of points along each axis.
    pub size: [usize; N],
}

impl<const N: usize> Grid<N> {
    /// The number of points.
    pub fn len(&self) -> usize {
        self.size.iter().product()
    }

    /// Whether the grid has no point.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether no coordinate is infinite or NaN.
    pub(crate) fn is_finite(&self) -> bool {
        // Those between the first and the last of an axis are between these.
        let ends = |k: usize| [0, self.size[k].saturating_sub(1)].map(|i| self.coordinate(k, i));
        (0..N).all(|k| ends(k).iter().all(|x| x.is_finite()))
    }

    /// The coordinate along `axis` of all points whose index along it is `index`.
    #[inline]
    pub fn coordinate(&self, axis: usize, index: usize) -> f64 {
        self.origin[axis] + self.spacing * index as f64
    }

    /// The indices of every point, the first axis running fastest: the order of
    /// [`Samples`](crate::Samples).
    pub fn indices(&self) -> impl Iterator<Item = [usize; N]> + use<N> {
        let size = self.size;
        (0..self.len()).map(move |mut flat| {
            array::from_fn(|k| {
                let index = flat % size[k];
                flat /= size[k];
                index
            })
        })
    }

    /// The indices of the first point of every row along axis 0, in the order of
    /// [`Samples`](crate::Samples).
    pub(crate) fn rows(&self) -> impl Iterator<Item = [usize; N]> + use<N> {
        let mut first = *self;
        first.size[0] = 1;
        first.indices()
    }

    /// The first two axes, for the kernel.
    pub(crate) fn plane(&self) -> PlaneGrid {
        PlaneGrid {
            origin: array::from_fn(|k| self.origin[k]),
            spacing: [self.spacing; 2],
            size: array::from_fn(|k| self.size[k]),
        }
    }

    /// Every point, in the order of [`Samples`](crate::Samples).
    pub fn points(&self) -> impl Iterator<Item = [f64; N]> + use<N> {
        let grid = *self;
        self.indices().map(move |index| array::from_fn(|k| grid.coordinate(k, index[k])))
    }
}

/// Where a field is evaluated.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Positions<'a, const N: usize> {
    Grid(&'a Grid<N>),
    Points(&'a [[f64; N]]),
}

impl<const N: usize> Positions<'_, N> {
    pub fn len(&self) -> usize {
        match self {
            Positions::Grid(grid) => grid.len(),
            Positions::Points(points) => points.len(),
        }
    }

    /// Whether no coordinate is infinite or NaN.
    pub fn are_finite(&self) -> bool {
        match self {
            Positions::Grid(grid) => grid.is_finite(),
            Positions::Points(points) => points.as_flattened().iter().all(|x| x.is_finite()),
        }
    }

    /// One of the positions.
    pub fn at(&self, mut index: usize) -> [f64; N] {
        match self {
            Positions::Grid(grid) => array::from_fn(|k| {
                let along = index % grid.size[k];
                index /= grid.size[k];
                grid.coordinate(k, along)
            }),
            Positions::Points(points) => points[index],
        }
    }

    /// Sends every position, with its index, to `visit`.
    pub fn visit(&self, mut visit: impl FnMut(usize, [f64; N])) {
        match self {
            Positions::Grid(grid) => grid.points().enumerate().for_each(|(i, p)| visit(i, p)),
            Positions::Points(points) => points.iter().enumerate().for_each(|(i, &p)| visit(i, p)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_axis_runs_fastest() {
        let grid = Grid { origin: [10.0, 20.0], spacing: 0.5, size: [3, 2] };
        let points: Vec<_> = grid.points().collect();
        assert_eq!(points.len(), grid.len());
        assert_eq!(points[0], [10.0, 20.0]);
        assert_eq!(points[1], [10.5, 20.0]);
        assert_eq!(points[3], [10.0, 20.5]);
        assert_eq!(points[5], [11.0, 20.5]);
    }
}
