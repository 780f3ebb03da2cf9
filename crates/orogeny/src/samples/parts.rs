//! Samples as slices of equal length.

use core::array;

use crate::derivative::sample::Sample;
use crate::samples::Samples;

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
        let gradient = array::from_fn(|k| &self.gradient[k][..slopes]);
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
        Sample { value: self.value[i], gradient: array::from_fn(gradient) }
    }
}

impl<const N: usize, const GRADIENTS: bool> PartsMut<'_, N, GRADIENTS> {
    #[inline(always)]
    pub fn get(&self, i: usize) -> Sample<N> {
        let gradient = |k: usize| if GRADIENTS { self.gradient[k][i] } else { f32::NAN };
        Sample { value: self.value[i], gradient: array::from_fn(gradient) }
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
