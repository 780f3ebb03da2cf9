//! The lattice without a period.

use std::sync::Arc;

use crate::kernel::Corners;
use crate::lattice::gradients::even_directions;
use crate::lattice::hash::{Key, corner, derive, mix, premix};
use crate::lattice::{Corner, Points};

/// Gradients and heights from a hash of the coordinates.
#[derive(Clone, Debug)]
pub(crate) struct Hashed<const N: usize> {
    pub keys: [Key; N],
    gradients: Arc<[[f32; N]]>,
    /// For the kernel of dense grids.
    pub corners: Corners,
}

impl<const N: usize> Hashed<N> {
    pub fn new(seed: u64, gradients: Arc<[[f32; N]]>) -> Self {
        let keys = core::array::from_fn(|k| Key::new(derive(seed, k as u64)));
        Self { keys, corners: corners(&gradients), gradients }
    }
}

/// How the kernel of dense grids comes by gradients of a set.
fn corners<const N: usize>(gradients: &[[f32; N]]) -> Corners {
    let even = even_directions();
    let (parts, even_parts) = (gradients.as_flattened(), even.as_flattened());
    if N == 2 && parts == even_parts {
        Corners::Directions([even[0], even[1]])
    } else if gradients.len() == 1 && parts.iter().all(|part| part.to_bits() == 0) {
        Corners::Values
    } else {
        Corners::Listed
    }
}

impl<const N: usize> Points<N> for Hashed<N> {
    #[inline(always)]
    fn line(&self, axis: usize, cell: i64) -> u32 {
        premix(cell, &self.keys[axis])
    }

    #[inline(always)]
    fn corner(&self, lines: [u32; N], heights: bool) -> Corner<N> {
        let hash = corner(lines);
        let index = (u64::from(hash) * self.gradients.len() as u64) >> 32;
        let height = if heights { mix(hash) as i32 as f32 / (1u32 << 31) as f32 } else { 0.0 };
        Corner { gradient: self.gradients[index as usize], height }
    }
}
