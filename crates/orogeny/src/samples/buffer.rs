//! The common interface of samples and jets, so that the same code fills both.

use alloc::vec::Vec;

use crate::derivative::chain_rule::{Differentiated, outside};
use crate::derivative::sample::Sample;
use crate::kernel::{self, Coordinates};
use crate::samples::Samples;
use crate::samples::positions::Positions;
use crate::simd::Level;

/// A buffer of samples or jets.
pub(crate) trait Buffer<const N: usize>: Sized {
    /// A sample or a jet.
    type Item: Differentiated<N>;

    /// The buffer as samples; `None` for jets.
    fn as_samples(&mut self) -> Option<&mut Samples<N>>;

    /// The values and gradients of the buffer.
    fn samples_mut(&mut self) -> &mut Samples<N>;

    fn values(&self) -> &[f32];

    fn has_gradients(&self) -> bool;

    /// The SIMD level to fill it with.
    fn level(&self) -> Level;

    /// Changes the number of items. Their contents are unspecified.
    fn resize(&mut self, len: usize);

    /// Replaces the contents by `len` copies of `item`.
    fn set_all(&mut self, len: usize, item: Self::Item);

    /// Replaces one item.
    fn set(&mut self, index: usize, item: Self::Item);

    /// Replaces every item by the result of `f`.
    fn update(&mut self, f: impl FnMut(Self::Item) -> Self::Item);

    /// Replaces every item by the result of `join` for it and the other buffers' items at the same
    /// index.
    fn join<const M: usize>(
        &mut self,
        others: [&Self; M],
        join: impl Fn(Self::Item, [Self::Item; M]) -> Self::Item,
    );

    /// Replaces the items of this buffer and of a second one by the results of `join` for them and
    /// a third buffer's items, index by index.
    fn join_both(
        &mut self,
        second: &mut Self,
        third: &Self,
        join: impl Fn(Self::Item, Self::Item, Self::Item) -> [Self::Item; 2],
    );

    /// Borrows `count` reusable scratch buffers, which keep their memory between calls.
    fn with_spares(&mut self, count: usize, run: impl FnOnce(&mut Self, &mut [Self]));

    /// The reusable list of positions.
    fn points(&mut self) -> &mut Vec<[f64; N]>;

    /// The reusable lists of a grid's coordinates.
    fn coordinates(&mut self) -> &mut [Coordinates; N];

    /// Swaps the contents with another buffer's.
    fn swap(&mut self, other: &mut Self);

    /// The kernel's tables and the slices that it writes to; `None` in one dimension, and for jets
    /// unless N is 2.
    fn target(&mut self) -> Option<(&mut kernel::KernelTables, kernel::OutputSlices<'_>)>;

    /// Calls `fill` with the positions, the kernel's tables and the slices to write to. Does
    /// nothing where [`target`](Self::target) is `None`.
    fn with_target(
        &mut self,
        positions: Positions<N>,
        fill: impl FnOnce(kernel::KernelPositions, &mut kernel::KernelTables, kernel::OutputSlices),
    ) {
        let Some((tables, target)) = self.target() else { return };
        match positions {
            Positions::Grid(axes) => {
                fill(kernel::KernelPositions::Grid(axes), tables, target);
            }
            Positions::Points(points) => {
                let points = points.as_flattened();
                fill(kernel::KernelPositions::Scattered { points, dimensions: N }, tables, target);
            }
        }
    }

    /// Replaces the contents by `evaluate` at moved positions.
    fn evaluate_moved(
        &mut self,
        positions: Positions<N>,
        moved: impl Fn(usize, [f64; N]) -> [f64; N],
        evaluate: impl FnOnce(Positions<N>, &mut Self),
    ) {
        let mut points = core::mem::take(self.points());
        // Written by index: `push` looks at the capacity for every point.
        points.resize(positions.len(), [0.0; N]);
        positions.visit(|i, p| points[i] = moved(i, p));
        evaluate(Positions::Points(&points), self);
        *self.points() = points;
    }

    /// Replaces the contents by `evaluate` on a grid, whose coordinates along each axis `append`
    /// appends to an empty list.
    fn evaluate_grid(
        &mut self,
        append: impl Fn(usize, &mut Vec<f64>),
        evaluate: impl FnOnce(Positions<N>, &mut Self),
    ) {
        let none = [const { Coordinates::new() }; N];
        let mut axes = core::mem::replace(self.coordinates(), none);
        axes.iter_mut().enumerate().for_each(|(k, axis)| axis.write(|list| append(k, list)));
        evaluate(Positions::Grid(&axes), self);
        *self.coordinates() = axes;
    }

    /// Fills a scratch buffer and joins it into this one, point by point.
    fn combine(
        &mut self,
        fill: impl FnOnce(&mut Self),
        join: impl Fn(Self::Item, Self::Item) -> Self::Item,
    ) {
        self.with_spares(1, |out, spares| {
            fill(&mut spares[0]);
            out.join([&spares[0]], |a, [b]| join(a, b));
        });
    }
}

/// The number of jets that are filled together.
const BLOCK: usize = 64;

/// Fills a buffer with a field that has no second derivatives of its own: samples by `fill`, and
/// jets by [`Differentiated::of_samples`] with its `step`. The samples of many
/// jets are filled at once, with the same bits as one by one.
pub(crate) fn fill_by_differences<const N: usize, B: Buffer<N>>(
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
