//! The sections of a block, and what matters in their squares.

use alloc::vec::Vec;

use crate::drainage::ground::quad::{Finder, Quad, squares};
use crate::drainage::ground::survey::{Neighbourhood, Survey};
use crate::drainage::network::land::Land;
use crate::region::Region;

/// The squares along each side of a section. At its corners the land is looked at, see
/// [`Neighbourhood::ends`].
pub(in crate::drainage) const SIDE: i64 = 8;

/// Some squares of a survey.
#[derive(Debug)]
pub(in crate::drainage) struct Section {
    /// The side of a square.
    side: f64,
    /// What matters for the ground, and for the distance from banks.
    ground: Quad,
    banks: Quad,
}

impl Section {
    /// The section with a square, among those with [`SIDE`] squares along each side.
    pub fn of(square: [i64; 2], side: f64, survey: &Survey, land: &Land) -> Self {
        let first = square.map(|i| i.div_euclid(SIDE) * SIDE);
        let region = squares(first, SIDE, side);
        let ends = land.ends_at(&corners(region));
        let all = Neighbourhood { ends, ..survey.in_range(region) };
        let wet = Neighbourhood { ground: Vec::new(), wet: all.wet.clone(), ends };
        let [ground, banks] = [all, wet].map(|around| Quad::new(first, SIDE, around));
        Self { side, ground, banks }
    }

    /// A square by itself.
    pub fn single(square: [i64; 2], side: f64, survey: &Survey, land: &Land) -> Self {
        let region = squares(square, 1, side);
        let ends = land.ends_at(&corners(region_around(square, side)));
        let all = Neighbourhood { ends, ..survey.in_range(region) };
        let narrowed = [survey.around(&all, region), survey.banks(&all, region, f64::INFINITY)];
        let [ground, banks] = narrowed.map(|around| Quad::new(square, 1, around));
        Self { side, ground, banks }
    }

    /// All of it, and how to find what matters for the ground.
    pub fn ground<'a>(&'a self, survey: &'a Survey) -> (&'a Quad, Finder<'a>) {
        (&self.ground, Finder { survey, side: self.side, narrow: Survey::around })
    }

    /// The same for the distance from banks.
    pub fn banks<'a>(&'a self, survey: &'a Survey) -> (&'a Quad, Finder<'a>) {
        let narrow = |survey: &Survey, around: &Neighbourhood, region| {
            survey.banks(around, region, f64::INFINITY)
        };
        (&self.banks, Finder { survey, side: self.side, narrow })
    }
}

/// The region of the section with a square.
pub(in crate::drainage) fn region_around(square: [i64; 2], side: f64) -> Region {
    squares(square.map(|i| i.div_euclid(SIDE) * SIDE), SIDE, side)
}

/// The corners of a region.
pub(in crate::drainage) fn corners(Region { min, max }: Region) -> [[f64; 2]; 4] {
    [min, [max[0], min[1]], [min[0], max[1]], max]
}
