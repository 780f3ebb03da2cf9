//! Proven bounds of the spline over one cell.

use orogeny::Bounds;

/// Bounds of a part of the spline.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Hull {
    min: f64,
    max: f64,
    /// The squares of the largest gradient and of the largest second derivative.
    slope: f64,
    bend: f64,
}

/// The same rounded outwards, in half the memory: in metres, metres per metre, and 1 per metre.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SmallHull([f32; 4]);

impl Hull {
    /// The bounds of nothing.
    pub const EMPTY: Self =
        Self { min: f64::INFINITY, max: f64::NEG_INFINITY, slope: 0.0, bend: 0.0 };

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
        let bends = along.map(|[a, b, c, _]| [b - a, c - b, 0.0, 0.0]);
        for j in 0..4 {
            for i in 0..4 {
                min[i] = -larger(-min[i], -p[j][i]);
                max[i] = larger(max[i], p[j][i]);
                x[i] = larger(x[i], along[j][i].abs());
                xx[i] = larger(xx[i], bends[j][i].abs());
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
        Self { min, max, slope: x * x + z * z, bend: xx * xx + 2.0 * xz * xz + zz * zz }
    }

    /// The bounds of two parts together.
    pub fn or(self, other: Self) -> Self {
        Self {
            min: -larger(-self.min, -other.min),
            max: larger(self.max, other.max),
            slope: larger(self.slope, other.slope),
            bend: larger(self.bend, other.bend),
        }
    }

    /// The largest value that the part may have.
    pub fn max(&self) -> f64 {
        self.max
    }

    pub fn small(self) -> SmallHull {
        let up = |x: f64| (x as f32).next_up();
        SmallHull([-up(-self.min), up(self.max), up(self.slope.sqrt()), up(self.bend.sqrt())])
    }
}

impl SmallHull {
    pub const EMPTY: Self = Self([f32::INFINITY, f32::NEG_INFINITY, 0.0, 0.0]);

    /// The bounds of two parts together.
    pub fn or(self, other: Self) -> Self {
        let ([a, b, c, d], [min, max, slope, bend]) = (self.0, other.0);
        Self([a.min(min), b.max(max), c.max(slope), d.max(bend)])
    }

    /// The bounds of a constant.
    pub fn constant(value: f32) -> Self {
        Self([value, value, 0.0, 0.0])
    }

    /// The same with a Lipschitz constant of at least `slope`.
    pub fn at_least(self, slope: f64) -> Self {
        let [min, max, own, bend] = self.0;
        Self([min, max, own.max((slope as f32).next_up()), bend])
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
