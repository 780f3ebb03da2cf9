//! Cuts the walkable cells into regions without holes.
//!
//! Recast's own watershed leaves holes in regions around small obstacles, and `rerecast` does not
//! merge their contours, so a trunk would be paved over. Monotone regions have no holes: in each
//! row a region is one run of cells. They are cut at blocks, too, so that no polygon is much longer
//! than wide, which keeps the costs of paths honest.

use super::grid::Walkable;

/// The number of no region.
pub const NONE: u16 = 0;
/// The width of a block in cells.
const BLOCK: usize = 16;

/// The region of each cell inside the ring, from 1, in rows of [`Walkable::SIDE`]; [`NONE`] for
/// cells that are not walkable, and in the ring.
pub fn regions(walkable: &Walkable) -> Vec<u16> {
    let side = Walkable::SIDE;
    let inner = Walkable::RING..side - Walkable::RING;
    let mut regions = vec![NONE; side * side];
    let mut count = NONE;
    let block = |at: usize| (at - Walkable::RING) / BLOCK;
    for z in inner.clone() {
        let mut x = inner.start;
        // The region above that a run of this row continues already.
        let mut continued = NONE;
        while x < inner.end {
            if !walkable.get(x, z) {
                x += 1;
                continue;
            }
            let start = x;
            while x < inner.end && walkable.get(x, z) && block(x) == block(start) {
                x += 1;
            }
            let begins = z == inner.start || block(z) != block(z - 1);
            let above = if begins { NONE } else { only(&regions[(z - 1) * side..], start..x) };
            let region = if above != NONE && above != continued {
                continued = above;
                above
            } else {
                count += 1;
                count
            };
            regions[z * side..][start..x].fill(region);
        }
    }
    regions
}

/// The region of the cells of a row that have one, if it is the same for all.
fn only(row: &[u16], cells: core::ops::Range<usize>) -> u16 {
    let mut found = NONE;
    for &region in row[cells].iter().filter(|region| **region != NONE) {
        if found != NONE && region != found {
            return NONE;
        }
        found = region;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig { cases: 32, ..ProptestConfig::default() })]
        /// Each region is one run in each of its rows, and the runs of neighbouring rows touch.
        #[test]
        fn regions_have_no_holes(
            holes in prop::collection::vec((0usize..66, 0usize..66, 1usize..9), 0..40),
        ) {
            let walkable = Walkable::new(|x, z| {
                !holes.iter().any(|&(hx, hz, size)| {
                    (hx..hx + size).contains(&x) && (hz..hz + size).contains(&z)
                })
            });
            let found = regions(&walkable);
            let count = usize::from(*found.iter().max().unwrap());
            let mut rows = vec![Vec::new(); count + 1];
            for z in 1..65 {
                let mut x = 1;
                while x < 65 {
                    let region = found[z * Walkable::SIDE + x];
                    prop_assert_eq!(region != NONE, walkable.get(x, z));
                    let start = x;
                    while x < 65 && found[z * Walkable::SIDE + x] == region {
                        x += 1;
                    }
                    rows[usize::from(region)].push((z, start, x));
                }
            }
            for runs in &rows[1..] {
                for pair in runs.windows(2) {
                    let [(z, a, b), (next, c, d)] = [pair[0], pair[1]];
                    prop_assert_eq!(next, z + 1);
                    prop_assert!(a < d && c < b);
                }
            }
        }
    }
}
