//! Simplex noise: its parameters and its evaluation at a point.

use alloc::sync::Arc;

use crate::arrays::{self, Each};
use crate::derivative::jet::symmetric;
use crate::derivative::sample::Sample;
use crate::error::DataError;
#[cfg(not(feature = "std"))]
use crate::float::Float as _;
use crate::kernel;
use crate::lattice::cell::{split, two_product};
use crate::lattice::hash::{Key, corner, derive, premix};
use crate::lattice::{LatticeMapping, Tables, even_directions};

/// Simplex noise, in two and three dimensions.
///
/// The lattice consists of simplices: triangles or tetrahedra. They are the unit cubes of the
/// skewed coordinates y_k = x_k + F sum(x), F = (sqrt(N + 1) - 1) / N, each cut along its diagonal
/// into N! simplices. A hash of its coordinates gives each corner c a unit gradient g_c. Let
/// d = p - c. Then
///
/// n(p) = S sum over the corners of the simplex of max(0, 1/2 - |d|^2)^4 (g_c . d),
///
/// The gradient is S sum of r^4 g_c - 8 r^3 (g_c . d) d with r = 1/2 - |d|^2. The radius sqrt(1/2)
/// is the height of a simplex, so a kernel ends where its simplices end. (With r = 0.6 - |d|^2, as
/// in some programs, the noise is discontinuous.) S = [`Simplex::SCALE`] scales the proven range to
/// +-1.
///
/// * Smoothness: three times continuously differentiable everywhere.
/// * Period: none. The lattice is not aligned with the axes, so it cannot repeat along them.
/// * Domain: sums of coordinates up to 2^53, NaN beyond.
///
/// # Why there is no OpenSimplex2
/// OpenSimplex (Kurt Spencer, 2014) avoids the patent on simplex noise, US 6,867,776, which expired
/// in January 2022. Its successor, OpenSimplex2, has two variants.
///
/// The faster one has the same lattice points as this noise: triangles in two dimensions,
/// body-centred cubic in three. In two dimensions it also has the same kernel. It differs in these
/// points:
///
/// * The hash, and 24 gradients in two dimensions. Here there are 16, and a test of the power
///   spectrum finds no preferred angle.
/// * Wider kernels in three dimensions, (0.6 - |d|^2)^4.
/// * Functions that rotate the domain, so that horizontal slices of 3D noise look alike. Here
///   [`Transform::Rotate`](crate::Transform::Rotate) does that for any noise.
/// * Four dimensions. Here [`GradientNoise`](crate::GradientNoise) has them.
///
/// The smoother one, OpenSimplex2S, has wider kernels: in two dimensions those of four lattice
/// points overlap, not three. Its features are rounder, and it costs more.
///
/// In two dimensions, which terrain uses, the faster variant would only add another hash, without a
/// visible difference. In three it would add the wider kernels.
///
/// Sources: Ken Perlin, "Noise hardware", SIGGRAPH course 36, 2001; Stefan Gustavson, "Simplex
/// noise demystified", 2005.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields, default))]
#[cfg_attr(feature = "describe", derive(documented::DocumentedFields))]
pub struct Simplex {
    /// The seed. Different seeds give unrelated noise.
    pub seed: u64,
}

impl Simplex {
    /// The factor S in two and three dimensions: one over the maximum of the sum of kernels, see
    /// [`Tree`](crate::Tree#bounds).
    pub const SCALE: [f32; 2] = [99.0, 107.0];

    /// The factor S in `dimensions`, or 0 if simplex noise does not exist there.
    pub(crate) fn scale(dimensions: usize) -> f32 {
        match dimensions {
            2 | 3 => Self::SCALE[dimensions - 2],
            _ => 0.0,
        }
    }

    pub(crate) fn check(&self, dimensions: usize) -> Result<(), DataError> {
        if (2..=3).contains(&dimensions) {
            Ok(())
        } else {
            Err(DataError::here(format!("exists in 2 and 3 dimensions, not in {dimensions}")))
        }
    }
}

/// F and G in N dimensions: y = x + F sum(x), and its inverse x = y - G sum(y).
pub(crate) fn skew(dimensions: usize) -> (f64, f64) {
    let n = dimensions as f64;
    let root = (n + 1.0).sqrt();
    ((root - 1.0) / n, (1.0 - 1.0 / root) / n)
}

/// Simplex noise, prepared for evaluation.
#[derive(Clone, Debug)]
pub(crate) struct SimplexPoints<const N: usize> {
    keys: [Key; N],
    gradients: Arc<[[f32; N]]>,
    scale: f32,
}

/// The contribution of a corner to a point: the ramp g . d times a radial kernel.
struct Kernel<const N: usize> {
    /// From the corner to the point.
    d: [f32; N],
    /// 1/2 - |d|^2.
    r: f32,
    g: [f32; N],
    ramp: f32,
}

impl<const N: usize> SimplexPoints<N> {
    pub fn new(tables: &Tables<N>, seed: u64) -> Self {
        Self {
            keys: arrays::from_fn(|k| Key::new(derive(seed, k as u64))),
            gradients: tables.gradients.clone(),
            scale: Simplex::scale(N),
        }
    }

    /// The noise at p, with its gradient.
    pub fn sample(&self, mapping: &LatticeMapping<N>, p: [f64; N]) -> Sample<N> {
        let Some((base, y)) = skewed(mapping, p) else { return Sample::OUTSIDE };
        let mut sum = Sample::default();
        self.each_kernel(base, y, |Kernel { d, r, g, ramp }| {
            let (r2, cubed) = (r * r, r * r * r);
            let gradient = arrays::from_fn(|k| r2 * r2 * g[k] - 8.0 * cubed * ramp * d[k]);
            sum = sum + Sample { value: r2 * r2 * ramp, gradient };
        });
        let slope = self.scale * mapping.frequency as f32;
        Sample { value: sum.value * self.scale, gradient: sum.gradient.each(|x| x * slope) }
    }

    /// The second derivatives of [`sample`](Self::sample): S times the sum of 48 r^2 (g . d) d
    /// d^T - 8 r^3 (g d^T + d g^T + (g . d) I).
    pub fn hessian(&self, mapping: &LatticeMapping<N>, p: [f64; N]) -> [[f32; N]; N] {
        let Some((base, y)) = skewed(mapping, p) else { return [[f32::NAN; N]; N] };
        let mut sum = [[0.0; N]; N];
        self.each_kernel(base, y, |Kernel { d, r, g, ramp }| {
            let (r2, cubed) = (r * r, r * r * r);
            sum = symmetric(|j, k| {
                let own = if j == k { ramp } else { 0.0 };
                let second = 8.0 * cubed * ((g[j] * d[k] + g[k] * d[j]) + own);
                sum[j][k] + (48.0 * r2 * ramp * (d[j] * d[k]) - second)
            });
        });
        let frequency = mapping.frequency as f32;
        sum.each(|row| row.each(|second| second * (self.scale * frequency * frequency)))
    }

    /// Visits the corners whose kernels cover a point.
    #[inline(always)]
    fn each_kernel(&self, base: [i64; N], y: [f64; N], mut visit: impl FnMut(Kernel<N>)) {
        let (_, unskew) = skew(N);
        // From the corner (0, .., 0) of the skewed cube to (1, .., 1), along the axes in the order
        // of the fractions.
        let mut order: [usize; N] = arrays::from_fn(|k| k);
        order.sort_by(|&a, &b| y[b].total_cmp(&y[a]));
        let mut corner_of = [0i64; N];
        for step in 0..=N {
            if step > 0 {
                corner_of[order[step - 1]] = 1;
            }
            // These numbers are small, so the offset from the corner is accurate to f64, however
            // far from the origin.
            let rest: [f64; N] = arrays::from_fn(|k| y[k] - corner_of[k] as f64);
            let shift = unskew * rest.iter().sum::<f64>();
            let d = rest.each(|r| (r - shift) as f32);
            let r = 0.5 - d.iter().map(|x| x * x).sum::<f32>();
            if r > 0.0 {
                let g = self.gradient(arrays::from_fn(|k| base[k].wrapping_add(corner_of[k])));
                let ramp: f32 = g.iter().zip(d).map(|(g, d)| g * d).sum();
                visit(Kernel { d, r, g, ramp });
            }
        }
    }

    /// The noise for the SIMD kernel, in two dimensions.
    pub fn in_plane(&self, mapping: &LatticeMapping<N>) -> kernel::PointwiseKind {
        let even = even_directions();
        kernel::PointwiseKind::Simplex(kernel::SimplexKernel {
            skew: skew(N),
            keys: [self.keys[0], self.keys[1]],
            directions: kernel::Directions::new([even[0], even[1]], 1.0),
            scale: self.scale,
            slope: self.scale * mapping.frequency as f32,
        })
    }

    fn gradient(&self, cell: [i64; N]) -> [f32; N] {
        let hash = corner::<N>(arrays::from_fn(|k| premix(cell[k], &self.keys[k])));
        self.gradients[((u64::from(hash) * self.gradients.len() as u64) >> 32) as usize]
    }
}

/// The skewed coordinates of a point as cells and fractions in [0, 1), or `None` outside the
/// domain.
fn skewed<const N: usize>(
    mapping: &LatticeMapping<N>,
    p: [f64; N],
) -> Option<([i64; N], [f64; N])> {
    let (factor, _) = skew(N);
    let parts: [(i64, f64); N] =
        arrays::from_fn(|k| split(p[k], mapping.frequency, mapping.offset[k]));
    let cells = parts.iter().try_fold(0i64, |sum, part| sum.checked_add(part.0))?;
    if cells.unsigned_abs() > 1 << 53 || parts.iter().any(|part| part.1.is_nan()) {
        return None;
    }
    // F times the sum of the coordinates, exactly. It is the same for all axes.
    let (product, error) = two_product(cells as f64, factor);
    let whole = product.floor();
    let part = (product - whole) + error + factor * parts.iter().map(|part| part.1).sum::<f64>();
    let mut base = [0; N];
    let mut fraction = [0.0; N];
    for k in 0..N {
        let y = parts[k].1 + part;
        let carry = y.floor();
        base[k] = parts[k].0.wrapping_add(whole as i64).wrapping_add(carry as i64);
        fraction[k] = y - carry;
    }
    Some((base, fraction))
}
