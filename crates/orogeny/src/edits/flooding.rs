//! What is flooded.

use alloc::vec::Vec;

use crate::drainage::{Water, WaterKind};
use crate::edits::grids::{points_in, region_of};
use crate::edits::index::Edits;
use crate::edits::operations::PreparedEdit;
use crate::position::Position;
use crate::region::Region;
use crate::samples::grid::Grid;

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
            let [old, new] = seas.map(|sea| sea.is_some_and(|level| flooding.joins(level)));
            old != new
        };
        let regions = self.within(&self.region()).into_iter().filter_map(|step| {
            let PreparedEdit::Flood(flood) = &*step.first().operation else { return None };
            is_between(flood.flooding()).then(|| *step.region())
        });
        regions.collect()
    }
}
