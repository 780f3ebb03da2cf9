//! Cosine and sine in SIMD lanes, with the same bits on every platform.

use fearless_simd::Simd;
use fearless_simd::prelude::*;

/// The cosine and sine of a number of turns, to 8e-7: 1 - 2 sin^2 a and 2 sin a cos a from Taylor
/// series, where a is pi times the fraction of the turns between -1/2 and 1/2.
#[inline(always)]
pub(super) fn turn<S: Simd>(simd: S, turns: S::f32s) -> [S::f32s; 2] {
    let a = (turns - (turns + 0.5).floor()) * core::f32::consts::PI;
    let y = a * a;
    let sin = a
        * (y * (y
            * (y * (y * (y * (-1.0 / 39_916_800.0) + 1.0 / 362_880.0) - 1.0 / 5040.0)
                + 1.0 / 120.0)
            - 1.0 / 6.0)
            + 1.0);
    let cos = y
        * (y * (y
            * (y * (y * (y * (1.0 / 479_001_600.0) - 1.0 / 3_628_800.0) + 1.0 / 40_320.0)
                - 1.0 / 720.0)
            + 1.0 / 24.0)
            - 0.5)
        + 1.0;
    [S::f32s::splat(simd, 1.0) - sin * sin * 2.0, sin * cos * 2.0]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::{best, dispatch};

    #[test]
    fn turns_are_those_of_the_circle() {
        fn at<S: Simd>(simd: S, turns: f32) -> [f32; 2] {
            simd.vectorize(
                #[inline(always)]
                || {
                    let [cos, sin] = turn::<S>(simd, S::f32s::splat(simd, turns));
                    [cos.as_slice()[0], sin.as_slice()[0]]
                },
            )
        }
        for i in -30_000..30_000 {
            let turns = i as f32 / 10_000.0;
            let [cos, sin] = dispatch!(best(), simd => at(simd, turns));
            let exact = f64::from(turns) * core::f64::consts::TAU;
            assert!((f64::from(cos) - exact.cos()).abs() < 8e-7, "{turns}: {cos}");
            assert!((f64::from(sin) - exact.sin()).abs() < 8e-7, "{turns}: {sin}");
        }
    }
}
