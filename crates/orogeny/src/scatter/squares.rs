//! The squares of a box in which something may grow: where queries look.
//!
//! A box is cut into squares, these into smaller ones, and so on. A square in which proven bounds
//! of the ground leave nothing that grows is left out, however large it is. So a query costs as
//! much as the ground on which something may stand.

use alloc::vec::Vec;
use core::fmt;

#[cfg(not(feature = "std"))]
use crate::float::Float as _;
use crate::region::Region;
use crate::scatter::grow::margins;
use crate::scatter::placement::Placement;
use crate::scatter::prepared_kind::PreparedKind;
use crate::scatter::site::{FARTHEST, SPACING};

/// The width in metres of the smallest squares, unless instances keep farther from each other.
const BLOCK: f64 = 64.0;
/// The work of finding the bounds of the ground in a square, in places.
const BOUNDS: f64 = 64.0;
/// The work of boxes that are placed as a whole: some 30 MB for a moment.
const WHOLE: f64 = (1u64 << 20) as f64;

/// A query of scatter would look at too many places: more than [`MAX_PLACES`](Self::MAX_PLACES),
/// or more than [`MAX_TOGETHER`](Self::MAX_TOGETHER) at once.
///
/// Places are the cells of the wanted kinds, each as wide as the radius of its kind, and points of
/// the ground that are 4 m apart. Where proven bounds of the ground show that nothing grows, there
/// are none: a query over bare ground can be of any size. Only where bounds must be found for each
/// square of 64 m, ground that is nearly suited, a square counts as 64 places.
///
/// Around what is wanted, instances are placed that may displace it, and they are placed together:
/// with several kinds that have radii of hundreds of metres, even a small query is too large.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLarge;

impl TooLarge {
    /// The maximum number of places: 2^26, some 6 km square of dense bushes with a radius of 0.8 m.
    /// Looking at all of them takes seconds, and the instances found take up to 2 GB.
    pub const MAX_PLACES: u64 = 1 << 26;
    /// The maximum number of places that are looked at together: 2^23, some 400 MB for a moment.
    pub const MAX_TOGETHER: u64 = 1 << 23;
}

impl fmt::Display for TooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [all, together] = [Self::MAX_PLACES, Self::MAX_TOGETHER];
        write!(f, "the query would look at more than {all} places, or {together} at once")
    }
}

impl core::error::Error for TooLarge {}

/// What a query looks for.
struct Plan<'a> {
    placement: &'a Placement,
    area: Region,
    /// The kinds that it wants.
    wanted: Vec<&'a PreparedKind>,
    /// How far around a box each kind must be known, see [`margins`].
    margins: Vec<Option<f64>>,
    widest: f64,
    /// The width of the smallest squares in metres.
    width: f64,
    /// The places that it may still look at.
    rest: f64,
    squares: Vec<Region>,
}

/// A square of 2^level of the smallest ones.
#[derive(Clone, Copy)]
struct Square {
    level: u32,
    index: [i64; 2],
}

impl Placement {
    /// The parts of an area in which some kinds may grow, each small enough to be placed as a
    /// whole. `is_near` tells whether a query looks at a part at all.
    pub(super) fn squares(
        &self,
        area: &Region,
        is_wanted: impl Fn(usize) -> bool,
        is_near: impl Fn(&Region) -> bool,
    ) -> Result<Vec<Region>, TooLarge> {
        let Some(mut plan) = Plan::new(self, area, is_wanted) else { return Ok(Vec::new()) };
        plan.fill(&is_near)?;
        Ok(plan.squares)
    }

    /// The same for a box that is wanted as a whole, if it is small enough.
    pub(super) fn whole_or_squares(
        &self,
        area: &Region,
        is_wanted: impl Fn(usize) -> bool,
    ) -> Result<Vec<Region>, TooLarge> {
        let Some(mut plan) = Plan::new(self, area, is_wanted) else { return Ok(Vec::new()) };
        if plan.places(&plan.area) <= WHOLE {
            return Ok(vec![plan.area]);
        }
        plan.fill(&|_| true)?;
        Ok(plan.squares)
    }
}

impl<'a> Plan<'a> {
    /// A plan for an area; `None` if nothing can grow there.
    fn new(
        placement: &'a Placement,
        area: &Region,
        is_wanted: impl Fn(usize) -> bool,
    ) -> Option<Self> {
        // NaN is not below anything.
        if !(0..2).all(|k| area.min[k] < area.max[k]) {
            return None;
        }
        let inside = |end: [f64; 2]| end.map(|x| x.clamp(-FARTHEST, FARTHEST));
        let area = Region { min: inside(area.min), max: inside(area.max) };
        let kinds = &placement.kinds;
        let margins = margins(kinds, &is_wanted);
        let widest = margins.iter().copied().flatten().reduce(f64::max)?;
        let wanted = kinds.iter().enumerate().filter(|&(i, _)| is_wanted(i));
        let wanted = wanted.map(|(_, kind)| kind).collect();
        // Around each square all margins are placed once more.
        let mut width = BLOCK;
        while width < widest {
            width *= 2.0;
        }
        let rest = TooLarge::MAX_PLACES as f64;
        let squares = Vec::new();
        Some(Self { placement, area, wanted, margins, widest, width, rest, squares })
    }

    /// The places to look at in a box.
    fn places(&self, area: &Region) -> f64 {
        let count = |width: f64, margin: f64, more: f64| {
            let along = |k: usize| (area.max[k] - area.min[k] + 2.0 * margin) / width + more;
            along(0) * along(1)
        };
        let kinds = self.placement.kinds.iter().zip(&self.margins);
        let cells =
            kinds.filter_map(|(kind, margin)| Some(count(kind.cells.width, (*margin)?, 5.0)));
        count(SPACING, self.widest, 2.0) + cells.sum::<f64>()
    }

    fn fill(&mut self, is_near: &impl Fn(&Region) -> bool) -> Result<(), TooLarge> {
        let index = |end: [f64; 2]| end.map(|x| (x / self.width).floor() as i64);
        let (mut first, mut last) = (index(self.area.min), index(self.area.max));
        let mut level = 0;
        while (0..2).any(|k| last[k] - first[k] > 1) {
            level += 1;
            [first, last] = [first, last].map(|end| end.map(|i| i >> 1));
        }
        for z in first[1]..=last[1] {
            for x in first[0]..=last[0] {
                self.add(Square { level, index: [x, z] }, is_near)?;
            }
        }
        Ok(())
    }

    /// Adds the parts of a square in which something may grow.
    fn add(
        &mut self,
        Square { level, index }: Square,
        is_near: &impl Fn(&Region) -> bool,
    ) -> Result<(), TooLarge> {
        let width = self.width * (1u64 << level) as f64;
        let part = |k: usize| {
            let start = index[k] as f64 * width;
            [start.max(self.area.min[k]), (start + width).min(self.area.max[k])]
        };
        let [x, z] = [part(0), part(1)];
        let part = Region { min: [x[0], z[0]], max: [x[1], z[1]] };
        if !(x[0] < x[1] && z[0] < z[1] && is_near(&part)) {
            return Ok(());
        }
        self.rest -= BOUNDS;
        if self.rest < 0.0 {
            return Err(TooLarge);
        }
        let ground = self.placement.ground.around(&part);
        if !self.wanted.iter().any(|kind| kind.may_grow(&ground)) {
            return Ok(());
        }
        if level == 0 {
            let places = self.places(&part);
            self.rest -= places;
            if self.rest < 0.0 || places > TooLarge::MAX_TOGETHER as f64 {
                return Err(TooLarge);
            }
            self.squares.push(part);
            return Ok(());
        }
        for [x, z] in [[0, 0], [1, 0], [0, 1], [1, 1]] {
            let index = [2 * index[0] + x, 2 * index[1] + z];
            self.add(Square { level: level - 1, index }, is_near)?;
        }
        Ok(())
    }
}
