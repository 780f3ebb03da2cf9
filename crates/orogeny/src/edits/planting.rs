//! What edits do to the things on the ground.

use crate::edits::index::Edits;
use crate::edits::log::EditId;
use crate::edits::operations::{Apply, Cleared, Plant, Prepared};
use crate::edits::region::Region;

/// An edit of the things on the ground.
pub(crate) enum Planting<'a> {
    /// Removes what is there before it.
    Clear(&'a Cleared),
    /// Adds one thing.
    Plant(EditId, &'a Plant),
}

impl Edits {
    /// Visits all edits of the things on the ground of a region, in the order of their ids.
    pub(crate) fn each_planting(&self, region: &Region, mut visit: impl FnMut(Planting)) {
        for step in self.within(region) {
            let edit = step.first();
            match &*edit.operation {
                Prepared::Clear(clear) => visit(Planting::Clear(clear)),
                Prepared::Plant(plant) => visit(Planting::Plant(edit.id, plant)),
                _ => {}
            }
        }
    }

    /// How far edits have disturbed the ground at a point: the largest weight of those that flatten
    /// it, dig or build on it, 0 to 1.
    pub(crate) fn disturbance(&self, p: [f64; 2]) -> f32 {
        let mut most = 0f32;
        self.each_at(p, |step| most = most.max(step.first().operation.disturbance(p)));
        most
    }

    /// The distance of a point from ground that edits flatten, dig or build on, without its
    /// falloff: 0 on it, infinity if there is none within `within` metres.
    pub(crate) fn disturbed_distance(&self, p: [f64; 2], within: f64) -> f64 {
        self.nearest(p, within, |edit, within| edit.operation.distance(p, within))
    }
}
