//! The lattice of Perlin's programs: a permutation of 256 numbers, looked up once per axis.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

use crate::arrays;
use crate::lattice::hash::derive;
use crate::lattice::{Corner, Points};
#[cfg(feature = "serde")]
use crate::limits::at_most;

/// A permutation table and how it is indexed.
///
/// The hash of the point (i, j, k, ..) is p\[..p\[p\[i & 255\] + j & 255\] + k & 255 ..\]. A set of
/// n gradients is indexed by the hash modulo n; a value is 2 h / 255 - 1 with h = p\[hash\].
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields, default))]
#[cfg_attr(feature = "describe", derive(documented::DocumentedFields))]
pub struct Permutation {
    /// The table p.
    pub table: PermutationTable,
    /// Whether the last coordinate is only added, p\[p\[i\] + j\] + k, as in `noise3` of Perlin's C
    /// program of 1985.
    pub last_added: bool,
}

/// A permutation of the numbers 0 to 255.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "describe", derive(strum::EnumMessage, strum::IntoStaticStr, strum::EnumIter))]
pub enum PermutationTable {
    /// Perlin's own table, [`PERLIN`]. The seed of the noise has no effect.
    #[default]
    Perlin,
    /// Shuffled by the seed of the noise.
    Shuffled,
    /// A custom table with each of the numbers 0 to 255 once.
    Given(#[cfg_attr(feature = "serde", serde(deserialize_with = "at_most::<256, _, _>"))] Vec<u8>),
}

/// The permutation of Ken Perlin's reference implementation of improved noise, 2002.
pub const PERLIN: [u8; 256] = [
    151, 160, 137, 91, 90, 15, 131, 13, 201, 95, 96, 53, 194, 233, 7, 225, 140, 36, 103, 30, 69,
    142, 8, 99, 37, 240, 21, 10, 23, 190, 6, 148, 247, 120, 234, 75, 0, 26, 197, 62, 94, 252, 219,
    203, 117, 35, 11, 32, 57, 177, 33, 88, 237, 149, 56, 87, 174, 20, 125, 136, 171, 168, 68, 175,
    74, 165, 71, 134, 139, 48, 27, 166, 77, 146, 158, 231, 83, 111, 229, 122, 60, 211, 133, 230,
    220, 105, 92, 41, 55, 46, 245, 40, 244, 102, 143, 54, 65, 25, 63, 161, 1, 216, 80, 73, 209, 76,
    132, 187, 208, 89, 18, 169, 200, 196, 135, 130, 116, 188, 159, 86, 164, 100, 109, 198, 173,
    186, 3, 64, 52, 217, 226, 250, 124, 123, 5, 202, 38, 147, 118, 126, 255, 82, 85, 212, 207, 206,
    59, 227, 47, 16, 58, 17, 182, 189, 28, 42, 223, 183, 170, 213, 119, 248, 152, 2, 44, 154, 163,
    70, 221, 153, 101, 155, 167, 43, 172, 9, 129, 22, 39, 253, 19, 98, 108, 110, 79, 113, 224, 232,
    178, 185, 112, 104, 218, 246, 97, 228, 251, 34, 242, 193, 238, 210, 144, 12, 191, 179, 162,
    241, 81, 51, 145, 235, 249, 14, 239, 107, 49, 192, 214, 31, 181, 199, 106, 157, 184, 84, 204,
    176, 115, 121, 50, 45, 127, 4, 150, 254, 138, 236, 205, 93, 222, 114, 67, 29, 24, 72, 243, 141,
    128, 195, 78, 66, 215, 61, 156, 180,
];

impl PermutationTable {
    /// Why a table is not a permutation.
    pub(crate) fn fault(&self) -> Option<String> {
        let Self::Given(table) = self else { return None };
        if table.len() != 256 {
            return Some(format!("has {} numbers", table.len()));
        }
        let mut seen = [false; 256];
        let twice = |number: &u8| core::mem::replace(&mut seen[usize::from(*number)], true);
        let i = table.iter().position(twice)?;
        Some(format!("holds {} again at [{i}]", table[i]))
    }

    fn numbers(&self, seed: u64) -> [u8; 256] {
        match self {
            Self::Perlin => PERLIN,
            Self::Given(table) => arrays::from_fn(|i| table[i]),
            Self::Shuffled => {
                let mut numbers: [u8; 256] = arrays::from_fn(|i| i as u8);
                for i in (1..256u64).rev() {
                    // Fisher and Yates. The bias of the product is below 2^-56.
                    let j = (u128::from(derive(seed, i)) * u128::from(i + 1)) >> 64;
                    numbers.swap(i as usize, j as usize);
                }
                numbers
            }
        }
    }
}

/// Gradients and values from a permutation.
#[derive(Clone, Debug)]
pub(crate) struct Permuted<const N: usize> {
    table: Box<[u8; 256]>,
    last_added: bool,
    /// The corner that belongs to each hash.
    corners: Box<[Corner<N>; 256]>,
}

impl<const N: usize> Permuted<N> {
    /// `permutation` must be one.
    pub fn new(permutation: &Permutation, seed: u64, gradients: &[[f32; N]]) -> Self {
        let table = permutation.table.numbers(seed);
        let corners = arrays::from_fn(|hash| Corner {
            gradient: gradients[hash % gradients.len()],
            value: f32::from(2 * u16::from(table[hash])) / 255.0 - 1.0,
        });
        let (table, corners) = (Box::new(table), Box::new(corners));
        Self { table, last_added: permutation.last_added, corners }
    }

    fn look_up(&self, sum: u32) -> u32 {
        u32::from(self.table[(sum & 255) as usize])
    }
}

impl<const N: usize> Points<N> for Permuted<N> {
    #[inline(always)]
    fn line(&self, axis: usize, cell: i64) -> u32 {
        let cell = (cell & 255) as u32;
        // p[i] is the same for all corners on a line across the first axis.
        if axis == 0 && N > 1 { self.look_up(cell) } else { cell }
    }

    #[inline(always)]
    fn corner(&self, lines: [u32; N], has_values: bool) -> Corner<N> {
        let (last, others) = lines.split_last().expect("a dimension");
        let next = |hash, line: &u32| self.look_up(hash + line);
        let hash = others.split_first().map_or(0, |(first, rest)| rest.iter().fold(*first, next));
        let sum = hash + last;
        let hash = if self.last_added { sum & 255 } else { self.look_up(sum) };
        let corner = self.corners[(hash & 255) as usize];
        if has_values { corner } else { Corner { value: 0.0, ..corner } }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_permutations() {
        for table in
            [PERLIN, PermutationTable::Shuffled.numbers(0), PermutationTable::Shuffled.numbers(9)]
        {
            assert_eq!(PermutationTable::Given(table.to_vec()).fault(), None);
        }
        assert_ne!(PermutationTable::Shuffled.numbers(0), PermutationTable::Shuffled.numbers(1));
        for (wrong, fault) in [
            (vec![], "has 0 numbers"),
            (vec![7; 256], "holds 7 again at [1]"),
            ((0..=254).collect(), "has 255 numbers"),
        ] {
            assert_eq!(PermutationTable::Given(wrong).fault().as_deref(), Some(fault));
        }
    }
}
