//! The squares of a region in which something may grow: where queries look.
//!
//! A region is cut into squares, these into smaller ones, and so on. A square in which proven
//! bounds of the ground leave nothing that grows is left out, however large it is. So a query costs
//! as much as the ground on which something may stand.

use alloc::vec::Vec;
use core::ops::Range;

use crate::arrays::Each;
#[cfg(not(feature = "std"))]
use crate::float::Float as _;
use crate::limits::{OutOfLimits, POSITION, SCATTER_PLACES, SCATTER_PLACES_TOGETHER};
use crate::region::Region;
use crate::scatter::kind::ScatterKind;
use crate::scatter::placement::Placement;
use crate::scatter::prepared_kind::PreparedKind;
use crate::scatter::site::SPACING;

/// The kinds that a query wants.
pub(super) struct Wanted {
    /// For each kind, whether it is one.
    pub is_wanted: Vec<bool>,
    /// How far around a region each kind must be known, in metres, so that the wanted ones are
    /// known in it. `None` for kinds that no wanted one depends on.
    pub margins: Vec<Option<f64>>,
    /// The largest margin.
    pub widest: f64,
}

impl Wanted {
    /// The kinds that a function accepts; `None` if it accepts none.
    pub fn new(kinds: &[PreparedKind], is_wanted: impl Fn(&ScatterKind) -> bool) -> Option<Self> {
        let is_wanted: Vec<bool> = kinds.iter().map(|kind| is_wanted(&kind.kind)).collect();
        let mut margins: Vec<Option<f64>> = vec![None; kinds.len()];
        for i in (0..kinds.len()).rev() {
            let radius = kinds[i].cells.width;
            let own = is_wanted[i].then_some(0.0);
            let later = kinds[i + 1..].iter().zip(&margins[i + 1..]);
            let needed = later.filter_map(|(later, margin)| {
                let margin = (*margin)?;
                Some(margin + radius.min(later.cells.width))
            });
            margins[i] = own.into_iter().chain(needed).reduce(f64::max);
        }
        let widest = margins.iter().copied().flatten().reduce(f64::max)?;
        Some(Self { is_wanted, margins, widest })
    }
}

/// The width in metres of the smallest squares, unless instances keep farther from each other.
const BLOCK: f64 = 64.0;
/// The work of finding the bounds of the ground in a square, in places.
const BOUNDS: f64 = 64.0;
/// The places of regions that are placed as a whole: about as large as those whose ground is kept.
const WHOLE: f64 = (1u64 << 16) as f64;
/// The same if only instances of low rank are wanted, so that few have to be decided: some 30 MB
/// for a moment.
const WHOLE_OF_LOW_RANK: f64 = (1u64 << 20) as f64;

/// Where a query looks.
struct Plan<'a, N> {
    placement: &'a Placement,
    wanted: &'a Wanted,
    /// Tells whether the query looks at a part at all.
    is_near: N,
    region: Region,
    /// The width of the smallest squares in metres.
    width: f64,
    /// The places that it looks at.
    places: f64,
    squares: Vec<Region>,
}

/// A square of 2^level of the smallest ones.
#[derive(Clone, Copy)]
struct Square {
    level: u32,
    index: [i64; 2],
}

impl Placement {
    /// The region itself, if it has at most as many places as are placed as a `whole`, or else the
    /// squares of it in which wanted kinds may grow, each small enough for that. `is_near` tells
    /// whether a query looks at a part at all.
    pub(super) fn parts(
        &self,
        region: &Region,
        whole: f64,
        wanted: &Wanted,
        is_near: impl Fn(&Region) -> bool,
    ) -> Result<Vec<Region>, OutOfLimits> {
        let Some(mut plan) = Plan::new(self, region, wanted, is_near) else {
            return Ok(Vec::new());
        };
        if plan.places_in(&plan.region) <= whole {
            return Ok(vec![plan.region]);
        }
        plan.fill()?;
        Ok(plan.squares)
    }
}

/// The places of regions that are placed as a whole for instances of some ranks.
pub(super) fn whole(ranks: &Range<f32>) -> f64 {
    if ranks.end - ranks.start < 1.0 { WHOLE_OF_LOW_RANK } else { WHOLE }
}

impl<'a, N: Fn(&Region) -> bool> Plan<'a, N> {
    /// A plan for a region; `None` if it is empty.
    fn new(
        placement: &'a Placement,
        region: &Region,
        wanted: &'a Wanted,
        is_near: N,
    ) -> Option<Self> {
        if !(0..2).all(|k| region.min[k] < region.max[k]) {
            return None;
        }
        // Rays may leave the world.
        let inside = |end: [f64; 2]| end.each(|x| x.clamp(POSITION.min, POSITION.max));
        let region = Region { min: inside(region.min), max: inside(region.max) };
        // Around each square all margins are placed once more.
        let mut width = BLOCK;
        while width < wanted.widest {
            width *= 2.0;
        }
        let squares = Vec::new();
        Some(Self { placement, wanted, is_near, region, width, places: 0.0, squares })
    }

    /// The places to look at in a region.
    fn places_in(&self, region: &Region) -> f64 {
        let count = |width: f64, margin: f64, more: f64| {
            let along = |k: usize| (region.max[k] - region.min[k] + 2.0 * margin) / width + more;
            along(0) * along(1)
        };
        let kinds = self.placement.kinds.iter().zip(&self.wanted.margins);
        let cells =
            kinds.filter_map(|(kind, margin)| Some(count(kind.cells.width, (*margin)?, 5.0)));
        count(SPACING, self.wanted.widest, 2.0) + cells.sum::<f64>()
    }

    fn look_at(&mut self, places: f64) -> Result<(), OutOfLimits> {
        self.places += places;
        SCATTER_PLACES.check(self.places)
    }

    fn fill(&mut self) -> Result<(), OutOfLimits> {
        let index = |end: [f64; 2]| end.each(|x| (x / self.width).floor() as i64);
        let (mut first, mut last) = (index(self.region.min), index(self.region.max));
        let mut level = 0;
        while (0..2).any(|k| last[k] - first[k] > 1) {
            level += 1;
            [first, last] = [first, last].each(|end| end.each(|i| i >> 1));
        }
        for z in first[1]..=last[1] {
            for x in first[0]..=last[0] {
                self.add(Square { level, index: [x, z] })?;
            }
        }
        Ok(())
    }

    /// Adds the parts of a square in which something may grow.
    fn add(&mut self, Square { level, index }: Square) -> Result<(), OutOfLimits> {
        let width = self.width * (1u64 << level) as f64;
        let min = index.each(|i| i as f64 * width);
        let square = Region { min, max: min.each(|x| x + width) };
        let part = square.intersection(&self.region);
        let is_empty = !(0..2).all(|k| part.min[k] < part.max[k]);
        if is_empty || !(self.is_near)(&part) {
            return Ok(());
        }
        self.look_at(BOUNDS)?;
        let prospect = self.placement.ground.around(&part);
        let kinds = self.placement.kinds.iter().zip(&self.wanted.is_wanted);
        if !kinds.into_iter().any(|(kind, is_wanted)| *is_wanted && kind.may_grow(&prospect)) {
            return Ok(());
        }
        if level == 0 {
            let places = self.places_in(&part);
            self.look_at(places)?;
            SCATTER_PLACES_TOGETHER.check(places)?;
            self.squares.push(part);
            return Ok(());
        }
        for [x, z] in [[0, 0], [1, 0], [0, 1], [1, 1]] {
            self.add(Square { level: level - 1, index: [2 * index[0] + x, 2 * index[1] + z] })?;
        }
        Ok(())
    }
}
