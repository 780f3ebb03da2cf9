//! What edits do besides changing heights: where the ground is painted, cleared, planted, taken
//! away, disturbed and flooded.

use alloc::vec::Vec;

use crate::arrays::Each;
use crate::cover::Painting;
use crate::drainage::{Water, WaterKind};
use crate::edits::change::EditId;
use crate::edits::grids::{GridRow, points_in, region_of};
use crate::edits::index::{Edits, QuadNode};
use crate::edits::operations::{AreaEdit, Clear, Plant, PreparedEdit};
#[cfg(not(feature = "std"))]
use crate::float::Float as _;
use crate::position::Position;
use crate::region::Region;
use crate::samples::positions::Grid;

impl Edits {
    /// What is painted over a point.
    pub fn painting<T>(&self, at: impl Position<2, T>) -> Painting {
        let p = at.coordinates();
        let mut painting = Painting::NONE;
        self.each_at(p, |step| {
            if let PreparedEdit::Paint(paint) = &*step.first().operation {
                paint.paint(p, &mut painting);
            }
        });
        painting
    }

    /// What is painted over the points of a grid, in the order of
    /// [`Samples`](crate::Samples). Empty if nothing is.
    pub fn painting_grid(&self, grid: &Grid<2>, out: &mut Vec<Painting>) {
        out.clear();
        let Some(region) = region_of(grid) else { return };
        for step in self.within(&region) {
            let PreparedEdit::Paint(paint) = &*step.first().operation else { continue };
            out.resize(grid.len(), Painting::NONE);
            for span in GridRow::all(grid, step.region()).flat_map(GridRow::spans) {
                paint.paint_span(&span, &mut out[span.first..span.first + span.len]);
            }
        }
    }
}

/// An edit of the things on the ground.
pub(crate) enum Planting<'a> {
    /// Removes what is there before it.
    Clear(&'a AreaEdit<Clear>),
    /// Adds one thing.
    Plant(EditId, &'a Plant),
}

impl Edits {
    /// Visits all edits of the things on the ground of a region, in the order of their ids.
    pub(crate) fn each_planting<'a>(
        &'a self,
        region: &Region,
        mut visit: impl FnMut(Planting<'a>),
    ) {
        for step in self.within(region) {
            let edit = step.first();
            match &*edit.operation {
                PreparedEdit::Clear(clear) => visit(Planting::Clear(clear)),
                PreparedEdit::Plant(plant) => visit(Planting::Plant(edit.id, plant)),
                _ => {}
            }
        }
    }

    /// Visits what was planted in all regions that a function accepts.
    pub(crate) fn each_planted(
        &self,
        is_near: &impl Fn(&Region) -> bool,
        visit: &mut impl FnMut(EditId, &Plant),
    ) {
        if let Some(root) = &self.root {
            each_planted(&root.node, is_near, visit);
        }
    }

    /// Looks for what was planted nearest to a point, within `within` metres of it. `accepts` gets
    /// nearer and nearer ones, and tells whether each counts.
    pub(crate) fn nearest_planted(
        &self,
        p: [f64; 2],
        within: f64,
        accepts: impl Fn(EditId, &Plant) -> bool,
    ) {
        self.nearest(p, within, |edit, nearest| {
            let PreparedEdit::Plant(plant) = &*edit.operation else { return f64::INFINITY };
            let [x, z] = [plant.center[0] - p[0], plant.center[1] - p[1]];
            let distance = (x * x + z * z).sqrt();
            let counts = distance < nearest && accepts(edit.id, plant);
            if counts { distance } else { f64::INFINITY }
        });
    }

    /// Whether an edit after this one has cleared what it planted.
    pub(crate) fn is_cleared_after(&self, id: EditId, plant: &Plant) -> bool {
        let mut is_cleared = false;
        self.each_at(plant.center, |step| {
            let edit = step.first();
            if let PreparedEdit::Clear(clear) = &*edit.operation {
                is_cleared |= id < edit.id && clear.removes(plant.kind, plant.center);
            }
        });
        is_cleared
    }
}

fn each_planted(
    node: &QuadNode,
    is_near: &impl Fn(&Region) -> bool,
    visit: &mut impl FnMut(EditId, &Plant),
) {
    if !is_near(&node.summary.region) {
        return;
    }
    let blocks = node.blocks.iter().filter(|block| is_near(&block.summary.region));
    for edit in blocks.flat_map(|block| &block.edits) {
        if let PreparedEdit::Plant(plant) = &*edit.operation
            && is_near(&edit.region)
        {
            visit(edit.id, plant);
        }
    }
    node.children.iter().flatten().for_each(|child| each_planted(child, is_near, visit));
}

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

/// The water of a [`Flood`](crate::edits::Flood) over a point. If the ground is above its level,
/// the point is dry.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Flooding {
    /// The height of the water in metres.
    pub level: f64,
    /// The width of the flooded area in metres, where it is narrowest.
    pub width: f64,
}

/// Levels that differ by at most so much are the same, in metres: they may be rounded.
const SAME_LEVEL: f64 = 1e-3;

impl Flooding {
    /// Whether it is a part of other water at the same place, whose surface is at a level in
    /// metres: it is at most a millimetre higher. Then there is one surface, that of the other
    /// water. So a flood that is not above the sea is the sea.
    ///
    /// ```
    /// use orogeny::edits::Flooding;
    ///
    /// let canal = Flooding { level: 2.0, width: 8.0 };
    /// assert!(canal.joins(2.0) && canal.joins(5.0) && !canal.joins(1.9));
    /// ```
    pub fn joins(&self, level: f64) -> bool {
        self.level <= level + SAME_LEVEL
    }

    /// Whether both levels are the same.
    pub fn is_level_with(&self, other: &Self) -> bool {
        (self.level - other.level).abs() <= SAME_LEVEL
    }

    /// The water over ground at a height in metres: a lake.
    pub fn water(&self, ground: f64) -> Water {
        Water {
            kind: WaterKind::Lake,
            surface: self.level,
            depth: self.level - ground,
            flow: [0.0; 2],
            width: self.width,
            discharge: 0.0,
            bank: 0.0,
        }
    }
}

impl Edits {
    /// The water of floods over a point. Where floods overlap, the latest counts, so it can raise
    /// water or drain it.
    ///
    /// ```
    /// use orogeny::edits::{Area, Disc, EditLog, Flood};
    ///
    /// let area = Area::Disc(Disc { center: [50.0, 80.0], radius: 30.0, falloff: 1.0 });
    /// let mut log = EditLog::new();
    /// log.add(1, Flood { area, level: 12.0 })?;
    /// let flooding = log.edits().flooding([60.0, 80.0]).expect("it is in the area");
    /// assert_eq!(flooding.level, 12.0);
    /// assert_eq!(log.edits().flooding([100.0, 80.0]), None);
    /// # Ok::<(), orogeny::DataError>(())
    /// ```
    pub fn flooding<T>(&self, at: impl Position<2, T>) -> Option<Flooding> {
        let p = at.coordinates();
        let mut flooding = None;
        self.each_at(p, |step| {
            if let PreparedEdit::Flood(flood) = &*step.first().operation {
                flooding = flood.at(p).or(flooding);
            }
        });
        flooding
    }

    /// The water of floods over the points of a grid, in the order of
    /// [`Samples`](crate::Samples). Empty if there is none.
    pub fn flooding_grid(&self, grid: &Grid<2>, out: &mut Vec<Option<Flooding>>) {
        out.clear();
        let Some(region) = region_of(grid) else { return };
        // The latest first: most points are done then.
        for step in self.within(&region).into_iter().rev() {
            let PreparedEdit::Flood(flood) = &*step.first().operation else { continue };
            out.resize(grid.len(), None);
            for (i, p) in points_in(grid, &flood.area.core_region()) {
                if out[i].is_none() {
                    out[i] = flood.at(p);
                }
            }
        }
    }

    /// The regions of floods that [join](Flooding::joins) one of two seas, but not the other: what
    /// changes if the sea rises or falls from one of these levels to the other.
    pub fn floods_between(&self, seas: [Option<f64>; 2]) -> Vec<Region> {
        let [old, new] = seas;
        if old == new || self.is_empty() {
            return Vec::new();
        }
        let is_between = |flooding: Flooding| {
            let [old, new] = seas.each(|sea| sea.is_some_and(|level| flooding.joins(level)));
            old != new
        };
        let regions = self.within(&self.region()).into_iter().filter_map(|step| {
            let PreparedEdit::Flood(flood) = &*step.first().operation else { return None };
            is_between(flood.flooding()).then(|| *step.region())
        });
        regions.collect()
    }
}
