//! The seeded hash of lattice points, without tables or periods.
//!
//! The hash of a corner is a product of one premixed word per axis. A grid mixes once per column
//! and row, and each corner costs one 32-bit multiplication.

/// 2^64 divided by the golden ratio: the increment of SplitMix64.
pub(crate) const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

/// Random stream `index` of `seed`, unrelated to streams of other seeds and indices.
#[inline]
pub(crate) fn derive(seed: u64, index: u64) -> u64 {
    // `avalanche` maps 0 to 0. Without `max`, stream 0 of seed 0 would be that seed again.
    avalanche(avalanche(seed).wrapping_add(index.wrapping_mul(GOLDEN)).max(1))
}

/// The key that hashes lattice coordinates along one axis. Each axis has its own: a shared key
/// would make the noise symmetric about the diagonal.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Key {
    seed: u64,
    /// The two words for cells within 2^31 of zero.
    pub near: [u32; 2],
}

impl Key {
    pub fn new(seed: u64) -> Self {
        Self { seed, near: words(seed, 0) }
    }
}

/// The two words for a range of 2^32 cells. Range 0 runs from -2^31 to 2^31 - 1.
fn words(seed: u64, stretch: i64) -> [u32; 2] {
    let bits = avalanche(avalanche(stretch as u64) ^ seed);
    [(bits >> 32) as u32, bits as u32]
}

/// The premixed word of one lattice coordinate. It is odd, so that multiplying by it loses no bits.
/// Except for the lowest bit, no two coordinates of a range of 2^32 have the same word.
#[inline(always)]
pub(crate) fn premix(cell: i64, key: &Key) -> u32 {
    let stretch = cell.wrapping_add(1 << 31) >> 32;
    let words = if stretch == 0 { key.near } else { words(key.seed, stretch) };
    let mut hash = cell as u32 ^ words[0];
    hash = (hash ^ (hash >> 15)).wrapping_mul(MIX[0]) ^ words[1];
    hash = (hash ^ (hash >> 12)).wrapping_mul(MIX[1]);
    (hash ^ (hash >> 15)) | 1
}

/// The hash of a lattice point from the premixed words of its coordinates. Only its upper bits are
/// well mixed.
#[inline]
pub(crate) fn corner<const N: usize>(premixes: [u32; N]) -> u32 {
    let mut hash = premixes[0];
    for (k, &premix) in premixes.iter().enumerate().skip(1) {
        // Between two products the upper half must affect the lower one. Otherwise an axis would
        // only permute the others.
        if k > 1 {
            hash = (hash ^ (hash >> 16)) | 1;
        }
        hash = hash.wrapping_mul(premix);
    }
    hash
}

/// The multipliers of [`mix`], from Chris Wellons, "Prospecting for Hash Functions", 2018.
pub(crate) const MIX: [u32; 2] = [0x2c1b_3c6d, 0x297a_2d39];

/// Added before each [`mix`] of a sequence of hashes, so that a hash of 0 does not stay 0: 2^32
/// over the golden ratio.
pub(crate) const INCREMENT: u32 = 0x9e37_79b9;

/// A second hash from the first. All of its bits are well mixed, and independent of the upper bits
/// of the first.
#[inline]
pub(crate) fn mix(mut hash: u32) -> u32 {
    hash = (hash ^ (hash >> 15)).wrapping_mul(MIX[0]);
    hash = (hash ^ (hash >> 12)).wrapping_mul(MIX[1]);
    hash ^ (hash >> 15)
}

/// The finaliser of SplitMix64 (Stafford's variant 13): every bit depends on every bit.
#[inline(always)]
pub(crate) fn avalanche(mut x: u64) -> u64 {
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directions_are_equally_frequent() {
        let keys = [0, 1, 2].map(|axis| Key::new(derive(1, axis)));
        let mut flat = [0u32; 16];
        let mut deep = [0u32; 16];
        for i in -128..128 {
            for j in -128..128 {
                let [x, z] = [premix(i, &keys[0]), premix(j, &keys[1])];
                flat[(corner([x, z]) >> 28) as usize] += 1;
                deep[(corner([x, z, premix(i - j, &keys[2])]) >> 28) as usize] += 1;
            }
        }
        // `tests/public/statistics.rs` tests whole columns and rows for correlation. 65536 draws:
        // 4096 each, standard deviation 62.
        for count in flat.iter().chain(&deep) {
            assert!(count.abs_diff(4096) < 5 * 62, "{flat:?} {deep:?}");
        }
    }
}
