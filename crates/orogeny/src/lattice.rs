//! The gradients at lattice points.

/// A rule that turns the hash of a lattice point into its gradient.
pub(crate) trait LatticeGradients<const N: usize> {
    /// The gradient for a hash whose upper bits are good.
    fn gradient(hash: u32) -> [f32; N];
}

/// Unit vectors, evenly spread.
pub(crate) struct UnitDirections;

/// cos and sin of 11.25 and 33.75 degrees: the first octant of 16 even directions, none along an axis.
const COS_1: f32 = 0.980_785_25;
const SIN_1: f32 = 0.195_090_32;
const COS_2: f32 = 0.831_469_6;
const SIN_2: f32 = 0.555_570_24;

impl LatticeGradients<2> for UnitDirections {
    /// One of 16 directions, 22.5 degrees apart: bits 31 and 30 are the signs, bit 29 swaps the components,
    /// bit 28 chooses the pair.
    ///
    /// Against 8 directions or the 4 diagonals, whose noise shows its favourite angles, 16 look like any; and
    /// each component is one of four numbers with a sign, which vector units select without a table in memory.
    #[inline(always)]
    fn gradient(hash: u32) -> [f32; 2] {
        const TABLE: [[f32; 2]; 16] = {
            let mut table = [[0.0; 2]; 16];
            let mut i = 0;
            while i < 16 {
                let (long, short) = if i & 1 == 0 { (COS_1, SIN_1) } else { (COS_2, SIN_2) };
                let (x, z) = if i & 2 == 0 { (long, short) } else { (short, long) };
                let x = if i & 8 == 0 { x } else { -x };
                let z = if i & 4 == 0 { z } else { -z };
                table[i] = [x, z];
                i += 1;
            }
            table
        };
        TABLE[(hash >> 28) as usize]
    }
}

impl LatticeGradients<3> for UnitDirections {
    /// One of the 12 directions from the centre of a cube to its edges (Ken Perlin, "Improving Noise", 2002),
    /// scaled to length 1 and equally frequent.
    #[inline(always)]
    fn gradient(hash: u32) -> [f32; 3] {
        const R: f32 = core::f32::consts::FRAC_1_SQRT_2;
        const TABLE: [[f32; 3]; 12] = [
            [R, R, 0.0],
            [-R, R, 0.0],
            [R, -R, 0.0],
            [-R, -R, 0.0],
            [R, 0.0, R],
            [-R, 0.0, R],
            [R, 0.0, -R],
            [-R, 0.0, -R],
            [0.0, R, R],
            [0.0, -R, R],
            [0.0, R, -R],
            [0.0, -R, -R],
        ];
        TABLE[((u64::from(hash) * 12) >> 32) as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moments<const N: usize>(count: u64) -> [[f64; N]; N]
    where
        UnitDirections: LatticeGradients<N>,
    {
        let mut sum = [[0.0; N]; N];
        for i in 0..count {
            // The middle of each of `count` equal parts of the hash's range.
            let hash = ((2 * i + 1) << 31) / count;
            let g = UnitDirections::gradient(hash as u32);
            let length: f32 = g.iter().map(|x| x * x).sum();
            assert!((length - 1.0).abs() < 1e-6, "{g:?}");
            for k in 0..N {
                for l in 0..N {
                    sum[k][l] += f64::from(g[k]) * f64::from(g[l]) / count as f64;
                }
            }
        }
        sum
    }

    /// Unit length and E[g g^T] = I / N: the power spectrum of the noise favours no axis.
    #[test]
    fn directions_are_unit_and_isotropic() {
        for (k, row) in moments::<2>(16).iter().enumerate() {
            for (l, &m) in row.iter().enumerate() {
                assert!((m - if k == l { 0.5 } else { 0.0 }).abs() < 1e-7);
            }
        }
        for (k, row) in moments::<3>(12).iter().enumerate() {
            for (l, &m) in row.iter().enumerate() {
                assert!((m - if k == l { 1.0 / 3.0 } else { 0.0 }).abs() < 1e-7);
            }
        }
    }
}
