//! Proven bounds of the spline: of a cell, and of any rectangle of cells, by bounds of blocks in
//! levels that halve the resolution, so that they take a bounded number of look-ups.

use std::ops::Range;

use orogeny::Bounds;

/// Bounds of a part of the spline.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Hull {
    min: f64,
    max: f64,
    /// The squares of the largest gradient and of the largest second derivative.
    slope: f64,
    second: f64,
}

/// The same rounded outwards, in half the memory: in metres, metres per metre, and 1 per metre.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SmallHull([f32; 4]);

impl Hull {
    /// The bounds of nothing.
    pub const EMPTY: Self =
        Self { min: f64::INFINITY, max: f64::NEG_INFINITY, slope: 0.0, second: 0.0 };

    /// The bounds of a cell from the 4 x 4 coefficients around it, and the spacing of samples.
    ///
    /// The spline is within the range of its Bezier control points there, and its derivatives
    /// within that of theirs: differences of the control points.
    pub fn of_cell(patch: &[[f64; 4]; 4], [dx, dz]: [f64; 2]) -> Self {
        // By columns first: the rows of a matrix of points are then independent of each other.
        let p = bezier_columns(transpose(bezier_columns(transpose(*patch))));
        let [mut min, mut max] = [p[0], p[0]];
        // The largest derivatives: along x, along z, twice along x, along both, twice along z.
        let [mut x, mut z, mut xx, mut xz, mut zz] = [[0.0; 4]; 5];
        // Differences of neighbouring and of second neighbours within a row; the last ones are 0.
        let along = p.map(|[a, b, c, d]| [b - a, c - b, d - c, 0.0]);
        let seconds = along.map(|[a, b, c, _]| [b - a, c - b, 0.0, 0.0]);
        for j in 0..4 {
            for i in 0..4 {
                min[i] = -larger(-min[i], -p[j][i]);
                max[i] = larger(max[i], p[j][i]);
                x[i] = larger(x[i], along[j][i].abs());
                xx[i] = larger(xx[i], seconds[j][i].abs());
            }
        }
        for j in 0..3 {
            for i in 0..4 {
                z[i] = larger(z[i], (p[j + 1][i] - p[j][i]).abs());
                xz[i] = larger(xz[i], (along[j + 1][i] - along[j][i]).abs());
            }
        }
        for j in 0..2 {
            for i in 0..4 {
                zz[i] = larger(zz[i], (p[j + 2][i] - 2.0 * p[j + 1][i] + p[j][i]).abs());
            }
        }
        let largest = |all: [f64; 4]| larger(larger(all[0], all[1]), larger(all[2], all[3]));
        let [x, z, xx, xz, zz] = [x, z, xx, xz, zz].map(largest);
        let (min, max) = (-largest(min.map(|x| -x)), largest(max));
        let (x, z) = (x * (3.0 / dx), z * (3.0 / dz));
        let (xx, zz) = (xx * (6.0 / (dx * dx)), zz * (6.0 / (dz * dz)));
        let xz = xz * (9.0 / (dx * dz));
        // The Frobenius norm is at least the largest absolute eigenvalue.
        Self { min, max, slope: x * x + z * z, second: xx * xx + 2.0 * xz * xz + zz * zz }
    }

    /// The bounds of two parts together.
    pub fn or(self, other: Self) -> Self {
        Self {
            min: -larger(-self.min, -other.min),
            max: larger(self.max, other.max),
            slope: larger(self.slope, other.slope),
            second: larger(self.second, other.second),
        }
    }

    /// The largest value that the part may have.
    pub fn max(&self) -> f64 {
        self.max
    }

    pub fn small(self) -> SmallHull {
        let up = |x: f64| (x as f32).next_up();
        SmallHull([-up(-self.min), up(self.max), up(self.slope.sqrt()), up(self.second.sqrt())])
    }
}

impl SmallHull {
    pub const EMPTY: Self = Self([f32::INFINITY, f32::NEG_INFINITY, 0.0, 0.0]);

    /// The bounds of two parts together.
    pub fn or(self, other: Self) -> Self {
        let ([a, b, c, d], [min, max, slope, second]) = (self.0, other.0);
        Self([a.min(min), b.max(max), c.max(slope), d.max(second)])
    }

    /// The bounds of a constant.
    pub fn constant(value: f32) -> Self {
        Self([value, value, 0.0, 0.0])
    }

    /// The same with a Lipschitz constant of at least `slope`.
    pub fn at_least(self, slope: f64) -> Self {
        let [min, max, own, second] = self.0;
        Self([min, max, own.max((slope as f32).next_up()), second])
    }

    pub fn bounds(self) -> Bounds {
        let [min, max, lipschitz, curvature] = self.0.map(f64::from);
        Bounds { min, max, lipschitz, curvature }
    }
}

/// The Bezier control points between the second and the third of four coefficients of the uniform
/// cubic B-spline, of each column.
#[inline(always)]
fn bezier_columns([a, b, c, d]: [[f64; 4]; 4]) -> [[f64; 4]; 4] {
    let mut points = [[0.0; 4]; 4];
    for i in 0..4 {
        points[0][i] = (a[i] + 4.0 * b[i] + c[i]) * (1.0 / 6.0);
        points[1][i] = (2.0 * b[i] + c[i]) * (1.0 / 3.0);
        points[2][i] = (b[i] + 2.0 * c[i]) * (1.0 / 3.0);
        points[3][i] = (b[i] + 4.0 * c[i] + d[i]) * (1.0 / 6.0);
    }
    points
}

/// Without the rules of `f64::max` for NaN, which take longer.
#[inline(always)]
fn larger(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
}

#[inline(always)]
fn transpose([a, b, c, d]: [[f64; 4]; 4]) -> [[f64; 4]; 4] {
    let row = |i: usize| [a[i], b[i], c[i], d[i]];
    [row(0), row(1), row(2), row(3)]
}

/// The cells along a side of a block of the finest level, as a power of two.
const FINEST: usize = 3;
/// The most cells whose bounds are computed one by one.
const CELLS: usize = 64;
/// The most blocks along an axis that a query reads.
const MOST: usize = 8;

#[derive(Debug)]
struct Level {
    size: [usize; 2],
    blocks: Vec<SmallHull>,
}

/// The levels, the finest first; the last one is a single block.
#[derive(Debug)]
pub(crate) struct Pyramid {
    /// The cells along a side of a block of the finest level, as a power of two.
    finest: usize,
    levels: Vec<Level>,
}

impl Pyramid {
    /// The bounds of `cells` \[columns, rows\], from those of each.
    pub fn new(cells: [usize; 2], cell: impl Fn(usize, usize) -> Hull) -> Self {
        let blocks = blocks(cells, 1 << FINEST, cell);
        Self::of_blocks(FINEST, cells.map(|count| count.div_ceil(1 << FINEST)), blocks)
    }

    /// The bounds from those of blocks, of 2^`finest` cells a side; `size` is their number.
    pub fn of_blocks(finest: usize, size: [usize; 2], blocks: Vec<SmallHull>) -> Self {
        let mut levels = vec![Level { size, blocks }];
        while let Some(last) = levels.last().filter(|last| last.blocks.len() > 1) {
            let next = Level::new(last.size, 2, |columns, rows| {
                last.rectangle([columns.start, rows.start], [columns.end - 1, rows.end - 1])
            });
            levels.push(next);
        }
        Self { finest, levels }
    }

    /// The bounds of everything.
    pub fn all(&self) -> SmallHull {
        self.levels.last().map_or(SmallHull::EMPTY, |level| level.blocks[0])
    }

    /// Bounds of the cells from `first` to `last`, both included.
    pub fn of(&self, first: [usize; 2], last: [usize; 2]) -> SmallHull {
        for (k, level) in self.levels.iter().enumerate() {
            let [first, last] = [first, last].map(|cell| cell.map(|x| x >> (k + self.finest)));
            if last[0] - first[0] < MOST && last[1] - first[1] < MOST {
                return level.rectangle(first, last);
            }
        }
        self.all()
    }
}

/// The bounds of blocks of `side` x `side` cells, row by row.
pub(crate) fn blocks(
    cells: [usize; 2],
    side: usize,
    cell: impl Fn(usize, usize) -> Hull,
) -> Vec<SmallHull> {
    let level = Level::new(cells, side, |columns, rows| {
        let cells = rows.flat_map(|j| columns.clone().map(move |i| (i, j)));
        cells.fold(Hull::EMPTY, |all, (i, j)| all.or(cell(i, j))).small()
    });
    level.blocks
}

impl Level {
    /// A level whose blocks are of up to `side` x `side` parts of a finer one: of ranges of
    /// columns and rows.
    fn new(
        parts: [usize; 2],
        side: usize,
        block: impl Fn(Range<usize>, Range<usize>) -> SmallHull,
    ) -> Self {
        let size = parts.map(|count| count.div_ceil(side));
        let range = |i: usize, count: usize| i * side..((i + 1) * side).min(count);
        let blocks = (0..size[1])
            .flat_map(|j| (0..size[0]).map(move |i| (i, j)))
            .map(|(i, j)| block(range(i, parts[0]), range(j, parts[1])));
        Self { size, blocks: blocks.collect() }
    }

    fn rectangle(&self, first: [usize; 2], last: [usize; 2]) -> SmallHull {
        let row = |j: usize| &self.blocks[j * self.size[0] + first[0]..=j * self.size[0] + last[0]];
        (first[1]..=last[1]).flat_map(row).fold(SmallHull::EMPTY, |all, &block| all.or(block))
    }
}

/// The bounds of a few cells; `None` if they are too many, or one has no bounds.
pub(crate) fn few_cells(
    first: [usize; 2],
    last: [usize; 2],
    mut cell: impl FnMut(usize, usize) -> Option<Hull>,
) -> Option<SmallHull> {
    if (last[0] - first[0] + 1) * (last[1] - first[1] + 1) > CELLS {
        return None;
    }
    let mut all = Hull::EMPTY;
    for j in first[1]..=last[1] {
        for i in first[0]..=last[0] {
            all = all.or(cell(i, j)?);
        }
    }
    Some(all.small())
}
