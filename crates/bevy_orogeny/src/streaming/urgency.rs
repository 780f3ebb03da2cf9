//! The order in which chunks are built and received.

use core::cmp::Ordering;

use bevy_ecs::entity::Entity;

use crate::chunk::key::ChunkKey;

/// A chunk, and how urgent it is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Urgent {
    pub urgency: f64,
    pub key: ChunkKey,
    /// The terrain of a chunk to be built, or the entity of a chunk that was built.
    pub entity: Entity,
}

impl Urgent {
    /// The most urgent first. Siblings are equally urgent and only useful together, so they are
    /// adjacent.
    fn compare(&self, other: &Self) -> Ordering {
        let parent = |key: ChunkKey| key.ancestor(key.lod + 1);
        let by_parent = || parent(self.key).cmp(&parent(other.key));
        let by_key = || self.key.cmp(&other.key);
        other.urgency.total_cmp(&self.urgency).then_with(by_parent).then_with(by_key)
    }
}

/// Sorts a queue, and keeps the `max` most urgent chunks.
pub(super) fn keep_most_urgent(queue: &mut Vec<Urgent>, max: usize) {
    if queue.len() > max {
        queue.select_nth_unstable_by(max, Urgent::compare);
        queue.truncate(max);
    }
    queue.sort_unstable_by(Urgent::compare);
}
