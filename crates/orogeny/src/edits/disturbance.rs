//! What edits do to the ground under things: where they have flattened it, dug, built on it, or
//! taken it away.

use crate::edits::index::Edits;
use crate::edits::operations::PreparedEdit;

impl Edits {
    /// Whether edits have taken the ground away at a point.
    pub(crate) fn has_hole(&self, p: [f64; 2]) -> bool {
        let mut has_hole = false;
        self.each_at(p, |step| {
            if let PreparedEdit::Hole(hole) = &*step.first().operation {
                has_hole |= hole.area.core_contains(p);
            }
        });
        has_hole
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
        self.nearest(p, within, |edit, within| edit.operation.disturbed_distance(p, within))
    }
}
