//! Fills with fields that have no second derivatives of their own: those of jets are differences.

use crate::derivative::chain_rule::{Dual, outside};
use crate::derivative::sample::Sample;
use crate::samples::positions::Positions;
use crate::samples::{Buffer, Samples};

/// The number of jets that are filled together.
const BLOCK: usize = 64;

/// Fills samples by `fill`, and jets by [`Dual::of_samples`] with its `step`. The samples of many
/// jets are filled at once, with the same bits as one by one.
pub(crate) fn fill<const N: usize, B: Buffer<N>>(
    positions: Positions<N>,
    step: f64,
    out: &mut B,
    mut fill: impl FnMut(Positions<N>, &mut Samples<N>),
) {
    out.resize(positions.len());
    if let Some(out) = out.as_samples() {
        return fill(positions, out);
    }
    out.with_spares(2, |out, spares| {
        // While `found` is filled, its own list of points may be in use.
        let [found, list] = spares else { return };
        let (found, mut points) = (found.samples_mut(), core::mem::take(list.points()));
        for start in (0..positions.len()).step_by(BLOCK) {
            let block = start..positions.len().min(start + BLOCK);
            points.clear();
            for p in block.clone().map(|i| positions.at(i)) {
                let visit = |q| {
                    points.push(q);
                    Sample::default()
                };
                B::Item::of_samples(visit, p, step);
            }
            found.resize(points.len());
            fill(Positions::Points(&points), found);
            let mut samples = found.iter();
            for i in block {
                let next = |_| samples.next().unwrap_or_default();
                out.set(i, outside(B::Item::of_samples(next, positions.at(i), step)));
            }
        }
        *list.points() = points;
    });
}
