//! Proven bounds of the spline over one cell.

use orogeny::Bounds;

/// Bounds of a part of the spline, rounded outwards: in metres, metres per metre, and 1 per metre.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hull {
    min: f32,
    max: f32,
    slope: f32,
    bend: f32,
}

impl Hull {
    /// The bounds of nothing.
    pub const EMPTY: Self =
        Self { min: f32::INFINITY, max: f32::NEG_INFINITY, slope: 0.0, bend: 0.0 };

    /// The bounds of a cell from the 4 x 4 coefficients around it, and the spacing of samples.
    ///
    /// The spline is within the range of its Bezier control points there, and its derivatives
    /// within that of theirs: differences of the control points.
    pub fn of_cell(patch: &[[f64; 4]; 4], [dx, dz]: [f64; 2]) -> Self {
        let p = transpose(transpose(patch.map(bezier)).map(bezier));
        let [mut min, mut max] = [f64::INFINITY, f64::NEG_INFINITY];
        for value in p.as_flattened() {
            (min, max) = (min.min(*value), max.max(*value));
        }
        // The largest derivatives: along x, along z, twice along x, along both, twice along z.
        let [mut x, mut z, mut xx, mut xz, mut zz] = [0.0f64; 5];
        for j in 0..4 {
            for i in 0..4 {
                if i < 3 {
                    x = x.max((p[j][i + 1] - p[j][i]).abs());
                }
                if j < 3 {
                    z = z.max((p[j + 1][i] - p[j][i]).abs());
                }
                if i < 2 {
                    xx = xx.max((p[j][i + 2] - 2.0 * p[j][i + 1] + p[j][i]).abs());
                }
                if j < 2 {
                    zz = zz.max((p[j + 2][i] - 2.0 * p[j + 1][i] + p[j][i]).abs());
                }
                if i < 3 && j < 3 {
                    let mixed = p[j + 1][i + 1] - p[j + 1][i] - (p[j][i + 1] - p[j][i]);
                    xz = xz.max(mixed.abs());
                }
            }
        }
        let (x, z) = (3.0 * x / dx, 3.0 * z / dz);
        let (xx, xz, zz) = (6.0 * xx / (dx * dx), 9.0 * xz / (dx * dz), 6.0 * zz / (dz * dz));
        Self {
            min: (min as f32).next_down(),
            max: (max as f32).next_up(),
            slope: ((x * x + z * z).sqrt() as f32).next_up(),
            // The Frobenius norm is at least the largest absolute eigenvalue.
            bend: ((xx * xx + 2.0 * xz * xz + zz * zz).sqrt() as f32).next_up(),
        }
    }

    /// The bounds of two parts together.
    pub fn or(self, other: Self) -> Self {
        Self {
            min: self.min.min(other.min),
            max: self.max.max(other.max),
            slope: self.slope.max(other.slope),
            bend: self.bend.max(other.bend),
        }
    }

    pub fn bounds(self) -> Bounds {
        Bounds {
            min: self.min.into(),
            max: self.max.into(),
            lipschitz: self.slope.into(),
            curvature: self.bend.into(),
        }
    }
}

/// The Bezier control points between b and c of the uniform cubic B-spline with coefficients a to
/// d.
fn bezier([a, b, c, d]: [f64; 4]) -> [f64; 4] {
    [(a + 4.0 * b + c) / 6.0, (2.0 * b + c) / 3.0, (b + 2.0 * c) / 3.0, (b + 4.0 * c + d) / 6.0]
}

fn transpose(m: [[f64; 4]; 4]) -> [[f64; 4]; 4] {
    std::array::from_fn(|i| std::array::from_fn(|j| m[j][i]))
}
