//! Regular grids of points, and the buffers that fields fill over them.

use core::array;

use crate::axis::Axis;
use crate::sample::Sample;

/// A regular grid of points: index (i, j, ..) stands for the point `origin + spacing * (i, j, ..)`.
///
/// The coordinates are computed in `f64`. Where origin and spacing are multiples of one power of two they are
/// exact, so two grids that share points pass the very same coordinates for them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Grid<const N: usize> {
    /// The point with all indices zero.
    pub origin: [f64; N],
    /// The distance between neighbours along every axis.
    pub spacing: f64,
    /// The number of points along each axis.
    pub size: [usize; N],
}

impl<const N: usize> Grid<N> {
    /// The number of points.
    pub fn len(&self) -> usize {
        self.size.iter().product()
    }

    /// Whether the grid has no point.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The coordinate along `axis` of all points whose index along it is `index`.
    #[inline]
    pub fn coordinate(&self, axis: usize, index: usize) -> f64 {
        self.origin[axis] + self.spacing * index as f64
    }

    /// The indices of every point, the first axis running fastest: the order of [`Samples`].
    pub fn indices(&self) -> impl Iterator<Item = [usize; N]> + use<N> {
        let size = self.size;
        (0..self.len()).map(move |mut flat| {
            array::from_fn(|k| {
                let index = flat % size[k];
                flat /= size[k];
                index
            })
        })
    }

    /// The indices of the first point of every row along axis 0, in the order of [`Samples`].
    pub(crate) fn rows(&self) -> impl Iterator<Item = [usize; N]> + use<N> {
        let mut first = *self;
        first.size[0] = 1;
        first.indices()
    }

    /// Every point, in the order of [`Samples`].
    pub fn points(&self) -> impl Iterator<Item = [f64; N]> + use<N> {
        let grid = *self;
        self.indices().map(move |index| array::from_fn(|k| grid.coordinate(k, index[k])))
    }
}

/// The samples of a field over a [`Grid`], one array for each number, the first axis running fastest.
///
/// The caller owns it and hands it to [`Field::fill`](crate::Field::fill) again and again: once it has grown to the
/// size of the largest grid, filling allocates nothing.
#[derive(Clone, Debug, Default)]
pub struct Samples<const N: usize> {
    value: Vec<f32>,
    gradient: Vec<[f32; N]>,
    /// The buffers that combinators fill with further operands.
    spares: Vec<Samples<N>>,
    /// The tables of one octave, axis after axis.
    pub(crate) axes: Vec<Axis>,
}

impl<const N: usize> Samples<N> {
    /// A buffer that holds nothing yet.
    pub fn new() -> Self {
        Self { value: Vec::new(), gradient: Vec::new(), spares: Vec::new(), axes: Vec::new() }
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

    /// The gradient at every point.
    pub fn gradients(&self) -> &[[f32; N]] {
        &self.gradient
    }

    /// The sample at one point, given by its place in the order of [`Grid::indices`].
    ///
    /// Panics where `index` is not below [`len`](Self::len).
    #[inline]
    pub fn get(&self, index: usize) -> Sample<N> {
        Sample { value: self.value[index], gradient: self.gradient[index] }
    }

    /// All samples in order.
    pub fn iter(&self) -> impl Iterator<Item = Sample<N>> {
        self.value.iter().zip(&self.gradient).map(|(&value, &gradient)| Sample { value, gradient })
    }

    /// Replaces what the buffer holds.
    pub fn write(&mut self, samples: impl IntoIterator<Item = Sample<N>>) {
        self.value.clear();
        self.gradient.clear();
        for Sample { value, gradient } in samples {
            self.value.push(value);
            self.gradient.push(gradient);
        }
    }

    /// Makes it hold `len` zeros.
    pub(crate) fn reset(&mut self, len: usize) {
        self.value.clear();
        self.value.resize(len, 0.0);
        self.gradient.clear();
        self.gradient.resize(len, [0.0; N]);
    }

    /// Replaces one sample.
    #[inline]
    pub(crate) fn set(&mut self, index: usize, Sample { value, gradient }: Sample<N>) {
        self.value[index] = value;
        self.gradient[index] = gradient;
    }

    /// Sends every sample through `f`.
    #[inline]
    pub fn update(&mut self, mut f: impl FnMut(usize, Sample<N>) -> Sample<N>) {
        for (i, (value, gradient)) in self.value.iter_mut().zip(&mut self.gradient).enumerate() {
            let sample = f(i, Sample { value: *value, gradient: *gradient });
            *value = sample.value;
            *gradient = sample.gradient;
        }
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
            out.update(|i, sample| join(sample, spares[0].get(i)));
        });
    }

    /// Lends `count` further buffers, which keep their memory from one call to the next.
    pub fn with_spares(&mut self, count: usize, run: impl FnOnce(&mut Self, &mut [Samples<N>])) {
        let mut spares = core::mem::take(&mut self.spares);
        spares.resize_with(spares.len().max(count), Samples::new);
        run(self, &mut spares[..count]);
        self.spares = spares;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_axis_runs_fastest() {
        let grid = Grid { origin: [10.0, 20.0], spacing: 0.5, size: [3, 2] };
        let points: Vec<_> = grid.points().collect();
        assert_eq!(points.len(), grid.len());
        assert_eq!(points[0], [10.0, 20.0]);
        assert_eq!(points[1], [10.5, 20.0]);
        assert_eq!(points[3], [10.0, 20.5]);
        assert_eq!(points[5], [11.0, 20.5]);
    }

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
