//! The buffers that fields fill: samples, and jets with second derivatives.
//!
//! `positions.rs` has the positions, `buffer.rs` the common interface of both
//! buffers, `combining.rs` the operations on [`Samples`]. They use the kernel's tables. Start with
//! [`Samples`].

mod buffer;
mod combining;
mod jets;
pub(crate) mod positions;

pub use jets::Jets;

pub(crate) use buffer::{Buffer, fill_by_differences};
pub(crate) use jets::operand;

use alloc::vec::Vec;

use crate::arrays;
use crate::derivative::sample::Sample;
use crate::kernel;
use crate::simd::Level;

/// The samples of a field over a [`Grid`](crate::Grid) or at a list of points: one array of values
/// and one for each component of the gradient. On grids the first axis runs fastest.
///
/// The caller owns the buffer and passes it to [`Field::sample_grid`](crate::Field::sample_grid) or
/// [`Field::sample_points`](crate::Field::sample_points). Reuse it: once it has grown to the size
/// of the largest grid, filling it allocates nothing. [`values_only`](Self::values_only) makes a
/// buffer without gradients, which is filled faster.
#[derive(Clone, Debug)]
pub struct Samples<const N: usize> {
    pub(crate) value: Vec<f32>,
    /// Whether the buffer stores gradients.
    has_gradients: bool,
    /// Each array is as long as `value`, or empty.
    pub(crate) gradient: [Vec<f32>; N],
    /// Scratch buffers for the other operands of an operator.
    spares: Vec<Samples<N>>,
    /// Two scratch buffers with second derivatives, for operators whose gradient needs them.
    jets: Vec<Jets<N>>,
    /// Positions moved by a transform or a warp.
    points: Vec<[f64; N]>,
    /// The coordinates of a grid along each axis.
    coordinates: [kernel::Coordinates; N],
    /// The tables of the SIMD kernel.
    pub(crate) tables: kernel::KernelTables,
}

impl<const N: usize> Default for Samples<N> {
    fn default() -> Self {
        Self::new()
    }
}

impl<const N: usize> Samples<N> {
    /// An empty buffer.
    pub fn new() -> Self {
        Self {
            value: Vec::new(),
            has_gradients: true,
            gradient: [const { Vec::new() }; N],
            spares: Vec::new(),
            jets: Vec::new(),
            points: Vec::new(),
            coordinates: [const { kernel::Coordinates::new() }; N],
            tables: kernel::KernelTables::default(),
        }
    }

    /// A buffer that stores values only: bit-identical to those with gradients, and faster.
    pub fn values_only() -> Self {
        Self { has_gradients: false, ..Self::new() }
    }

    /// Forces a SIMD level, for tests and benchmarks.
    pub fn with_level(mut self, level: Level) -> Self {
        self.tables.level = level;
        self
    }

    /// The number of samples.
    pub fn len(&self) -> usize {
        self.value.len()
    }

    /// Whether the buffer is empty.
    pub fn is_empty(&self) -> bool {
        self.value.is_empty()
    }

    /// The value at every point.
    pub fn values(&self) -> &[f32] {
        &self.value
    }

    /// Whether the buffer stores gradients.
    pub fn has_gradients(&self) -> bool {
        self.has_gradients
    }

    /// The partial derivative along an axis at every point; empty in a buffer of values only.
    ///
    /// # Panics
    /// If `axis` is not below N.
    pub fn derivatives(&self, axis: usize) -> &[f32] {
        &self.gradient[axis]
    }

    /// The sample at one point, by its index in the order of
    /// [`Grid::indices`](crate::Grid::indices). In a buffer of values only its gradient is NaN.
    ///
    /// # Panics
    /// If `index` is not below [`len`](Self::len).
    #[inline]
    pub fn get(&self, index: usize) -> Sample<N> {
        let gradient = |k: usize| self.gradient[k].get(index).copied().unwrap_or(f32::NAN);
        Sample { value: self.value[index], gradient: arrays::from_fn(gradient) }
    }

    /// All samples in order.
    pub fn iter(&self) -> impl Iterator<Item = Sample<N>> {
        // One of the two is empty.
        let len = self.len();
        let (whole, values) = if self.has_gradients { (len, 0) } else { (0, len) };
        let (with, without) = (self.parts::<true>(whole), self.parts::<false>(values));
        (0..whole).map(move |i| with.get(i)).chain((0..values).map(move |i| without.get(i)))
    }

    /// Takes the buffer apart: the values, and the partial derivatives along each axis. The latter
    /// are empty in a buffer of values only.
    pub fn into_vecs(self) -> (Vec<f32>, [Vec<f32>; N]) {
        (self.value, self.gradient)
    }

    /// Replaces the contents of the buffer.
    pub fn write(&mut self, samples: impl IntoIterator<Item = Sample<N>>) {
        self.value.clear();
        self.gradient.iter_mut().for_each(Vec::clear);
        for Sample { value, gradient } in samples {
            self.value.push(value);
            if self.has_gradients {
                self.gradient.iter_mut().zip(gradient).for_each(|(part, g)| part.push(g));
            }
        }
    }
}
