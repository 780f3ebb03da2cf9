//! The distances up to which levels are used in a view.

use crate::chunk::key::Layout;
use crate::lod::level_errors::LevelErrors;
use crate::lod::view::{Distance, View};

/// How far a level reaches beyond the next finer one, in widths of its chunks: 1 keeps the quadtree
/// balanced, and the rest leaves room to geomorph.
pub const MORPH_MARGIN: f64 = 1.25;

/// The maximum reach of a level, in widths of its chunks, whatever its error. That is some 3,000
/// chunks.
pub(super) const FARTHEST: f64 = 32.0;

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

/// The ranges of all levels for one view.
#[derive(Clone, Debug, Default)]
pub(super) struct LevelRanges {
    /// Those of the levels below the roots', the finest first.
    pub levels: Vec<LevelRange>,
    /// The height that no ground exceeds.
    pub highest: f64,
    /// Those of the view that was selected for.
    pub errors_per_radian: f64,
}

impl LevelRanges {
    /// The ranges for a view whose errors per radian are multiplied by `lod_scale`.
    pub fn update(
        &mut self,
        layout: &Layout,
        errors: &LevelErrors,
        view: &View,
        lod_scale: f64,
        root_lod: u8,
    ) {
        self.highest = errors.highest(view.guarantee);
        self.errors_per_radian = lod_scale * view.errors_per_radian;
        let clearance = view.clearance(self.highest);
        let (mut finer, mut finer_far) = (0f64, 0f64);
        self.levels.clear();
        self.levels.extend((0..root_lod).map(|lod| {
            let size = layout.size(lod);
            let needed = match view.uniform {
                Some(level) if level == lod => view.range.hypot(clearance) + 2.0 * size,
                Some(_) => 0.0,
                None => errors.of(lod + 1, view.guarantee) * view.errors_per_radian,
            };
            // Limited first: an error without a bound becomes no smaller by any factor.
            let far = lod_scale * needed.min(FARTHEST * size);
            // Levels finer than the uniform one have no range.
            let unused = view.uniform.is_some_and(|level| lod < level);
            let touch = finer + size;
            let near = if unused { [0.0; 2] } else { [touch, finer + MORPH_MARGIN * size] };
            // The morph starts beyond the finer level, whose error would add to it. A uniform level
            // keeps its shape within the range.
            let begin = match view.uniform {
                Some(_) => far - size,
                None => (0.7 * far).max(finer_far.min(0.9 * far)),
            };
            (finer, finer_far) = (near[1].max(far), far);
            LevelRange { near, far: [begin, far] }
        }));
    }
}
