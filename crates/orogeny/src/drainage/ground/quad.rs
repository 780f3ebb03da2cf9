//! A quadtree of squares: what matters in each is found when somebody asks, among what matters in
//! the larger one around it.

use alloc::boxed::Box;

use crate::drainage::ground::survey::{Neighbourhood, Survey};
use crate::region::Region;
use crate::tiles::Once;

/// Finds what matters in a region, of what matters around it.
pub(in crate::drainage) type Narrow = fn(&Survey, &Neighbourhood, Region) -> Neighbourhood;

/// A square, with what matters in it.
#[derive(Debug)]
pub(in crate::drainage) struct Quad {
    /// The index of the first of the smallest squares in it, and how many are along each side: a
    /// power of two.
    first: [i64; 2],
    pub count: i64,
    pub around: Neighbourhood,
    quarters: [Once<Box<Self>>; 4],
}

/// How to find what matters in the quarters of a square.
#[derive(Clone, Copy)]
pub(in crate::drainage) struct Finder<'a> {
    pub survey: &'a Survey,
    /// The side of the smallest squares.
    pub side: f64,
    pub narrow: Narrow,
}

impl Quad {
    /// A square of `count` times `count` of the smallest ones, in which all this matters.
    pub fn new(first: [i64; 2], count: i64, around: Neighbourhood) -> Self {
        Self { first, count, around, quarters: [const { Once::new() }; 4] }
    }

    /// The index of the first of the smallest squares beyond its middle.
    pub fn middle(&self) -> [i64; 2] {
        self.first.map(|i| i + self.count / 2)
    }

    /// One of its quarters: before or after the middle along each axis.
    pub fn quarter(&self, finder: Finder, is_after: [bool; 2]) -> &Self {
        let [x, z] = is_after.map(usize::from);
        self.quarters[2 * z + x].get_or_init(|| {
            let count = self.count / 2;
            let first = [0, 1].map(|k| self.first[k] + count * i64::from(is_after[k]));
            let region = squares(first, count, finder.side);
            let around = (finder.narrow)(finder.survey, &self.around, region);
            Box::new(Self::new(first, count, around))
        })
    }

    /// What matters in the smallest square with this index.
    pub fn smallest(&self, finder: Finder, square: [i64; 2]) -> &Neighbourhood {
        let mut quad = self;
        while quad.count > 1 {
            let middle = quad.middle();
            quad = quad.quarter(finder, [0, 1].map(|k| square[k] >= middle[k]));
        }
        &quad.around
    }
}

/// The region of some squares.
pub(in crate::drainage) fn squares(first: [i64; 2], count: i64, side: f64) -> Region {
    let [min, max] = [first, first.map(|i| i + count)].map(|end| end.map(|i| i as f64 * side));
    Region { min, max }
}
