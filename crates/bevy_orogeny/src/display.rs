//! Display: which of the chunks that are ready are drawn. A pure function, without memory of earlier frames.
//!
//! Selection says what is wanted, but chunks become ready in any order. The drawn cut must at every moment be complete, free of
//! overlap, and balanced (chunks that touch differ by one level at most, corners included).
//!
//! It starts from the roots and goes down level by level. A chunk gives way to its four children where that is wanted, all
//! four are ready, and all its neighbours of the same level are present: drawn, or divided themselves. So whatever touches
//! its children is at most one level coarser than they.

use bevy_platform::collections::HashSet;

use crate::chunk::ChunkKey;
use crate::select::Selection;

/// The chunks to draw. They cover every root that is ready, each point once.
pub fn display(selection: &Selection, ready: impl Fn(ChunkKey) -> bool) -> HashSet<ChunkKey> {
    let roots: HashSet<_> = selection.roots.iter().copied().filter(|&key| ready(key)).collect();
    let mut drawn = HashSet::default();
    // The chunks of one level that are drawn or divided.
    let mut present = roots.clone();
    for lod in (0..=selection.root_lod).rev() {
        let mut finer = HashSet::default();
        for &key in &present {
            let may_divide = lod > 0
                && selection.split.contains(&key)
                && key.children().into_iter().all(&ready)
                && key.neighbours().into_iter().all(|neighbour| {
                    present.contains(&neighbour)
                        || !roots.contains(&neighbour.ancestor(selection.root_lod))
                });
            if may_divide {
                finer.extend(key.children());
            } else {
                drawn.insert(key);
            }
        }
        present = finer;
    }
    drawn
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::select::select;
    use crate::select::tests::{LAYOUT, check_cut, view};
    use proptest::prelude::*;

    /// The area of a cut in chunks of level 0.
    fn area<'a>(cut: impl IntoIterator<Item = &'a ChunkKey>) -> u128 {
        cut.into_iter().map(|key| 1u128 << (2 * key.lod)).sum()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(100))]

        /// Chunks become ready one after another in random order, and some are lost again. The roots come first.
        #[test]
        fn every_cut_on_the_way_is_complete_and_balanced(
            views in prop::collection::vec(view(), 1..3), order: u64,
        ) {
            let selection = select(&LAYOUT, &views);
            let roots = area(&selection.roots);
            let mut ready: HashSet<_> = selection.roots.iter().copied().collect();
            let mut arriving: Vec<_> = selection.wanted().filter(|key| !ready.contains(key)).collect();
            arriving.sort_unstable_by_key(|key| {
                (key.x as u64 ^ order).wrapping_mul(0x9e37_79b9_7f4a_7c15)
                    ^ (key.z as u64).wrapping_mul(order | 1) ^ u64::from(key.lod)
            });
            let batch = arriving.len() / 8 + 1;
            for (i, some) in arriving.chunks(batch).enumerate() {
                ready.extend(some);
                if i == 5 {
                    some.iter().for_each(|key| { ready.remove(key); });
                }
                let drawn: Vec<_> = display(&selection, |key| ready.contains(&key)).into_iter().collect();
                check_cut(&drawn)?;
                prop_assert_eq!(area(&drawn), roots);
                prop_assert!(drawn.iter().all(|key| ready.contains(key)));
            }
            // With everything ready, what is drawn is what is wanted.
            let drawn = display(&selection, |key| selection.wants(key));
            prop_assert_eq!(drawn.len(), selection.leaves());
            prop_assert!(drawn.iter().all(|&key| selection.wants(key) && !selection.split.contains(&key)));
        }
    }

    #[test]
    fn nothing_ready_draws_nothing() {
        let view = crate::select::View { position: [0.0, 0.0], range: 500.0, detail: 1.0 };
        assert!(display(&select(&LAYOUT, &[view]), |_| false).is_empty());
    }
}
