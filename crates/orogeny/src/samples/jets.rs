//! Buffers for values with first and second derivatives.

use alloc::vec::Vec;

use crate::arrays::{self, Each};
use crate::derivative::jet::{Jet, symmetric};
use crate::kernel::{self, Operand, OperandDerivatives};
use crate::samples::combining::{Parts, PartsMut};
use crate::samples::{Buffer, Samples};
use crate::simd::Level;

/// The jets of a field over a [`Grid`](crate::Grid): one array for each component, the first axis
/// running fastest.
///
/// Like [`Samples`], one buffer can be passed to [`Field::jet_grid`](crate::Field::jet_grid) again
/// and again. It reuses its memory and only allocates to grow.
///
/// ```
/// use orogeny::{Field, GradientNoise, Grid, Jets, Node};
///
/// let noise = Node::from(GradientNoise::seeded(7)).build()?;
/// let grid = Grid::new([0.25, 0.5], 0.125, [4, 4]);
/// let mut jets = Jets::new();
/// noise.jet_grid(&grid, &mut jets);
/// assert_eq!(jets.get(1), noise.jet([0.375, 0.5]));
/// assert_eq!(jets.second_derivatives(0, 1)[1], jets.get(1).hessian[0][1]);
/// # Ok::<(), orogeny::DataError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Jets<const N: usize> {
    samples: Samples<N>,
    /// `hessian[j][k]` for j <= k. The others stay empty.
    hessian: [[Vec<f32>; N]; N],
    /// Scratch buffers for the other operands of combinators.
    spares: Vec<Jets<N>>,
}

impl<const N: usize> Default for Jets<N> {
    fn default() -> Self {
        Self::new()
    }
}

impl<const N: usize> Jets<N> {
    /// An empty buffer.
    pub fn new() -> Self {
        let hessian = [const { [const { Vec::new() }; N] }; N];
        Self { samples: Samples::new(), hessian, spares: Vec::new() }
    }

    /// Forces a SIMD level, for tests and benchmarks.
    pub fn with_level(mut self, level: Level) -> Self {
        self.set_level(level);
        self
    }

    pub(super) fn set_level(&mut self, level: Level) {
        self.samples.tables.level = level;
    }

    /// The number of jets.
    pub fn len(&self) -> usize {
        self.samples.len()
    }

    /// Whether there is no jet.
    pub fn is_empty(&self) -> bool {
        self.samples.is_empty()
    }

    /// The values and gradients.
    pub fn samples(&self) -> &Samples<N> {
        &self.samples
    }

    /// The second derivatives with respect to axes j and k, in either order, at all points.
    ///
    /// Panics if an axis is not below N.
    pub fn second_derivatives(&self, j: usize, k: usize) -> &[f32] {
        &self.hessian[j.min(k)][j.max(k)]
    }

    /// The jet at one point, by its index in the order of
    /// [`Grid::indices`](crate::Grid::indices).
    ///
    /// Panics if `index` is not below [`len`](Self::len).
    pub fn get(&self, index: usize) -> Jet<N> {
        let hessian = symmetric(|j, k| self.hessian[j][k][index]);
        Jet { sample: self.samples.get(index), hessian }
    }

    /// All jets in order.
    pub fn iter(&self) -> impl Iterator<Item = Jet<N>> {
        (0..self.len()).map(|i| self.get(i))
    }

    /// Takes the buffer apart: the values, the partial derivatives along each axis, and the second
    /// derivatives `[j][k]`. Those for j > k are empty, since they equal `[k][j]`.
    pub fn into_vecs(self) -> (Vec<f32>, [Vec<f32>; N], [[Vec<f32>; N]; N]) {
        let (values, derivatives) = self.samples.into_vecs();
        (values, derivatives, self.hessian)
    }

    /// Replaces the contents of the buffer.
    pub fn write(&mut self, jets: impl IntoIterator<Item = Jet<N>>) {
        let hessian = &mut self.hessian;
        hessian.as_flattened_mut().iter_mut().for_each(Vec::clear);
        self.samples.write(jets.into_iter().map(|Jet { sample, hessian: h }| {
            for j in 0..N {
                for k in j..N {
                    hessian[j][k].push(h[j][k]);
                }
            }
            sample
        }));
    }

    fn parts(&self, len: usize) -> JetParts<'_, N> {
        let row =
            |j: usize| arrays::from_fn(|k| &self.hessian[j][k][..if k < j { 0 } else { len }]);
        JetParts { samples: self.samples.parts(len), hessian: arrays::from_fn(row) }
    }

    fn parts_mut(&mut self, len: usize) -> JetPartsMut<'_, N> {
        let mut hessian =
            self.hessian.each_mut().map(|row| row.each_mut().map(|part| &mut part[..]));
        for (j, row) in hessian.iter_mut().enumerate() {
            for part in &mut row[j..] {
                *part = &mut core::mem::take(part)[..len];
            }
        }
        JetPartsMut { samples: self.samples.parts_mut(len), hessian }
    }
}

/// Samples in two dimensions as an operand for the kernel. `resolved` has the derivatives low-pass
/// filtered for the spacing of the grid; it is `None` where only values are needed.
pub(crate) fn operand<'a, const N: usize>(
    samples: &'a Samples<N>,
    resolved: Option<&'a Jets<N>>,
) -> Operand<'a> {
    let slopes = |samples: &'a Samples<N>| [samples.derivatives(0), samples.derivatives(1)];
    let resolved = resolved.map(|jets| OperandDerivatives {
        slopes: slopes(jets.samples()),
        second: [[0, 0], [0, 1], [1, 1]].each(|[j, k]| jets.second_derivatives(j, k)),
    });
    Operand { value: samples.values(), slopes: slopes(samples), resolved }
}

/// The components of jets, in slices of equal length.
struct JetParts<'a, const N: usize> {
    samples: Parts<'a, N, true>,
    hessian: [[&'a [f32]; N]; N],
}

struct JetPartsMut<'a, const N: usize> {
    samples: PartsMut<'a, N, true>,
    hessian: [[&'a mut [f32]; N]; N],
}

impl<const N: usize> JetParts<'_, N> {
    #[inline(always)]
    fn get(&self, i: usize) -> Jet<N> {
        Jet { sample: self.samples.get(i), hessian: symmetric(|j, k| self.hessian[j][k][i]) }
    }
}

impl<const N: usize> JetPartsMut<'_, N> {
    #[inline(always)]
    fn get(&self, i: usize) -> Jet<N> {
        Jet { sample: self.samples.get(i), hessian: symmetric(|j, k| self.hessian[j][k][i]) }
    }

    #[inline(always)]
    fn set(&mut self, i: usize, jet: Jet<N>) {
        self.samples.set(i, jet.sample);
        for j in 0..N {
            for k in j..N {
                self.hessian[j][k][i] = jet.hessian[j][k];
            }
        }
    }
}

impl<const N: usize> Buffer<N> for Jets<N> {
    type Item = Jet<N>;

    fn as_samples(&mut self) -> Option<&mut Samples<N>> {
        None
    }

    fn samples_mut(&mut self) -> &mut Samples<N> {
        &mut self.samples
    }

    fn values(&self) -> &[f32] {
        self.samples.values()
    }

    fn level(&self) -> Level {
        self.samples.tables.level
    }

    fn has_gradients(&self) -> bool {
        true
    }

    fn resize(&mut self, len: usize) {
        self.samples.resize(len);
        for (j, row) in self.hessian.iter_mut().enumerate() {
            row[j..].iter_mut().for_each(|part| part.resize(len, 0.0));
        }
    }

    fn set_all(&mut self, len: usize, item: Jet<N>) {
        self.resize(len);
        self.samples.set_all(len, item.sample);
        for (j, row) in self.hessian.iter_mut().enumerate() {
            row[j..].iter_mut().zip(&item.hessian[j][j..]).for_each(|(part, h)| part.fill(*h));
        }
    }

    fn set(&mut self, index: usize, item: Jet<N>) {
        let len = self.len();
        self.parts_mut(len).set(index, item);
    }

    fn update(&mut self, mut f: impl FnMut(Jet<N>) -> Jet<N>) {
        let len = self.len();
        let mut own = self.parts_mut(len);
        for i in 0..len {
            own.set(i, f(own.get(i)));
        }
    }

    fn join<const M: usize>(
        &mut self,
        others: [&Self; M],
        join: impl Fn(Jet<N>, [Jet<N>; M]) -> Jet<N>,
    ) {
        let len = self.len();
        let mut own = self.parts_mut(len);
        let others = others.map(|other| other.parts(len));
        for i in 0..len {
            own.set(i, join(own.get(i), arrays::from_fn(|m| others[m].get(i))));
        }
    }

    fn join_both(
        &mut self,
        second: &mut Self,
        third: &Self,
        join: impl Fn(Jet<N>, Jet<N>, Jet<N>) -> [Jet<N>; 2],
    ) {
        let len = self.len();
        let (mut own, mut second) = (self.parts_mut(len), second.parts_mut(len));
        let third = third.parts(len);
        for i in 0..len {
            let [one, two] = join(own.get(i), second.get(i), third.get(i));
            own.set(i, one);
            second.set(i, two);
        }
    }

    fn with_spares(&mut self, count: usize, run: impl FnOnce(&mut Self, &mut [Self])) {
        let mut spares = core::mem::take(&mut self.spares);
        spares.resize_with(spares.len().max(count), Jets::new);
        spares[..count].iter_mut().for_each(|spare| spare.set_level(self.samples.tables.level));
        run(self, &mut spares[..count]);
        self.spares = spares;
    }

    fn points(&mut self) -> &mut Vec<[f64; N]> {
        self.samples.points()
    }

    fn coordinates(&mut self) -> &mut [kernel::Coordinates; N] {
        self.samples.coordinates()
    }

    fn swap(&mut self, other: &mut Self) {
        self.samples.swap(&mut other.samples);
        core::mem::swap(&mut self.hessian, &mut other.hessian);
    }

    fn target(&mut self) -> Option<(&mut kernel::KernelTables, kernel::OutputSlices<'_>)> {
        if N != 2 {
            return None;
        }
        let (tables, target) = self.samples.target()?;
        let [x, z, ..] = &mut self.hessian[..] else { return None };
        let ([xx, xz, ..], [_, zz, ..]) = (&mut x[..], &mut z[..]) else { return None };
        Some((tables, kernel::OutputSlices { second: Some([xx, xz, zz]), ..target }))
    }
}
