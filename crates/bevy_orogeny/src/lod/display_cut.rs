//! The display cut: which of the ready chunks are drawn, and the neighbours of each.
//!
//! Selection decides which chunks are wanted, but chunks become ready in any order. In every frame,
//! the cut must be complete, without overlap, and balanced: chunks that touch, even at corners,
//! differ by at most one level.
//!
//! The cut starts with the roots that a view needs and goes down level by level. A chunk is split
//! into its four children if they are wanted, all four are ready, and all neighbours of the chunk
//! at its own level are drawn or split. So all chunks that touch the children are at most one level
//! coarser. A chunk that was drawn in the frame before stays until it has its own shape, so that
//! its children do not pop.

use bevy_platform::collections::HashSet;

use crate::chunk::key::{ChunkKey, MAX_LOD};
use crate::chunk::morph::{Neighbour, Neighbours};
use crate::lod::selection::Selection;

/// The chunks that are drawn. Its buffers are reused by the next update.
#[derive(Clone, Debug, Default)]
pub struct Cut {
    drawn: HashSet<ChunkKey>,
    /// Those of the frame before.
    before: HashSet<ChunkKey>,
    /// How many of them each level has, the finest first.
    by_lod: Vec<usize>,
    roots: HashSet<ChunkKey>,
    /// The chunks of one level that are drawn or split.
    present: HashSet<ChunkKey>,
    /// Those of the next finer level.
    finer: HashSet<ChunkKey>,
}

impl Cut {
    /// Decides which chunks are drawn. Every point of a ready root that a view needs is covered
    /// exactly once. `is_morphed` is whether a drawn chunk is on its way to a coarser level.
    /// Returns whether chunks wait for that to end.
    ///
    /// Roots that are only prepared do not count. While their chunks are being built, they would
    /// keep their neighbours coarse.
    pub fn update(
        &mut self,
        selection: &Selection,
        ready: impl Fn(ChunkKey) -> bool,
        is_morphed: impl Fn(ChunkKey) -> bool,
    ) -> bool {
        let Self { drawn, before, by_lod, roots, present, finer } = self;
        core::mem::swap(drawn, before);
        drawn.clear();
        let mut waits = false;
        by_lod.clear();
        by_lod.resize(usize::from(selection.root_lod) + 1, 0);
        roots.clear();
        present.clear();
        let needed = &selection.roots[..selection.needed];
        roots.extend(needed.iter().copied().filter(|&key| ready(key)));
        present.extend(roots.iter());
        for lod in (0..=selection.root_lod).rev() {
            finer.clear();
            for &key in present.iter() {
                let may_divide = lod > 0
                    && selection.split.contains(&key)
                    && key.children().into_iter().all(&ready)
                    && key.neighbours().into_iter().all(|neighbour| {
                        present.contains(&neighbour)
                            || !roots.contains(&neighbour.ancestor(selection.root_lod))
                    });
                let stays = may_divide && before.contains(&key) && is_morphed(key);
                waits |= stays;
                if may_divide && !stays {
                    finer.extend(key.children());
                } else {
                    drawn.insert(key);
                    by_lod[usize::from(lod)] += 1;
                }
            }
            core::mem::swap(present, finer);
        }
        waits
    }

    /// Whether a chunk is drawn.
    pub fn contains(&self, key: ChunkKey) -> bool {
        self.drawn.contains(&key)
    }

    /// All chunks that are drawn.
    pub fn iter(&self) -> impl Iterator<Item = ChunkKey> {
        self.drawn.iter().copied()
    }

    /// The number of chunks drawn.
    pub fn len(&self) -> usize {
        self.drawn.len()
    }

    /// The number of chunks drawn of each level, from the finest to the coarsest that is drawn.
    pub(crate) fn len_by_lod(&self) -> &[usize] {
        let levels = self.by_lod.iter().rposition(|&len| len > 0).map_or(0, |last| last + 1);
        &self.by_lod[..levels]
    }

    /// Whether nothing is drawn.
    pub fn is_empty(&self) -> bool {
        self.drawn.is_empty()
    }

    /// The neighbours of a drawn chunk.
    pub fn neighbours(&self, key: ChunkKey) -> Neighbours {
        let beside = |dx, dz| self.neighbour(ChunkKey { x: key.x + dx, z: key.z + dz, ..key });
        let sides = [[-1, 0], [1, 0], [0, -1], [0, 1]].map(|[dx, dz]| beside(dx, dz));
        let corners = [[0, 0], [1, 0], [0, 1], [1, 1]].map(|[x, z]| {
            let all = [sides[x], sides[2 + z], beside(2 * x as i64 - 1, 2 * z as i64 - 1)];
            all.into_iter().find(|&other| other != Neighbour::Same).unwrap_or_default()
        });
        Neighbours { sides, corners }
    }

    /// What is drawn at the place of a chunk that touches another one of its level.
    fn neighbour(&self, key: ChunkKey) -> Neighbour {
        if self.contains(key) {
            return Neighbour::Same;
        }
        if key.lod < MAX_LOD && self.contains(key.parent()) {
            return Neighbour::Coarser;
        }
        // In a balanced cut, either all children that touch the other chunk are drawn, or no part
        // of the place is.
        let is_finer = key.lod > 0 && key.children().iter().any(|&child| self.contains(child));
        if is_finer { Neighbour::Finer } else { Neighbour::Same }
    }
}

/// The chunks to draw. They cover every point of the roots that are needed and ready exactly once.
pub fn display(selection: &Selection, ready: impl Fn(ChunkKey) -> bool) -> Cut {
    let mut cut = Cut::default();
    cut.update(selection, ready, |_| false);
    cut
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lod::selection_tests::{check_cut, leaves, selected, view};
    use proptest::prelude::*;

    /// The area of a cut in chunks of level 0.
    fn area(cut: impl IntoIterator<Item = ChunkKey>) -> u128 {
        cut.into_iter().map(|key| 1u128 << (2 * key.lod)).sum()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(100))]

        /// The roots become ready first, then the other chunks in random order. Some are removed
        /// again.
        #[test]
        fn every_cut_on_the_way_is_complete_and_balanced(
            views in prop::collection::vec(view(), 1..3), order: u64,
        ) {
            let selection = selected(0.01, &views);
            let roots = area(selection.roots[..selection.needed].iter().copied());
            let needed = &selection.roots[..selection.needed];
            let mut ready: HashSet<_> = needed.iter().copied().collect();
            let mut arriving: Vec<_> =
                selection.wanted().filter(|key| !ready.contains(key)).collect();
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
                let cut = display(&selection, |key| ready.contains(&key));
                let drawn: Vec<_> = cut.iter().collect();
                check_cut(&drawn)?;
                prop_assert_eq!(area(drawn.iter().copied()), roots);
                prop_assert!(drawn.iter().all(|key| ready.contains(key)));
                // Both chunks agree on their border.
                for &key in &drawn {
                    for (side, kind) in cut.neighbours(key).sides.into_iter().enumerate() {
                        let back = side ^ 1;
                        let [dx, dz] = [[-1, 0], [1, 0], [0, -1], [0, 1]][side];
                        let neighbour = ChunkKey { x: key.x + dx, z: key.z + dz, ..key };
                        match kind {
                            Neighbour::Same => prop_assert!(
                                !cut.contains(neighbour)
                                    || cut.neighbours(neighbour).sides[back] == Neighbour::Same
                            ),
                            Neighbour::Coarser => prop_assert_eq!(
                                cut.neighbours(neighbour.parent()).sides[back],
                                Neighbour::Finer
                            ),
                            Neighbour::Finer => {
                                let facing = neighbour.children().into_iter().filter(|child| {
                                    cut.contains(*child)
                                        && cut.neighbours(*child).sides[back] == Neighbour::Coarser
                                });
                                prop_assert_eq!(facing.count(), 2);
                            }
                        }
                    }
                }
            }
            // Once all chunks are ready, exactly the wanted ones are drawn.
            let cut = display(&selection, |key| selection.wants(key));
            let needed = |key: &ChunkKey| {
                selection.roots[..selection.needed].contains(&key.ancestor(selection.root_lod))
            };
            prop_assert_eq!(cut.len(), leaves(&selection).iter().filter(|key| needed(key)).count());
            // Roots that are only prepared or kept make no difference.
            let others = &selection.roots[selection.needed..];
            for some in [others.len() / 2, others.len()] {
                let all = |key: ChunkKey| {
                    let root = key.ancestor(selection.root_lod);
                    let other = key == root && others[..some].contains(&root);
                    if needed(&key) { selection.wants(key) } else { other }
                };
                prop_assert_eq!(display(&selection, all).len(), cut.len());
            }
            let leaf = |key| selection.wants(key) && !selection.split.contains(&key);
            prop_assert!(cut.iter().all(leaf));
        }
    }

    #[test]
    fn nothing_ready_draws_nothing() {
        let view = crate::lod::selection::View::at([0.0, 0.0], 500.0, 1000.0);
        assert!(display(&selected(0.01, &[view]), |_| false).is_empty());
    }
}
