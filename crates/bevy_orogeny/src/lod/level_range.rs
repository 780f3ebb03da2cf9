//! The distances up to which levels are used in a view.

use crate::chunk::key::Layout;
use crate::lod::view::{Distance, View};

/// How far a level reaches beyond the next finer one, in widths of its chunks: 1 keeps the quadtree
/// balanced, and the rest leaves room to geomorph.
pub const MORPH_MARGIN: f64 = 1.25;

/// The maximum reach of a level, in widths of its chunks, whatever its error. That is some 3,000
/// chunks.
pub(super) const FARTHEST: f64 = 32.0;

/// Where a level begins to morph into the next coarser one, as a part of its reach.
pub(super) const MORPH: f64 = 0.7;

/// Where a level ends, in metres from a viewer. It is used up to the farther of the two ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LevelRange {
    /// Required by balance, measured by the distance along the axes: how far finer chunks may
    /// touch, and the end of the level.
    pub near: [f64; 2],
    /// Required by the error, measured by the straight distance: where morphing may begin, and the
    /// end of the level.
    pub far: [f64; 2],
}

impl LevelRange {
    /// The range of level `lod` around ground with errors in metres: `coarser` that of the chunks
    /// of the next coarser level, and `own` that of the chunks of this one. The view's errors per
    /// radian are multiplied by `lod_scale`.
    pub(super) fn new(
        layout: &Layout,
        view: &View,
        lod_scale: f64,
        lod: u8,
        [own, coarser]: [f64; 2],
    ) -> Self {
        let size = layout.size(lod);
        let far = |lod: u8, error: f64| {
            let needed = match view.uniform {
                Some(level) if level == lod => view.range + 2.0 * layout.size(lod),
                Some(_) => 0.0,
                None => error * view.errors_per_radian,
            };
            // Limited first: an error without a bound becomes no smaller by any factor.
            lod_scale * needed.min(FARTHEST * layout.size(lod))
        };
        let uniform = view.uniform.unwrap_or(0);
        if lod < uniform {
            // The view does not use this level.
            return Self { near: [0.0; 2], far: [0.0; 2] };
        }
        // Of a uniform view, no level between its own and this one has a reach of its own.
        let finest = layout.size(uniform);
        let finer_far = match lod.checked_sub(1) {
            _ if lod == uniform => 0.0,
            Some(_) if view.uniform.is_some() => far(uniform, 0.0),
            Some(finer) => far(finer, own),
            None => 0.0,
        };
        // The sum of the margins of all finer levels, each twice as wide as the next.
        let finer = finer_far + MORPH_MARGIN * (size - finest);
        let far = far(lod, coarser);
        // The morph starts beyond the finer level, whose error would add to it. A uniform level
        // keeps its shape within the range.
        let begin = match view.uniform {
            Some(_) => far - size,
            None => (MORPH * far).max(finer_far.min(0.9 * far)),
        };
        Self { near: [finer + size, finer + MORPH_MARGIN * size], far: [begin, far] }
    }

    /// How far a distance is beyond the level's end. Negative within it.
    pub(super) fn beyond(&self, distance: Distance) -> f64 {
        (distance.along_axes - self.near[1]).min(distance.straight - self.far[1])
    }

    /// The morph weight of a vertex at a distance: 0 for its own level's shape, 1 for that of the
    /// next coarser level.
    ///
    /// Selection follows a viewer only after it has moved by `slack`, so the weight reaches 0 and 1
    /// earlier by that distance.
    pub fn weight(&self, distance: Distance, slack: f64) -> f64 {
        let part = |[start, end]: [f64; 2], distance: f64| {
            ((distance - start - slack) / (end - start - 2.0 * slack)).clamp(0.0, 1.0)
        };
        if self.near[1] == 0.0 {
            // The view does not use this level. Other views decide.
            return 1.0;
        }
        let near = part(self.near, distance.along_axes);
        // If the error requires less than balance does, its end does not count.
        let counts = self.far[1] > self.near[1];
        if counts { near.min(part(self.far, distance.straight)) } else { near }
    }
}
