//! The parts of a block, and their squares: what matters in each is found when somebody asks.

use alloc::boxed::Box;

use crate::drainage::ground::survey::{Around, Survey};
use crate::drainage::network::land::Land;
use crate::region::Region;
use crate::tiles::Once;

/// The squares along each side of a part. At its corners the land is looked at, see
/// [`Around::ends`].
pub(in crate::drainage) const SIDE: i64 = 8;

/// Some squares, in rows of the same length.
#[derive(Debug)]
pub(in crate::drainage) struct Part {
    /// The index of the first square.
    first: [i64; 2],
    /// The squares along each side.
    count: i64,
    /// The side of a square.
    side: f64,
    /// What matters in all of it.
    around: Around,
    /// The same of its squares, row by row: for the ground, and for the distance from banks.
    ground: Box<[Once<Around>]>,
    banks: Box<[Once<Around>]>,
}

impl Part {
    /// The part with a square, among those with [`SIDE`] squares along each side.
    pub fn of(square: [i64; 2], side: f64, survey: &Survey, land: &Land) -> Self {
        let first = square.map(|i| i.div_euclid(SIDE) * SIDE);
        let region = squares(first, SIDE, side);
        let ends = land.ends_at(&corners(region));
        Self::new(first, SIDE, side, Around { ends, ..survey.in_range(region) })
    }

    /// A square by itself.
    pub fn single(square: [i64; 2], side: f64, survey: &Survey, land: &Land) -> Self {
        let ends = land.ends_at(&corners(around(square, side)));
        let around = Around { ends, ..survey.in_range(squares(square, 1, side)) };
        Self::new(square, 1, side, around)
    }

    fn new(first: [i64; 2], count: i64, side: f64, around: Around) -> Self {
        let [ground, banks] = [(); 2].map(|()| (0..count * count).map(|_| Once::new()).collect());
        Self { first, count, side, around, ground, banks }
    }

    /// What matters for the ground in a square.
    pub fn ground(&self, survey: &Survey, square: [i64; 2]) -> &Around {
        let (place, region) = self.place(square);
        self.ground[place].get_or_init(|| survey.around(&self.around, region))
    }

    /// The reaches whose banks may be the nearest in a square.
    pub fn banks(&self, survey: &Survey, square: [i64; 2]) -> &Around {
        let (place, region) = self.place(square);
        self.banks[place].get_or_init(|| survey.banks(&self.around, region, f64::INFINITY))
    }

    /// The place of a square in the lists, and its region.
    fn place(&self, square: [i64; 2]) -> (usize, Region) {
        let [x, z] = [0, 1].map(|k| square[k] - self.first[k]);
        ((z * self.count + x) as usize, squares(square, 1, self.side))
    }
}

/// The region of the part with a square.
pub(in crate::drainage) fn around(square: [i64; 2], side: f64) -> Region {
    squares(square.map(|i| i.div_euclid(SIDE) * SIDE), SIDE, side)
}

/// The corners of a region.
pub(in crate::drainage) fn corners(Region { min, max }: Region) -> [[f64; 2]; 4] {
    [min, [max[0], min[1]], [min[0], max[1]], max]
}

/// The region of some squares.
pub(in crate::drainage) fn squares(first: [i64; 2], count: i64, side: f64) -> Region {
    let [min, max] = [first, first.map(|i| i + count)].map(|end| end.map(|i| i as f64 * side));
    Region { min, max }
}
