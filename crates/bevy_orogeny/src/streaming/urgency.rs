//! In which order chunks are built and received.

use core::cmp::Ordering;

use bevy_ecs::entity::Entity;

use crate::chunk::key::ChunkKey;

/// A chunk, and how urgent it is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Urgent {
    pub urgency: f64,
    pub key: ChunkKey,
    /// Its terrain where it is to be built, or its own entity where it was.
    pub entity: Entity,
}

impl Urgent {
    /// The most urgent first. Siblings, which are equally urgent and only useful together, follow
    /// one another.
    fn compare(&self, other: &Self) -> Ordering {
        let parent = |key: ChunkKey| key.ancestor(key.lod + 1);
        let by_parent = || parent(self.key).cmp(&parent(other.key));
        let by_key = || self.key.cmp(&other.key);
        other.urgency.total_cmp(&self.urgency).then_with(by_parent).then_with(by_key)
    }
}

/// Sorts a queue, and keeps the `most` chunks that are the most urgent.
pub(super) fn keep_most_urgent(queue: &mut Vec<Urgent>, most: usize) {
    if queue.len() > most {
        queue.select_nth_unstable_by(most, Urgent::compare);
        queue.truncate(most);
    }
    queue.sort_unstable_by(Urgent::compare);
}
