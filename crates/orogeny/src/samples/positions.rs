//! Where fields are evaluated: coordinates along each axis of a grid, or scattered points.

use core::array;

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
            Positions::Grid(axes) => array::from_fn(|k| range(axes[k].list())),
            Positions::Points(points) => points.iter().fold([EMPTY; N], |ranges, p| {
                array::from_fn(|k| [ranges[k][0].min(p[k]), ranges[k][1].max(p[k])])
            }),
        };
        let is_some = ranges.iter().all(|[low, high]| low <= high);
        is_some.then(|| [0, 1].map(|end| ranges.map(|range| range[end])))
    }

    /// One of the positions.
    pub fn at(&self, mut index: usize) -> [f64; N] {
        match self {
            Positions::Grid(axes) => array::from_fn(|k| {
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
    let mut p = array::from_fn(|k| axes[k].list()[0]);
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
