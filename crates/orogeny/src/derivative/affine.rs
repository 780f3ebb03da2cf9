//! Affine maps of the domain: positions scaled, rotated and translated.

use crate::arrays::{self, Each};
use crate::derivative::chain_rule::Differentiated;
#[cfg(not(feature = "std"))]
use crate::float::Float as _;

/// q_k = (sum over j of m_kj p_j) + b_k.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Affine<const N: usize> {
    matrix: [[f64; N]; N],
    offset: [f64; N],
    /// An upper bound on the factor by which the map stretches distances.
    norm: f64,
}

impl<const N: usize> Affine<N> {
    fn new(entry: impl Fn(usize, usize) -> f64, offset: [f64; N], norm: f64) -> Self {
        Self { matrix: arrays::from_fn(|k| arrays::from_fn(|j| entry(k, j))), offset, norm }
    }

    /// Scales each axis k by `factors[k]` and translates by `offset`.
    pub fn diagonal(factors: [f64; N], offset: [f64; N]) -> Self {
        let norm = factors.each(f64::abs).into_iter().fold(0.0, f64::max);
        Self::new(|k, j| if k == j { factors[k] } else { 0.0 }, offset, norm)
    }

    /// Rotates by an angle in degrees: counter-clockwise from axis 0 to axis 1 in two dimensions;
    /// around `axis`, which must not be zero, by the right-hand rule in three; the identity in
    /// other dimensions.
    ///
    /// In three dimensions it is Rodrigues' matrix c I + s \[a\]_x + (1 - c) a a^T of the unit
    /// vector a. Sine and cosine are those of the `libm` crate, whose bits are the same on every
    /// machine.
    /// machine.
    pub fn rotation(degrees: f64, axis: [f64; 3]) -> Self {
        let (s, c) = libm::sincos(degrees.to_radians());
        let length = axis.iter().map(|x| x * x).sum::<f64>().sqrt();
        let a = axis.each(|x| x / length);
        let cross = [[0.0, -a[2], a[1]], [a[2], 0.0, -a[0]], [-a[1], a[0], 0.0]];
        let unit = |k, j| if k == j { 1.0 } else { 0.0 };
        let entry = |k: usize, j: usize| match N {
            2 => [[c, -s], [s, c]][k][j],
            3 => c * unit(k, j) + s * cross[k][j] + (1.0 - c) * a[k] * a[j],
            _ => unit(k, j),
        };
        Self::new(entry, [0.0; N], 1.0)
    }

    /// The composition: this map first, then `next`.
    pub fn then(&self, next: &Self) -> Self {
        let entry = |k: usize, j| (0..N).map(|l| next.matrix[k][l] * self.matrix[l][j]).sum();
        Self::new(entry, next.apply(self.offset), self.norm * next.norm)
    }

    /// The mapped position, rounded to `f64`. A rotated position at 1e12 is accurate to 1e-4.
    #[inline]
    pub fn apply(&self, p: [f64; N]) -> [f64; N] {
        arrays::from_fn(|k| {
            let row: f64 = self.matrix[k].iter().zip(p).map(|(m, x)| m * x).sum();
            row + self.offset[k]
        })
    }

    /// The matrix m and the offset b.
    pub fn parts(&self) -> (&[[f64; N]; N], &[f64; N]) {
        (&self.matrix, &self.offset)
    }

    /// Whether the map scales and translates, but does not rotate.
    pub fn keeps_axes(&self) -> bool {
        (0..N).all(|k| (0..N).all(|j| k == j || self.matrix[k][j] == 0.0))
    }

    /// Maps coordinate `k` alone, for a map that keeps axes. Bit-identical to
    /// [`apply`](Self::apply).
    #[inline]
    pub fn along(&self, k: usize, x: f64) -> f64 {
        let mut p = [0.0; N];
        p[k] = x;
        self.apply(p)[k]
    }

    /// An upper bound on the factor by which distances grow: exact for a single map, a product of
    /// bounds for a composition.
    pub fn norm(&self) -> f64 {
        self.norm
    }

    /// The radius around the mapped `p` that contains all mapped positions within `radius` of `p`,
    /// including the rounding of both.
    pub fn reach(&self, p: [f64; N], radius: f64) -> f64 {
        // Each coordinate is a sum of N + 1 products: its error is below (N + 2) 2^-53 of the sum
        // of their sizes, and there are two vectors of N of them.
        let length = p.iter().map(|x| x * x).sum::<f64>().sqrt();
        let size = self.norm * (length + radius) + self.shift();
        self.norm * radius + 16.0 * f64::EPSILON * size
    }

    /// The length of the translation.
    pub fn shift(&self) -> f64 {
        self.offset.iter().map(|x| x * x).sum::<f64>().sqrt()
    }

    /// Converts derivatives at the mapped position to derivatives with respect to the original one.
    #[inline]
    pub fn pull_back<T: Differentiated<N>>(&self, found: T) -> T {
        found.pulled_back(&self.matrix)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::derivative::sample::Sample;

    fn close<const N: usize>(a: [f64; N], b: [f64; N]) -> bool {
        a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-12)
    }

    #[test]
    fn rotates_by_the_right_hand_rule() {
        let quarter = Affine::rotation(90.0, [1.0; 3]);
        assert!(close(quarter.apply([1.0, 0.0]), [0.0, 1.0]));
        let about_z = Affine::rotation(90.0, [0.0, 0.0, 3.0]);
        assert!(close(about_z.apply([1.0, 0.0, 5.0]), [0.0, 1.0, 5.0]));
        // A rotation by 120 degrees around the space diagonal permutes the axes.
        let third = Affine::rotation(120.0, [1.0; 3]);
        assert!(close(third.apply([1.0, 2.0, 3.0]), [3.0, 1.0, 2.0]));
    }

    #[test]
    fn maps_follow_one_another() {
        let move_ = Affine::diagonal([2.0, 3.0], [1.0, -1.0]);
        let turn = Affine::rotation(30.0, [1.0; 3]);
        let p = [0.3, -0.7];
        assert!(close(move_.then(&turn).apply(p), turn.apply(move_.apply(p))));
        // The gradient of x after the map is its first row.
        let x = turn.pull_back(Sample { value: 0.0, gradient: [1.0, 0.0] });
        assert!((x.gradient[0] - 0.866_025_4).abs() < 1e-6 && (x.gradient[1] + 0.5).abs() < 1e-6);
    }
}
