//! Focuses: edits that need finer levels than the ground around them.
//!
//! The errors of levels are those of the ground as a whole. Where it is smooth, its coarse levels
//! would lose the edge of a pad, or the whole pad. A focus asks for level l in its region while a
//! view is nearer than far_l, by the error of the edit at level l + 1. To keep the quadtree
//! balanced, it asks for that level up to near_l around its region, see `selection`. far_l grows by
//! a factor of at least 1 / 0.7 from level to level, so each level has morphed away before the next
//! coarser one begins to.

use orogeny::edits::EditDetail;
use orogeny::{Landscape, Region};

use crate::chunk::key::{ChunkKey, Layout, MAX_LOD};
use crate::lod::level_errors::LevelErrors;
use crate::lod::level_range::{FARTHEST, MORPH_MARGIN};
use crate::lod::view::View;

/// The maximum number of focuses. Each costs some ten chunks a level.
const MAX: usize = 32;

/// The maximum extent of the region of a focus, in widths of the chunks that it asks for.
const WIDEST: f64 = 8.0;

/// Where a level begins to morph into the next coarser one, as a part of its reach.
const MORPH: f64 = 0.7;

/// An edit that needs finer levels than the ground around it.
#[derive(Clone, Debug, PartialEq)]
pub struct Focus {
    region: Region,
    /// For each level, how far from the region a view of one error per radian needs it, in metres.
    reach: [f64; MAX_LOD as usize],
}

impl Focus {
    /// An edit of a region.
    pub fn new(layout: &Layout, region: Region, detail: &EditDetail) -> Self {
        let extent = (0..2).map(|k| region.max[k] - region.min[k]).fold(0.0, f64::max);
        let mut finer = 0.0;
        let reach = core::array::from_fn(|lod| {
            let lod = lod as u8;
            let fits = extent <= WIDEST * layout.size(lod);
            let needed = if fits { detail.error(layout.spacing(lod + 1)) } else { 0.0 };
            finer = needed.max(finer / MORPH);
            finer
        });
        Self { region, reach }
    }

    /// How far chunks of a level beyond the region are too far, in metres. Negative within that.
    pub(super) fn beyond(&self, layout: &Layout, key: ChunkKey, level: u8) -> f64 {
        let (origin, size) = (layout.origin(key), layout.size(key.lod));
        let apart = [0, 1].map(|k| {
            (self.region.min[k] - origin[k] - size).max(origin[k] - self.region.max[k]).max(0.0)
        });
        apart[0].max(apart[1]) - near(layout, level)[1]
    }

    /// How much farther than the level's reach a view is, in metres. Negative within that.
    pub(super) fn too_far(&self, view: &View, highest: f64, level: u8) -> f64 {
        self.distance(view, highest) - self.far(view, level)
    }

    /// The morph weight of a vertex of a level: 0 for its own level's shape, 1 for that of the next
    /// coarser level, or if this focus does not need the level.
    pub(super) fn weight(
        &self,
        layout: &Layout,
        views: impl Iterator<Item = (View, f64)>,
        level: u8,
        point: [f64; 2],
        slack: f64,
    ) -> f64 {
        let apart =
            [0, 1].map(|k| (self.region.min[k] - point[k]).max(point[k] - self.region.max[k]));
        let [start, end] = near(layout, level);
        let around = ((apart[0].max(apart[1]) - start) / (end - start)).clamp(0.0, 1.0);
        if around == 1.0 {
            return 1.0;
        }
        let each = views.map(|(view, highest)| {
            let (far, distance) = (self.far(&view, level), self.distance(&view, highest));
            let [start, end] = [MORPH * far + slack, far - slack];
            // Nearer than that there is no room to morph.
            if start < end { ((distance - start) / (end - start)).clamp(0.0, 1.0) } else { 1.0 }
        });
        each.fold(1.0, f64::min).max(around)
    }

    /// How far from the region a view needs a level, in metres.
    fn far(&self, view: &View, level: u8) -> f64 {
        // A uniform view has the level that it asked for.
        if view.uniform.is_some() {
            0.0
        } else {
            view.errors_per_radian * self.reach[usize::from(level)]
        }
    }

    fn distance(&self, view: &View, highest: f64) -> f64 {
        view.distance_to_region(&self.region, highest).straight
    }
}

/// How far around a region finer chunks may touch those of a level, and the end of the level, along
/// the axes: the sums of what balance requires of this level and all finer ones.
fn near(layout: &Layout, level: u8) -> [f64; 2] {
    let (size, finest) = (layout.size(level), layout.size(0));
    let finer = MORPH_MARGIN * (size - finest);
    [finer + size, finer + MORPH_MARGIN * size]
}

/// The edits that views need in finer levels than the ground around them: those of which the most
/// is missing on the screen.
pub(crate) fn find(
    ground: &Landscape,
    layout: &Layout,
    errors: &LevelErrors,
    views: &[View],
) -> Vec<Focus> {
    let around = views.iter().map(|view| Region::around(view.position, [view.range; 2]));
    let Some(around) = around.reduce(|all, region| all.union(&region)) else { return Vec::new() };
    let visible = |(region, detail): &(Region, EditDetail)| {
        let each = views.iter().filter(|view| view.uniform.is_none()).map(|view| {
            let highest = errors.highest(view.guarantee);
            let distance = view.distance_to_region(region, highest).straight;
            let level = level_at(layout, errors, view, distance);
            // The finest level has no finer one.
            let error = if level == 0 { 0.0 } else { detail.error(layout.spacing(level)) };
            error * view.errors_per_radian / distance.max(layout.size(0))
        });
        each.fold(0.0, f64::max)
    };
    let found = ground.edited().details(&around).into_iter().map(|edit| (visible(&edit), edit));
    let mut found: Vec<_> = found.filter(|(pixels, _)| *pixels > 1.0).collect();
    found.sort_by(|a, b| b.0.total_cmp(&a.0));
    found.truncate(MAX);
    found.into_iter().map(|(_, (region, detail))| Focus::new(layout, region, &detail)).collect()
}

/// The level that the ground as a whole has at a distance.
fn level_at(layout: &Layout, errors: &LevelErrors, view: &View, distance: f64) -> u8 {
    let reaches = |lod: u8| {
        let far = errors.of(lod + 1, view.guarantee) * view.errors_per_radian;
        distance < far.min(FARTHEST * layout.size(lod)).max(near(layout, lod)[1])
    };
    (0..MAX_LOD).find(|&lod| reaches(lod)).unwrap_or(MAX_LOD)
}
