//! The rotation of an octave: positions before the noise, derivatives after it.

use core::array;

use fearless_simd::Simd;

use crate::derivative::affine::Affine;
use crate::kernel::Coordinates;

/// An affine map of two or three dimensions: the operations of
/// [`Affine`], in its order.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rotation {
    /// Rows and columns that the map does not have are unused.
    matrix: [[f64; 3]; 3],
    offset: [f64; 3],
}

impl Rotation {
    pub fn new<const N: usize>(map: &Affine<N>) -> Self {
        let (matrix, offset) = map.parts();
        let entry = |k: usize, j: usize| matrix.get(k).and_then(|row| row.get(j));
        Self {
            matrix: array::from_fn(|k| array::from_fn(|j| *entry(k, j).unwrap_or(&0.0))),
            offset: array::from_fn(|k| *offset.get(k).unwrap_or(&0.0)),
        }
    }

    /// Maps a list of positions, given axis by axis.
    #[inline(always)]
    pub fn apply<S: Simd, const N: usize>(
        &self,
        simd: S,
        from: &[Coordinates],
        to: &mut [Coordinates],
    ) {
        let len = from[0].list().len();
        for ((to, row), offset) in to.iter_mut().zip(self.matrix).zip(self.offset).take(N) {
            to.write_lanes::<S>(
                len,
                #[inline(always)]
                |start| {
                    let [low, high] = from[0].lanes(simd, start);
                    let mut sum = [low * row[0], high * row[0]];
                    for k in 1..N {
                        let [low, high] = from[k].lanes(simd, start);
                        sum = [sum[0] + low * row[k], sum[1] + high * row[k]];
                    }
                    [sum[0] + offset, sum[1] + offset]
                },
            );
        }
    }

    /// Turns the first derivatives at the mapped position into those at the original one.
    #[inline(always)]
    pub fn pull_back<S: Simd, const N: usize>(&self, gradient: [S::f32s; N]) -> [S::f32s; N] {
        let mut out = gradient;
        for (j, out) in out.iter_mut().enumerate() {
            *out = gradient[0] * self.matrix[0][j] as f32;
            for (g, row) in gradient.into_iter().zip(self.matrix).skip(1) {
                *out += g * row[j] as f32;
            }
        }
        out
    }

    /// The same for the second derivatives xx, xz and zz in the plane: M^T H M.
    #[inline(always)]
    pub fn pull_back_second<S: Simd>(&self, [xx, xz, zz]: [S::f32s; 3]) -> [S::f32s; 3] {
        let m = |k: usize, j: usize| self.matrix[k][j] as f32;
        let hessian = [[xx, xz], [xz, zz]];
        let mut half = hessian;
        for (half, row) in half.iter_mut().zip(hessian) {
            *half = [row[0] * m(0, 0) + row[1] * m(1, 0), row[0] * m(0, 1) + row[1] * m(1, 1)];
        }
        let [a, b] = half;
        [
            a[0] * m(0, 0) + b[0] * m(1, 0),
            a[1] * m(0, 0) + b[1] * m(1, 0),
            a[1] * m(0, 1) + b[1] * m(1, 1),
        ]
    }
}
