//! The hashed lattice, which is not periodic.

use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::lattice::gradients::{even, even_directions};
use crate::lattice::hash::{Key, corner, derive, mix, premix};
use crate::lattice::{Corner, CornerRule, Points};

/// Gradients and values from a hash of the coordinates.
#[derive(Clone, Debug)]
pub(crate) struct Hashed<const N: usize> {
    pub keys: [Key; N],
    gradients: Arc<[[f32; N]]>,
    /// The rule for SIMD code.
    pub rule: CornerRule,
}

impl<const N: usize> Hashed<N> {
    pub fn new(seed: u64, gradients: Arc<[[f32; N]]>) -> Self {
        let keys = core::array::from_fn(|k| Key::new(derive(seed, k as u64)));
        Self { keys, rule: rule(&gradients), gradients }
    }
}

fn rule<const N: usize>(gradients: &[[f32; N]]) -> CornerRule {
    // Bits, because zeros have signs.
    let bits = |set: &[[f32; N]]| -> Vec<u32> {
        set.as_flattened().iter().map(|part| part.to_bits()).collect()
    };
    let is_even = bits(gradients) == bits(&even::<N>());
    if N == 2 && is_even {
        let [first, second, ..] = even_directions();
        CornerRule::EvenDirections([first, second])
    } else if N >= 3 && is_even {
        let parts = gradients.as_flattened().iter();
        CornerRule::Edges(parts.fold(0.0, |largest, part| part.max(largest)))
    } else if gradients.len() == 1 && bits(gradients).iter().all(|bits| *bits == 0) {
        CornerRule::ValuesOnly
    } else {
        CornerRule::LookUp
    }
}

impl<const N: usize> Points<N> for Hashed<N> {
    #[inline(always)]
    fn line(&self, axis: usize, cell: i64) -> u32 {
        premix(cell, &self.keys[axis])
    }

    #[inline(always)]
    fn corner(&self, lines: [u32; N], has_values: bool) -> Corner<N> {
        let hash = corner(lines);
        let index = (u64::from(hash) * self.gradients.len() as u64) >> 32;
        let value = if has_values { mix(hash) as i32 as f32 / (1u32 << 31) as f32 } else { 0.0 };
        Corner { gradient: self.gradients[index as usize], value }
    }
}
