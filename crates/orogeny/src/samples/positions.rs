//! Where fields are evaluated: coordinates along each axis of a grid, or scattered points.

use crate::arrays::{self, Each};
use crate::kernel::Coordinates;

/// Where a field is evaluated.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Positions<'a, const N: usize> {
    /// All points whose coordinate along each axis is in the list of that axis. The first axis runs
    /// fastest. A [`Grid`](crate::Grid) is one, scaled and translated or not.
    Grid(&'a [Coordinates; N]),
    Points(&'a [[f64; N]]),
}

impl<const N: usize> Positions<'_, N> {
    pub fn len(&self) -> usize {
        match self {
            Positions::Grid(axes) => axes.iter().map(|axis| axis.list().len()).product(),
            Positions::Points(points) => points.len(),
        }
    }

    /// Whether no coordinate is infinite or NaN.
    pub fn are_finite(&self) -> bool {
        let finite = |list: &[f64]| list.iter().all(|x| x.is_finite());
        match self {
            Positions::Grid(axes) => axes.iter().all(|axis| finite(axis.list())),
            Positions::Points(points) => finite(points.as_flattened()),
        }
    }

    /// The corners with the minimum and the maximum coordinates of the box around all positions;
    /// `None` if there are none. NaN does not count.
    pub fn extent(&self) -> Option<[[f64; N]; 2]> {
        let range = |list: &[f64]| list.iter().fold(EMPTY, |[a, b], &x| [a.min(x), b.max(x)]);
        const EMPTY: [f64; 2] = [f64::INFINITY, f64::NEG_INFINITY];
        let ranges: [[f64; 2]; N] = match self {
            Positions::Grid(axes) => arrays::from_fn(|k| range(axes[k].list())),
            Positions::Points(points) => points.iter().fold([EMPTY; N], |ranges, p| {
                arrays::from_fn(|k| [ranges[k][0].min(p[k]), ranges[k][1].max(p[k])])
            }),
        };
        let is_some = ranges.iter().all(|[low, high]| low <= high);
        is_some.then(|| [0, 1].each(|end| ranges.each(|range| range[end])))
    }

    /// One of the positions.
    pub fn at(&self, mut index: usize) -> [f64; N] {
        match self {
            Positions::Grid(axes) => arrays::from_fn(|k| {
                let list = axes[k].list();
                let along = index % list.len();
                index /= list.len();
                list[along]
            }),
            Positions::Points(points) => points[index],
        }
    }

    /// Calls `visit` with the index and coordinates of every position.
    #[inline]
    pub fn visit(&self, mut visit: impl FnMut(usize, [f64; N])) {
        match self {
            Positions::Grid(axes) => {
                for_each_row(axes, |row, mut p| {
                    let columns = axes[0].list();
                    for (i, &x) in columns.iter().enumerate() {
                        p[0] = x;
                        visit(row * columns.len() + i, p);
                    }
                });
            }
            Positions::Points(points) => points.iter().enumerate().for_each(|(i, &p)| visit(i, p)),
        }
    }
}

/// Calls `visit` for each row along axis 0, with its number and the position of its first point.
fn for_each_row<const N: usize>(axes: &[Coordinates; N], mut visit: impl FnMut(usize, [f64; N])) {
    if axes.iter().any(|axis| axis.list().is_empty()) {
        return;
    }
    let mut index = [0; N];
    let mut p = arrays::from_fn(|k| axes[k].list()[0]);
    for row in 0.. {
        visit(row, p);
        // Like an odometer: the next index, and 0 for all axes before it that were at their end.
        let last = |k: usize| axes[k].list().len() - 1;
        let Some(axis) = (1..N).find(|&k| index[k] < last(k)) else { return };
        index[1..axis].fill(0);
        index[axis] += 1;
        for k in 1..=axis {
            p[k] = axes[k].list()[index[k]];
        }
    }
}

/// A regular grid of points.
///
/// The point of index (i, j, ..), counted from 0, has the coordinates
///
/// `origin[k] + spacing[k] * (start[k] + index[k])`,
///
/// computed in `f64` with one rounding for the product and one for the sum. The first axis runs
/// fastest: in two dimensions the index in [`Samples`](crate::Samples) is `i + size[0] * j`.
///
/// Any numbers are allowed. With a negative spacing the coordinates along an axis descend; with a
/// spacing of zero they are all equal. Points with an infinite or NaN coordinate get
/// [`Sample::OUTSIDE`](crate::Sample::OUTSIDE).
///
/// ```
/// use orogeny::Grid;
///
/// let grid = Grid::new([100.0, 200.0], 0.5, [3, 2]);
/// assert_eq!(grid.points().nth(1), Some([100.5, 200.0]));
/// assert_eq!(grid.points().nth(3), Some([100.0, 200.5]));
/// // A different spacing along each axis.
/// let wide = Grid { spacing: [2.0, 0.5], ..grid };
/// assert_eq!(wide.points().last(), Some([104.0, 200.5]));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Grid<const N: usize> {
    /// The point from which `start` and indices are counted.
    pub origin: [f64; N],
    /// The distance between neighbouring points along each axis.
    pub spacing: [f64; N],
    /// The index of the first point along each axis: 0, except in a part of a larger grid.
    ///
    /// It makes the coordinates of a part bit-identical to those of the whole grid. A different
    /// origin would not: at a spacing of 0.1, 0.3 + 0.4 is not 0.1 * 7.
    pub start: [usize; N],
    /// The number of points along each axis.
    pub size: [usize; N],
}

impl<const N: usize> Grid<N> {
    /// A grid with the same spacing along all axes.
    pub fn new(origin: [f64; N], spacing: f64, size: [usize; N]) -> Self {
        Self { origin, spacing: [spacing; N], start: [0; N], size }
    }

    /// The number of points, saturating at `usize::MAX`.
    pub fn len(&self) -> usize {
        self.size.iter().fold(1, |len, &side| len.saturating_mul(side))
    }

    /// Whether the grid has no point.
    pub fn is_empty(&self) -> bool {
        self.size.contains(&0)
    }

    /// A grid of `size` points starting at the index `first`, with coordinates bit-identical to
    /// those of this grid.
    ///
    /// The part may extend past the end of this grid.
    pub fn part(&self, first: [usize; N], size: [usize; N]) -> Self {
        let start = arrays::from_fn(|k| self.start[k].saturating_add(first[k]));
        Self { start, size, ..*self }
    }

    /// Splits the grid into at most `count` parts, for example one for each thread. Concatenated,
    /// their samples are bit-identical to those of the whole grid.
    ///
    /// The split is along the last axis with more than one point, as evenly as possible. There is
    /// always at least one band.
    ///
    /// ```
    /// use orogeny::{Field, Grid, Node, Samples};
    ///
    /// let noise = Node::<2>::noise(7).fbm(8).frequency(0.01).build()?;
    /// let grid = Grid::new([0.1, 0.2], 0.3, [64, 50]);
    /// let mut values = vec![0.0; grid.len()];
    /// std::thread::scope(|scope| {
    ///     let (noise, mut rest) = (&noise, &mut values[..]);
    ///     for band in grid.bands(4) {
    ///         let (part, next) = rest.split_at_mut(band.len());
    ///         rest = next;
    ///         scope.spawn(move || noise.value_grid(&band, part));
    ///     }
    /// });
    /// let mut whole = Samples::values_only();
    /// noise.sample_grid(&grid, &mut whole);
    /// assert_eq!(values, whole.values());
    /// # Ok::<(), orogeny::DataError>(())
    /// ```
    pub fn bands(&self, count: usize) -> impl ExactSizeIterator<Item = Self> + use<N> {
        let grid = *self;
        let axis = (0..N).rev().find(|&k| grid.size[k] > 1).unwrap_or(0);
        let side = grid.size[axis];
        let count = count.min(side).max(1);
        let (rows, longer) = (side / count, side % count);
        (0..count).map(move |band| {
            // The first `longer` bands have one more row.
            let (mut first, mut size) = ([0; N], grid.size);
            first[axis] = band * rows + band.min(longer);
            size[axis] = rows + usize::from(band < longer);
            grid.part(first, size)
        })
    }

    /// The coordinate along `axis` of all points whose index along it is `index`.
    #[inline]
    pub fn coordinate(&self, axis: usize, index: usize) -> f64 {
        self.origin[axis] + self.spacing[axis] * self.start[axis].saturating_add(index) as f64
    }

    /// The indices of all points, the first axis running fastest: the order of
    /// [`Samples`](crate::Samples).
    pub fn indices(&self) -> impl Iterator<Item = [usize; N]> + use<N> {
        let size = self.size;
        (0..self.len()).map(move |mut flat| {
            arrays::from_fn(|k| {
                let index = flat % size[k];
                flat /= size[k];
                index
            })
        })
    }

    /// The coordinates along `axis`; none for an empty grid.
    pub(crate) fn coordinates(&self, axis: usize) -> impl Iterator<Item = f64> + use<N> {
        let grid = *self;
        let count = if self.is_empty() { 0 } else { self.size[axis] };
        (0..count).map(move |index| grid.coordinate(axis, index))
    }

    /// All points, in the order of [`Samples`](crate::Samples).
    pub fn points(&self) -> impl Iterator<Item = [f64; N]> + use<N> {
        let grid = *self;
        self.indices().map(move |index| arrays::from_fn(|k| grid.coordinate(k, index[k])))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_axis_runs_fastest() {
        let grid = Grid::new([10.0, 20.0], 0.5, [3, 2]);
        let points: Vec<_> = grid.points().collect();
        assert_eq!(points.len(), grid.len());
        assert_eq!(points[0], [10.0, 20.0]);
        assert_eq!(points[1], [10.5, 20.0]);
        assert_eq!(points[3], [10.0, 20.5]);
        assert_eq!(points[5], [11.0, 20.5]);
    }

    #[test]
    fn the_length_does_not_overflow() {
        let grid = |size| Grid::new([0.0; 2], 1.0, size);
        let half = usize::MAX / 2;
        assert_eq!(grid([half, half]).len(), usize::MAX);
        assert!(!grid([half, half]).is_empty());
        assert_eq!(grid([usize::MAX, 0]).len(), 0);
        assert!(grid([usize::MAX, 0]).is_empty());
    }

    #[test]
    fn bands_are_the_points_of_the_whole() {
        for size in [[5, 1, 1], [3, 7, 1], [2, 3, 5], [4, 0, 2], [1, 1, 1]] {
            let grid = Grid { spacing: [0.1, -0.7, 0.0], ..Grid::new([0.3, 1.7, -2.0], 1.0, size) };
            // A part of a part too.
            for grid in [grid, grid.part([7, 1, 0], size)] {
                for count in 0..9 {
                    let bands: Vec<_> = grid.bands(count).collect();
                    assert!((1..=count.max(1)).contains(&bands.len()), "{size:?} {count}");
                    let points: Vec<_> = bands.iter().flat_map(Grid::points).collect();
                    assert_eq!(points, grid.points().collect::<Vec<_>>(), "{size:?} {count}");
                }
            }
        }
    }
}
