//! The ground at many points, in the lanes of vectors.

use fearless_simd::Simd;
use fearless_simd::prelude::*;

use crate::drainage::ground::smooth_minimum::Contributions;
use crate::drainage::ground::survey::{Neighbourhood, Survey};
use crate::drainage::ground::valley::Sample64;
use crate::real::{Lanes, Real};
use crate::simd::{Level, dispatch};

/// The largest number of lanes.
const LANES: usize = 8;

/// What points are evaluated with.
pub(super) struct Evaluation<'a> {
    pub survey: &'a Survey,
    pub around: &'a Neighbourhood,
    /// Whether gradients are wanted. Without them they are 0.
    pub has_gradients: bool,
}

impl Evaluation<'_> {
    /// Calls `set` with the number of each point, the point, its ground, and the part of detail
    /// that is left.
    pub fn each(
        &self,
        level: Level,
        points: impl Iterator<Item = (usize, [f64; 2])>,
        set: impl FnMut(usize, [f64; 2], Sample64<f64>, Sample64<f64>),
    ) {
        dispatch!(level, simd => self.in_lanes(simd, points, set));
    }

    fn in_lanes<S: Simd>(
        &self,
        simd: S,
        mut points: impl Iterator<Item = (usize, [f64; 2])>,
        mut set: impl FnMut(usize, [f64; 2], Sample64<f64>, Sample64<f64>),
    ) {
        simd.vectorize(
            #[inline(always)]
            || {
                let mut contributions = Contributions::default();
                let (mut numbers, mut at) = ([0; LANES], [[0.0; LANES]; 2]);
                loop {
                    let mut count = 0;
                    for (number, [x, z]) in points.by_ref().take(S::f64s::LEN) {
                        numbers[count] = number;
                        (at[0][count], at[1][count]) = (x, z);
                        count += 1;
                    }
                    if count == 0 {
                        return;
                    }
                    // Lanes without a point repeat the last one.
                    for k in count..S::f64s::LEN {
                        (at[0][k], at[1][k]) = (at[0][count - 1], at[1][count - 1]);
                    }
                    let zero = Lanes::<S>(S::f64s::splat(simd, 0.0));
                    let p = [zero.load(&at[0]), zero.load(&at[1])];
                    let mut lists = [[0.0; LANES]; 6];
                    if self.has_gradients {
                        let (ground, left) = self.survey.ground(self.around, p, &mut contributions);
                        ground.value.store(&mut lists[0]);
                        ground.gradient[0].store(&mut lists[1]);
                        ground.gradient[1].store(&mut lists[2]);
                        left.value.store(&mut lists[3]);
                        left.gradient[0].store(&mut lists[4]);
                        left.gradient[1].store(&mut lists[5]);
                    } else {
                        let (ground, left) = self.survey.height(self.around, p, &mut contributions);
                        ground.store(&mut lists[0]);
                        left.store(&mut lists[3]);
                    }
                    for i in 0..count {
                        let slope = |k: usize| {
                            let gradient = [lists[k + 1][i], lists[k + 2][i]];
                            Sample64 { value: lists[k][i], gradient }
                        };
                        set(numbers[i], [at[0][i], at[1][i]], slope(0), slope(3));
                    }
                }
            },
        );
    }
}
