//! The buffers that fields fill.

use core::array;

use crate::axis::Axis;
use crate::grid::Places;
use crate::kernel;
use crate::sample::Sample;
use crate::simd::Level;

/// The samples of a field over a [`Grid`](crate::Grid), one array for each number, the first axis running fastest.
///
/// The caller owns it and hands it to [`Field::fill`](crate::Field::fill) again and again: once it has grown to the
/// size of the largest grid, filling allocates nothing.
#[derive(Clone, Debug)]
pub struct Samples<const N: usize> {
    pub(crate) value: Vec<f32>,
    /// As long as `value`.
    pub(crate) gradient: [Vec<f32>; N],
    /// The buffers that combinators fill with further operands.
    spares: Vec<Samples<N>>,
    /// Positions that a combinator has moved.
    points: Vec<[f64; N]>,
    /// The tables of one octave, axis after axis.
    pub(crate) axes: Vec<Axis>,
    /// The same for the vector kernel.
    pub(crate) tables: kernel::Tables,
}

impl<const N: usize> Default for Samples<N> {
    fn default() -> Self {
        Self::new()
    }
}

impl<const N: usize> Samples<N> {
    /// A buffer that holds nothing yet.
    pub fn new() -> Self {
        Self {
            value: Vec::new(),
            gradient: [const { Vec::new() }; N],
            spares: Vec::new(),
            points: Vec::new(),
            axes: Vec::new(),
            tables: kernel::Tables::default(),
        }
    }

    /// The same, filled with vectors of a given kind.
    pub fn with_level(level: Level) -> Self {
        let mut samples = Self::new();
        samples.tables.level = level;
        samples
    }

    /// The number of samples.
    pub fn len(&self) -> usize {
        self.value.len()
    }

    /// Whether there is no sample.
    pub fn is_empty(&self) -> bool {
        self.value.is_empty()
    }

    /// The value at every point.
    pub fn values(&self) -> &[f32] {
        &self.value
    }

    /// The partial derivative along an axis at every point.
    ///
    /// Panics where `axis` is not below N.
    pub fn derivatives(&self, axis: usize) -> &[f32] {
        &self.gradient[axis]
    }

    /// The sample at one point, given by its place in the order of [`Grid::indices`](crate::Grid::indices).
    ///
    /// Panics where `index` is not below [`len`](Self::len).
    #[inline]
    pub fn get(&self, index: usize) -> Sample<N> {
        Sample { value: self.value[index], gradient: array::from_fn(|k| self.gradient[k][index]) }
    }

    /// All samples in order.
    pub fn iter(&self) -> impl Iterator<Item = Sample<N>> {
        let parts = self.parts(self.len());
        (0..self.len()).map(move |i| parts.get(i))
    }

    #[inline(always)]
    fn parts(&self, len: usize) -> Parts<'_, N> {
        let gradient = array::from_fn(|k| &self.gradient[k][..len]);
        Parts { value: &self.value[..len], gradient }
    }

    #[inline(always)]
    fn parts_mut(&mut self, len: usize) -> PartsMut<'_, N> {
        let gradient = self.gradient.each_mut().map(|part| &mut part[..len]);
        PartsMut { value: &mut self.value[..len], gradient }
    }

    /// Replaces what the buffer holds.
    pub fn write(&mut self, samples: impl IntoIterator<Item = Sample<N>>) {
        self.value.clear();
        self.gradient.iter_mut().for_each(Vec::clear);
        for Sample { value, gradient } in samples {
            self.value.push(value);
            self.gradient.iter_mut().zip(gradient).for_each(|(part, g)| part.push(g));
        }
    }

    /// Makes it hold `len` samples, whatever they are.
    pub(crate) fn resize(&mut self, len: usize) {
        self.value.resize(len, 0.0);
        self.gradient.iter_mut().for_each(|part| part.resize(len, 0.0));
    }

    /// Makes it hold `len` times the same.
    pub(crate) fn set_all(&mut self, len: usize, Sample { value, gradient }: Sample<N>) {
        self.resize(len);
        self.value.fill(value);
        self.gradient.iter_mut().zip(gradient).for_each(|(part, g)| part.fill(g));
    }

    /// Replaces one sample.
    #[inline]
    pub(crate) fn set(&mut self, index: usize, Sample { value, gradient }: Sample<N>) {
        self.value[index] = value;
        self.gradient.iter_mut().zip(gradient).for_each(|(part, g)| part[index] = g);
    }

    /// Sends every sample through `f`.
    #[inline]
    pub fn update(&mut self, mut f: impl FnMut(Sample<N>) -> Sample<N>) {
        let len = self.len();
        let mut own = self.parts_mut(len);
        for i in 0..len {
            own.set(i, f(own.get(i)));
        }
    }

    /// Joins this buffer with others of its length, point by point.
    ///
    /// Panics where one of them is shorter.
    #[inline]
    pub fn join<const M: usize>(
        &mut self,
        others: [&Samples<N>; M],
        join: impl Fn(Sample<N>, [Sample<N>; M]) -> Sample<N>,
    ) {
        let len = self.len();
        let mut own = self.parts_mut(len);
        let others = others.map(|other| other.parts(len));
        for i in 0..len {
            own.set(i, join(own.get(i), array::from_fn(|m| others[m].get(i))));
        }
    }

    /// Joins this buffer, and a second one that is changed as well, with a third, point by point.
    #[inline(always)]
    pub(crate) fn join_both(
        &mut self,
        second: &mut Samples<N>,
        third: &Samples<N>,
        join: impl Fn(Sample<N>, Sample<N>, Sample<N>) -> [Sample<N>; 2],
    ) {
        let len = self.len();
        let mut own = self.parts_mut(len);
        let mut second = second.parts_mut(len);
        let third = third.parts(len);
        for i in 0..len {
            let [one, two] = join(own.get(i), second.get(i), third.get(i));
            own.set(i, one);
            second.set(i, two);
        }
    }

    /// Evaluates something at moved positions; what was here becomes that.
    pub(crate) fn evaluate_moved(
        &mut self,
        spare: &mut Samples<N>,
        places: Places<N>,
        moved: impl Fn(usize, [f64; N]) -> [f64; N],
        evaluate: impl FnOnce(Places<N>, &mut Samples<N>),
    ) {
        let mut points = core::mem::take(&mut self.points);
        points.clear();
        places.visit(|i, p| points.push(moved(i, p)));
        evaluate(Places::Points(&points), spare);
        self.points = points;
        core::mem::swap(&mut self.value, &mut spare.value);
        core::mem::swap(&mut self.gradient, &mut spare.gradient);
    }

    /// Fills a second buffer and joins it into this one, point by point: the way for a combinator to fill
    /// a grid without allocating.
    pub fn combine(
        &mut self,
        fill: impl FnOnce(&mut Samples<N>),
        join: impl Fn(Sample<N>, Sample<N>) -> Sample<N>,
    ) {
        self.with_spares(1, |out, spares| {
            fill(&mut spares[0]);
            out.join([&spares[0]], |a, [b]| join(a, b));
        });
    }

    /// Lends `count` further buffers, which keep their memory from one call to the next.
    pub fn with_spares(&mut self, count: usize, run: impl FnOnce(&mut Self, &mut [Samples<N>])) {
        let mut spares = core::mem::take(&mut self.spares);
        let level = self.tables.level;
        spares.resize_with(spares.len().max(count), || Samples::with_level(level));
        run(self, &mut spares[..count]);
        self.spares = spares;
    }
}

/// The numbers of samples, in slices that the compiler sees to have one length: then it makes vectors of loops over them.
struct Parts<'a, const N: usize> {
    value: &'a [f32],
    gradient: [&'a [f32]; N],
}

/// The same to write to.
struct PartsMut<'a, const N: usize> {
    value: &'a mut [f32],
    gradient: [&'a mut [f32]; N],
}

impl<const N: usize> Parts<'_, N> {
    #[inline(always)]
    fn get(&self, i: usize) -> Sample<N> {
        Sample { value: self.value[i], gradient: array::from_fn(|k| self.gradient[k][i]) }
    }
}

impl<const N: usize> PartsMut<'_, N> {
    #[inline(always)]
    fn get(&self, i: usize) -> Sample<N> {
        Sample { value: self.value[i], gradient: array::from_fn(|k| self.gradient[k][i]) }
    }

    #[inline(always)]
    fn set(&mut self, i: usize, sample: Sample<N>) {
        self.value[i] = sample.value;
        for (part, g) in self.gradient.iter_mut().zip(sample.gradient) {
            part[i] = g;
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
