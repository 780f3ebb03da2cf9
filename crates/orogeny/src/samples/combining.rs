//! The operations on samples for operators: point by point, and with scratch buffers for the other
//! operands.

use alloc::vec::Vec;

use crate::arrays;
use crate::derivative::sample::Sample;
use crate::kernel;
use crate::samples::{Buffer, Jets, Samples};
use crate::simd::Level;

impl<const N: usize> Samples<N> {
    /// Replaces every sample by the result of `f`. In a buffer of values only, `f` gets gradients
    /// of NaN. To compute a value from a gradient, use [`with_gradients`](Self::with_gradients).
    #[inline]
    pub fn update(&mut self, f: impl FnMut(Sample<N>) -> Sample<N>) {
        if self.has_gradients {
            self.update_parts::<true>(f);
        } else {
            self.update_parts::<false>(f);
        }
    }

    #[inline(always)]
    fn update_parts<const GRADIENTS: bool>(&mut self, mut f: impl FnMut(Sample<N>) -> Sample<N>) {
        let len = self.len();
        let mut own = self.parts_mut::<GRADIENTS>(len);
        for i in 0..len {
            own.set(i, f(own.get(i)));
        }
    }

    /// Replaces every sample by the result of `join` for it and the samples of other buffers at the
    /// same index. In a buffer of values only, gradients are NaN, as in [`update`](Self::update).
    ///
    /// # Panics
    /// If another buffer is shorter, or lacks gradients while this one has them.
    #[inline]
    pub fn join<const M: usize>(
        &mut self,
        others: [&Samples<N>; M],
        join: impl Fn(Sample<N>, [Sample<N>; M]) -> Sample<N>,
    ) {
        if self.has_gradients {
            self.join_parts::<M, true>(others, join);
        } else {
            self.join_parts::<M, false>(others, join);
        }
    }

    #[inline(always)]
    fn join_parts<const M: usize, const GRADIENTS: bool>(
        &mut self,
        others: [&Samples<N>; M],
        join: impl Fn(Sample<N>, [Sample<N>; M]) -> Sample<N>,
    ) {
        let len = self.len();
        let mut own = self.parts_mut::<GRADIENTS>(len);
        let others = others.map(|other| other.parts::<GRADIENTS>(len));
        for i in 0..len {
            own.set(i, join(own.get(i), arrays::from_fn(|m| others[m].get(i))));
        }
    }

    #[inline(always)]
    fn join_both_parts<const GRADIENTS: bool>(
        &mut self,
        second: &mut Samples<N>,
        third: &Samples<N>,
        join: impl Fn(Sample<N>, Sample<N>, Sample<N>) -> [Sample<N>; 2],
    ) {
        let len = self.len();
        let mut own = self.parts_mut::<GRADIENTS>(len);
        let mut second = second.parts_mut::<GRADIENTS>(len);
        let third = third.parts::<GRADIENTS>(len);
        for i in 0..len {
            let [one, two] = join(own.get(i), second.get(i), third.get(i));
            own.set(i, one);
            second.set(i, two);
        }
    }

    /// Fills the buffer with gradients even if it stores values only, then drops them: for
    /// a field whose value depends on the gradient of another.
    ///
    /// ```
    /// use orogeny::{Field, GradientNoise, Grid, Node, Sample, Samples};
    ///
    /// /// How steep a field is. (Its own gradient would take second derivatives.)
    /// struct Steepness<F>(F);
    ///
    /// fn steepness(Sample { gradient: [dx, dz], .. }: Sample<2>) -> Sample<2> {
    ///     Sample { value: (dx * dx + dz * dz).sqrt(), gradient: [f32::NAN; 2] }
    /// }
    ///
    /// impl<F: Field<2>> Field<2> for Steepness<F> {
    ///     fn sample(&self, p: [f64; 2]) -> Sample<2> {
    ///         steepness(self.0.sample(p))
    ///     }
    ///     fn sample_grid(&self, grid: &Grid<2>, out: &mut Samples<2>) {
    ///         out.with_gradients(|out| {
    ///             self.0.sample_grid(grid, out);
    ///             out.update(steepness);
    ///         });
    ///     }
    /// }
    ///
    /// let field = Steepness(Node::from(GradientNoise::seeded(7)).build()?);
    /// let grid = Grid::new([0.25, 0.5], 1.0, [4, 4]);
    /// let mut values = Samples::values_only();
    /// field.sample_grid(&grid, &mut values);
    /// assert_eq!(values.values()[1], field.value([1.25, 0.5]));
    /// # Ok::<(), orogeny::DataError>(())
    /// ```
    pub fn with_gradients(&mut self, fill: impl FnOnce(&mut Self)) {
        let kept = core::mem::replace(&mut self.has_gradients, true);
        fill(self);
        self.has_gradients = kept;
        self.resize(self.len());
    }

    /// Fills a scratch buffer and joins it into this one, point by point. So an operator on two
    /// fields can fill a grid without allocating.
    pub fn combine(
        &mut self,
        fill: impl FnOnce(&mut Samples<N>),
        join: impl Fn(Sample<N>, Sample<N>) -> Sample<N>,
    ) {
        Buffer::combine(self, fill, join);
    }

    /// Borrows two reusable scratch buffers for jets, which keep their memory between calls.
    pub(crate) fn with_jets(&mut self, run: impl FnOnce(&mut Self, &mut [Jets<N>; 2])) {
        let mut jets = core::mem::take(&mut self.jets);
        jets.resize_with(2, Jets::new);
        jets.iter_mut().for_each(|jets| jets.set_level(self.tables.level));
        if let Some(both) = jets.first_chunk_mut() {
            run(self, both);
        }
        self.jets = jets;
    }

    /// Borrows `count` reusable scratch buffers, which keep their memory between calls.
    pub fn with_spares(&mut self, count: usize, run: impl FnOnce(&mut Self, &mut [Samples<N>])) {
        let mut spares = core::mem::take(&mut self.spares);
        spares.resize_with(spares.len().max(count), Samples::new);
        for spare in &mut spares[..count] {
            spare.has_gradients = self.has_gradients;
            spare.tables.level = self.tables.level;
        }
        run(self, &mut spares[..count]);
        self.spares = spares;
    }
}

impl<const N: usize> Buffer<N> for Samples<N> {
    type Item = Sample<N>;

    fn as_samples(&mut self) -> Option<&mut Samples<N>> {
        Some(self)
    }

    fn samples_mut(&mut self) -> &mut Samples<N> {
        self
    }

    fn values(&self) -> &[f32] {
        self.values()
    }

    fn level(&self) -> Level {
        self.tables.level
    }

    fn has_gradients(&self) -> bool {
        self.has_gradients()
    }

    fn resize(&mut self, len: usize) {
        self.value.resize(len, 0.0);
        let slopes = if self.has_gradients { len } else { 0 };
        self.gradient.iter_mut().for_each(|part| part.resize(slopes, 0.0));
    }

    fn set_all(&mut self, len: usize, Sample { value, gradient }: Sample<N>) {
        self.resize(len);
        self.value.fill(value);
        self.gradient.iter_mut().zip(gradient).for_each(|(part, g)| part.fill(g));
    }

    #[inline]
    fn set(&mut self, index: usize, Sample { value, gradient }: Sample<N>) {
        self.value[index] = value;
        if self.has_gradients {
            self.gradient.iter_mut().zip(gradient).for_each(|(part, g)| part[index] = g);
        }
    }

    #[inline]
    fn update(&mut self, f: impl FnMut(Sample<N>) -> Sample<N>) {
        self.update(f);
    }

    #[inline]
    fn join<const M: usize>(
        &mut self,
        others: [&Self; M],
        join: impl Fn(Sample<N>, [Sample<N>; M]) -> Sample<N>,
    ) {
        self.join(others, join);
    }

    #[inline(always)]
    fn join_both(
        &mut self,
        second: &mut Self,
        third: &Self,
        join: impl Fn(Sample<N>, Sample<N>, Sample<N>) -> [Sample<N>; 2],
    ) {
        if self.has_gradients {
            self.join_both_parts::<true>(second, third, join);
        } else {
            self.join_both_parts::<false>(second, third, join);
        }
    }

    fn with_spares(&mut self, count: usize, run: impl FnOnce(&mut Self, &mut [Self])) {
        self.with_spares(count, run);
    }

    fn points(&mut self) -> &mut Vec<[f64; N]> {
        &mut self.points
    }

    fn coordinates(&mut self) -> &mut [kernel::Coordinates; N] {
        &mut self.coordinates
    }

    fn swap(&mut self, other: &mut Self) {
        core::mem::swap(&mut self.value, &mut other.value);
        core::mem::swap(&mut self.gradient, &mut other.gradient);
    }

    fn target(&mut self) -> Option<(&mut kernel::KernelTables, kernel::OutputSlices<'_>)> {
        if !(2..=kernel::MAX_DIMENSIONS).contains(&N) {
            return None;
        }
        let Self { value, gradient, tables, has_gradients, .. } = self;
        let slopes = has_gradients.then(|| {
            let mut slopes: [&mut [f32]; kernel::MAX_DIMENSIONS] = Default::default();
            for (slope, part) in slopes.iter_mut().zip(gradient) {
                *slope = part;
            }
            slopes
        });
        Some((tables, kernel::OutputSlices { value, slopes, second: None }))
    }
}

/// Samples as slices whose equal length is visible to the compiler, so that it vectorises loops
/// over them.
pub(super) struct Parts<'a, const N: usize, const GRADIENTS: bool> {
    value: &'a [f32],
    /// Empty unless `GRADIENTS`.
    gradient: [&'a [f32]; N],
}

/// Mutable [`Parts`].
pub(super) struct PartsMut<'a, const N: usize, const GRADIENTS: bool> {
    value: &'a mut [f32],
    gradient: [&'a mut [f32]; N],
}

impl<const N: usize> Samples<N> {
    #[inline(always)]
    pub(super) fn parts<const GRADIENTS: bool>(&self, len: usize) -> Parts<'_, N, GRADIENTS> {
        let slopes = if GRADIENTS { len } else { 0 };
        let gradient = arrays::from_fn(|k| &self.gradient[k][..slopes]);
        Parts { value: &self.value[..len], gradient }
    }

    #[inline(always)]
    pub(super) fn parts_mut<const GRADIENTS: bool>(
        &mut self,
        len: usize,
    ) -> PartsMut<'_, N, GRADIENTS> {
        let slopes = if GRADIENTS { len } else { 0 };
        let gradient = self.gradient.each_mut().map(|part| &mut part[..slopes]);
        PartsMut { value: &mut self.value[..len], gradient }
    }
}

impl<const N: usize, const GRADIENTS: bool> Parts<'_, N, GRADIENTS> {
    #[inline(always)]
    pub fn get(&self, i: usize) -> Sample<N> {
        let gradient = |k: usize| if GRADIENTS { self.gradient[k][i] } else { f32::NAN };
        Sample { value: self.value[i], gradient: arrays::from_fn(gradient) }
    }
}

impl<const N: usize, const GRADIENTS: bool> PartsMut<'_, N, GRADIENTS> {
    #[inline(always)]
    pub fn get(&self, i: usize) -> Sample<N> {
        let gradient = |k: usize| if GRADIENTS { self.gradient[k][i] } else { f32::NAN };
        Sample { value: self.value[i], gradient: arrays::from_fn(gradient) }
    }

    #[inline(always)]
    pub fn set(&mut self, i: usize, sample: Sample<N>) {
        self.value[i] = sample.value;
        if GRADIENTS {
            for (part, g) in self.gradient.iter_mut().zip(sample.gradient) {
                part[i] = g;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn combining_keeps_the_spare_buffers() {
        let mut samples = Samples::<1>::new();
        samples.write([Sample::constant(1.0), Sample::constant(2.0)]);
        for _ in 0..2 {
            samples.combine(
                |other| other.write([Sample::constant(10.0), Sample::constant(20.0)]),
                |a, b| a + b,
            );
        }
        assert_eq!(samples.values(), [21.0, 42.0]);
        assert_eq!(samples.spares.len(), 1);
    }
}
