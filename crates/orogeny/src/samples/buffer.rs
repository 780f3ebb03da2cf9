//! What trees fill: samples or jets, by the same code.

use alloc::vec::Vec;

use crate::derivative::chain_rule::Dual;
use crate::kernel;
use crate::samples::Samples;
use crate::samples::grid::Positions;

/// A buffer of samples or jets.
pub(crate) trait Buffer<const N: usize>: Sized {
    /// What it holds.
    type Item: Dual<N>;

    /// The samples themselves, unless it holds second derivatives.
    fn as_samples(&mut self) -> Option<&mut Samples<N>>;

    fn values(&self) -> &[f32];

    fn has_gradients(&self) -> bool;

    /// Makes it hold `len` items, whatever they are.
    fn resize(&mut self, len: usize);

    /// Makes it hold `len` times the same.
    fn set_all(&mut self, len: usize, item: Self::Item);

    /// Replaces one item.
    fn set(&mut self, index: usize, item: Self::Item);

    /// Sends every item through `f`.
    fn update(&mut self, f: impl FnMut(Self::Item) -> Self::Item);

    /// Joins this buffer with others of its length, point by point.
    fn join<const M: usize>(
        &mut self,
        others: [&Self; M],
        join: impl Fn(Self::Item, [Self::Item; M]) -> Self::Item,
    );

    /// Joins this buffer, and a second one that is changed as well, with a third, point by point.
    fn join_both(
        &mut self,
        second: &mut Self,
        third: &Self,
        join: impl Fn(Self::Item, Self::Item, Self::Item) -> [Self::Item; 2],
    );

    /// Lends `count` further buffers, which keep their memory from one call to the next.
    fn with_spares(&mut self, count: usize, run: impl FnOnce(&mut Self, &mut [Self]));

    /// Lends the list of positions, which keeps its memory as well.
    fn points(&mut self) -> &mut Vec<[f64; N]>;

    /// Trades what it holds for what another one holds.
    fn swap(&mut self, other: &mut Self);

    /// What the kernel writes to, in two dimensions.
    fn target(&mut self) -> Option<(&mut kernel::KernelTables, kernel::OutputSlices<'_>)>;

    /// Hands places in two dimensions to the kernel, and what it writes to: as long as there are
    /// places.
    fn with_target(
        &mut self,
        positions: Positions<N>,
        fill: impl FnOnce(kernel::PlanePositions, &mut kernel::KernelTables, kernel::OutputSlices),
    ) {
        let Some((tables, target)) = self.target() else { return };
        match positions {
            Positions::Grid(grid) => {
                fill(kernel::PlanePositions::Grid(grid.plane()), tables, target);
            }
            Positions::Points(points) => {
                fill(kernel::PlanePositions::Scattered(points.as_flattened()), tables, target);
            }
        }
    }

    /// Evaluates something at moved positions; what was here becomes that.
    fn evaluate_moved(
        &mut self,
        spare: &mut Self,
        positions: Positions<N>,
        moved: impl Fn(usize, [f64; N]) -> [f64; N],
        evaluate: impl FnOnce(Positions<N>, &mut Self),
    ) {
        let mut points = core::mem::take(self.points());
        points.clear();
        positions.visit(|i, p| points.push(moved(i, p)));
        evaluate(Positions::Points(&points), spare);
        *self.points() = points;
        self.swap(spare);
    }

    /// Fills a second buffer and joins it into this one, point by point.
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
