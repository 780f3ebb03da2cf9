//! Fields without their fine octaves.
//!
//! Each operator is rebuilt from its smoothed operands, and a leaf keeps its coarse octaves. Those
//! that are left out are replaced by their mean. It is within their range, so the range of a
//! smoothed operand is within that of the whole one, and so on up to the root: bounds compose
//! monotonically. In particular, the range that a normalisation was fitted to still holds.

use alloc::vec::Vec;

use crate::arrays;
use crate::lattice::hash::derive;
use crate::node::ops::Operator;
use crate::samples::Samples;
use crate::samples::positions::Positions;

/// The number of positions from which a mean is estimated.
const POSITIONS: usize = 2048;

/// Whether an octave stays: its wavelength is at least the given one, but for rounding.
pub(crate) fn resolves(frequency: f64, wavelength: f64) -> bool {
    frequency * wavelength <= 1.0 + 1e-9
}

/// The mean of `whole` - `part`, given the length of their largest features. It is the same on all
/// machines. Positions outside the domain do not count.
pub(crate) fn mean_difference<const N: usize>(
    whole: &impl Operator<N>,
    part: &impl Operator<N>,
    feature: f64,
) -> f32 {
    let points = scattered(POSITIONS, 1e3 * feature);
    let [mut a, mut b] = [Samples::values_only(), Samples::values_only()];
    whole.evaluate(Positions::Points(&points), &mut a);
    part.evaluate(Positions::Points(&points), &mut b);
    let pairs = a.values().iter().zip(b.values());
    let differences = pairs.map(|(&a, &b)| f64::from(a) - f64::from(b)).filter(|d| !d.is_nan());
    let (sum, count) = differences.fold((0.0, 0u32), |(sum, count), d| (sum + d, count + 1));
    (sum / f64::from(count.max(1))) as f32
}

/// Random positions, the same ones at each call, up to `reach` from the origin along each axis.
pub(crate) fn scattered<const N: usize>(count: usize, reach: f64) -> Vec<[f64; N]> {
    let part = |i: u64, k| (derive(i, k as u64) >> 11) as f64 / (1u64 << 52) as f64 - 1.0;
    (0..count as u64).map(|i| arrays::from_fn(|k| reach * part(i, k))).collect()
}
