//! Surveys of square blocks of the plane, which are kept.
//!
//! A block is cut into sections, and each of them is a quadtree of squares: what matters in a
//! square is found when somebody asks, among what matters in the larger one around it.

use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::arrays::Each;
use crate::drainage::ground::bounds::{Disc, DiscBounds};
use crate::drainage::ground::reach::{Reach, RiverReach};
use crate::drainage::ground::survey::{Evaluation, Neighbourhood, Survey};
use crate::drainage::ground::valley::Sample64;
use crate::drainage::network::Network;
use crate::drainage::network::lattice::Table;
use crate::drainage::network::node::{Catchment, NetworkNode};
#[cfg(not(feature = "std"))]
use crate::float::Float as _;
use crate::region::Region;
use crate::simd::Level;
use crate::tiles::{Once, Tiles, value_of};

/// The squares along each side of a block, and its sections.
const SIDE: i64 = 32;
const SECTIONS: i64 = SIDE / SECTION;

/// The side of a square, in spacings of the finest rivers.
const SQUARE: f64 = 0.5;

/// The largest radius, in sides of squares, of a disc with bounds of its own.
const BOUNDED: f64 = 4.0;

/// How many blocks are kept. Each has some 3,000 reaches, which take 0.9 MB, and what was found of
/// its squares and put into bins, up to half as much again.
const KEPT: usize = 64;

/// The blocks along each side of a square that share the nodes of the level above the finest, and
/// how many such squares are kept. Most of the nodes that a block needs of that level lie around
/// it, where others need them too. A square takes 0.2 MB.
const SHARING: i64 = 4;
const KEPT_ABOVE: usize = 8;

/// The squares along each side of a part of a large region that is surveyed at once.
const SURVEYED: i64 = 3 * SIDE;

/// The largest side of a region for which kept blocks are used, in sides of blocks. A larger one
/// has few points in each square, and is surveyed at once.
pub(in crate::drainage) const LARGEST_KEPT: f64 = 0.75;

/// A block of squares.
#[derive(Debug, Default)]
struct Block {
    /// The first square that a point asked for, surveyed alone: that takes half as long as the
    /// block.
    single: Once<([i64; 2], Survey, Section)>,
    whole: Once<Whole>,
}

/// A block that was surveyed, and its sections.
#[derive(Debug)]
struct Whole {
    survey: Survey,
    sections: [Once<Section>; (SECTIONS * SECTIONS) as usize],
}

/// A network, in blocks.
#[derive(Debug)]
pub(in crate::drainage) struct Blocks {
    pub network: Network,
    /// The side of a square.
    square: f64,
    kept: Tiles<Block>,
    /// The nodes of the level above the finest for some blocks beside each other, if there is one.
    above: Tiles<Option<Table<NetworkNode>>>,
    /// Those with fewer levels, by their number.
    truncated: Tiles<Self>,
}

impl Block {
    /// All of it.
    fn whole(&self, index: [i64; 2], blocks: &Blocks, catchment: &Catchment) -> &Whole {
        value_of(&self.whole, || {
            let region = squares(index.each(|i| i * SIDE), SIDE, blocks.square);
            // Without `std` nothing is kept.
            let above = cfg!(feature = "std").then(|| blocks.above(index, catchment));
            let above = above.as_deref().and_then(Option::as_ref);
            let survey = Survey::new(&blocks.network, region, above, catchment);
            Whole { survey, sections: [const { Once::new() }; (SECTIONS * SECTIONS) as usize] }
        })
    }
}

impl Whole {
    /// The section with a square.
    fn section(&self, square: [i64; 2], side: f64, catchment: &Catchment) -> &Section {
        let [x, z] = square.each(|i| i.div_euclid(SECTION).rem_euclid(SECTIONS));
        let section = &self.sections[(z * SECTIONS + x) as usize];
        value_of(section, || Section::of(square, side, &self.survey, catchment))
    }
}

impl Blocks {
    pub fn new(network: Network) -> Self {
        let square = SQUARE * network.shape.spacing;
        let truncated = Tiles::new(network.levels.len());
        let (kept, above) = (Tiles::new(KEPT), Tiles::new(KEPT_ABOVE));
        Self { network, square, kept, above, truncated }
    }

    /// Those of the first levels alone. All fields that ask for them share what they keep.
    pub fn truncated(&self, count: usize) -> Arc<Self> {
        self.truncated.get([count as i64, 0], || Self::new(self.network.truncated(count)))
    }

    /// The nodes of the level above the finest for a block and those beside it.
    fn above(&self, block: [i64; 2], catchment: &Catchment) -> Arc<Option<Table<NetworkNode>>> {
        let index = block.each(|i| i.div_euclid(SHARING));
        self.above.get(index, || {
            let side = SHARING * SIDE;
            let region = squares(index.each(|i| i * side), side, self.square);
            self.network.above(Survey::nodes_around(&self.network, region), catchment)
        })
    }

    /// The side of a block.
    pub fn side(&self) -> f64 {
        SIDE as f64 * self.square
    }

    /// The index along an axis of the square in which a coordinate is.
    pub fn square(&self, x: f64) -> i64 {
        (x / self.square).floor() as i64
    }

    /// The index along an axis of the section in which a coordinate is.
    pub fn section(&self, x: f64) -> i64 {
        self.square(x).div_euclid(SECTION)
    }

    /// The index along an axis of the block in which a coordinate is.
    pub fn block(&self, x: f64) -> i64 {
        self.square(x).div_euclid(SIDE)
    }

    /// Calls `with` with the survey around the block that has an index.
    pub fn with_block<T>(
        &self,
        index: [i64; 2],
        catchment: &Catchment,
        with: impl FnOnce(&Survey) -> T,
    ) -> T {
        let block = self.kept.get(index, Block::default);
        with(&block.whole(index, self, catchment).survey)
    }

    /// Calls `with` with the section that has an index, and the survey around it.
    pub fn with_section<T>(
        &self,
        section: [i64; 2],
        catchment: &Catchment,
        with: impl FnOnce(&Survey, &Section) -> T,
    ) -> T {
        let index = section.each(|i| i.div_euclid(SECTIONS));
        let block = self.kept.get(index, Block::default);
        let whole = block.whole(index, self, catchment);
        with(&whole.survey, whole.section(section.each(|i| i * SECTION), self.square, catchment))
    }

    /// Calls `with` with the survey around a square that a point asks for, and a section with it.
    fn with_square<T>(
        &self,
        square: [i64; 2],
        catchment: &Catchment,
        with: impl FnOnce(&Survey, &Section) -> T,
    ) -> T {
        let index = square.each(|i| i.div_euclid(SIDE));
        let block = self.kept.get(index, Block::default);
        if block.whole.get().is_none() {
            let (known, survey, section) = value_of(&block.single, || {
                let survey =
                    Survey::new(&self.network, squares(square, 1, self.square), None, catchment);
                let section = Section::single(square, self.square, &survey, catchment);
                (square, survey, section)
            });
            if *known == square {
                return with(survey, section);
            }
        }
        let whole = block.whole(index, self, catchment);
        with(&whole.survey, whole.section(square, self.square, catchment))
    }

    /// Calls `with` with what matters for the ground at a point; `None` where there is no land.
    pub fn at<T>(
        &self,
        p: [f64; 2],
        catchment: &Catchment,
        with: impl FnOnce(&Survey, &Neighbourhood) -> T,
    ) -> Option<T> {
        let square = p.each(|x| self.square(x));
        self.with_square(square, catchment, |survey, section| {
            let (quad, finder) = section.ground(survey);
            let around = quad.smallest(finder, square);
            (!around.ends || !catchment.ends_at(&[p])).then(|| with(survey, around))
        })
    }

    /// The distance from the nearest bank of a river; infinite if none is near.
    pub fn bank_distance(&self, p: [f64; 2], catchment: &Catchment) -> f64 {
        let square = p.each(|x| self.square(x));
        self.with_square(square, catchment, |survey, section| {
            let (quad, finder) = section.banks(survey);
            let around = quad.smallest(finder, square);
            let is_land = !around.ends || !catchment.ends_at(&[p]);
            if is_land { survey.bank_distance(&around.wet, p) } else { f64::INFINITY }
        })
    }

    /// Calls `set` with the number of each point that has land, its ground, and the part of detail
    /// that is left. Points in the same square share the lanes of vectors.
    pub fn each_point(
        &self,
        points: &[[f64; 2]],
        catchment: &Catchment,
        has_gradients: bool,
        level: Level,
        mut set: impl FnMut(usize, Sample64<f64>, Sample64<f64>),
    ) {
        let square = |i: &usize| points[*i].each(|x| self.square(x));
        let mut order: Vec<usize> = (0..points.len()).collect();
        order.sort_unstable_by_key(|i| (square(i), *i));
        for part in order.chunk_by(|i, j| square(i) == square(j)) {
            self.with_square(square(&part[0]), catchment, |survey, section| {
                let (quad, finder) = section.ground(survey);
                let around = quad.smallest(finder, square(&part[0]));
                let is_land = |i: &usize| !around.ends || !catchment.ends_at(&[points[*i]]);
                let part = part.iter().copied().filter(is_land).map(|i| (i, points[i]));
                let evaluation = Evaluation { survey, around: Some(around), has_gradients };
                evaluation.each(level, part, |i, _, ground, left| set(i, ground, left));
            });
        }
    }

    /// Whether there is no land at a point.
    pub fn ends_at(&self, p: [f64; 2], catchment: &Catchment) -> bool {
        let region = region_around(p.each(|x| self.square(x)), self.square);
        catchment.ends_at(&corners(region)) && catchment.ends_at(&[p])
    }

    /// Whether there is a point without land in a region, or maybe one.
    pub fn end_in(&self, Region { min, max }: Region, catchment: &Catchment) -> bool {
        let [first, last] = [min, max].each(|p| p.each(|x| self.section(x)));
        let points = (first[1]..=last[1] + 1).flat_map(|j| {
            let corner = move |i: i64| [i, j].each(|i| (i * SECTION) as f64);
            (first[0]..=last[0] + 1).map(corner)
        });
        let corners: Vec<_> = points.map(|corner| corner.each(|i| i * self.square)).collect();
        catchment.ends_at(&corners)
    }

    /// Visits the reaches that begin in a region. Large ones are surveyed in parts, so that memory
    /// does not grow with the region.
    pub fn each_reach(
        &self,
        region: Region,
        catchment: &Catchment,
        mut visit: impl FnMut(RiverReach),
    ) {
        let Region { min, max } = region;
        let is_kept = (0..2).all(|k| max[k] - min[k] <= LARGEST_KEPT * self.side());
        let side = if is_kept { SIDE } else { SURVEYED };
        let [first, last] = [min, max].each(|p| p.each(|x| self.square(x).div_euclid(side)));
        for row in first[1]..=last[1] {
            for column in first[0]..=last[0] {
                let part = squares([column, row].each(|i| i * side), side, self.square);
                let part = part.intersection(&region);
                // The next one after an upper end, which is not part of the region.
                if !(0..2).all(|k| part.min[k] < part.max[k]) {
                    continue;
                }
                let ends = self.end_in(part, catchment);
                let mut add = |survey: &Survey| {
                    let begins = |reach: &&Reach| {
                        part.contains_below(reach.start)
                            && !(ends && self.ends_at(reach.start, catchment))
                    };
                    survey.reaches.iter().filter(begins).map(RiverReach::new).for_each(&mut visit);
                };
                if is_kept {
                    let block = self.kept.get([column, row], Block::default);
                    add(&block.whole([column, row], self, catchment).survey);
                } else {
                    add(&Survey::new(&self.network, part, None, catchment));
                }
            }
        }
    }

    /// Bounds of the ground in a disc; `None` for one that touches many squares.
    pub fn bounds(&self, disc: Disc, catchment: &Catchment) -> Option<DiscBounds> {
        if disc.radius > BOUNDED * self.square {
            return None;
        }
        let ends = [-disc.radius, disc.radius];
        let [first, last] = ends.each(|by| disc.center.each(|x| self.square(x + by)));
        let mut bounds = DiscBounds::NONE;
        for row in first[1]..=last[1] {
            for column in first[0]..=last[0] {
                let square = [column, row];
                let of_square = self.with_square(square, catchment, |survey, section| {
                    let (quad, finder) = section.ground(survey);
                    survey.bounds(quad.smallest(finder, square), disc)
                });
                bounds = bounds.or(of_square);
            }
        }
        Some(bounds)
    }
}

/// The squares along each side of a section. At its corners the land is looked at, see
/// [`Neighbourhood::ends`].
const SECTION: i64 = 8;

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
    /// The section with a square, among those with [`SECTION`] squares along each side.
    pub fn of(square: [i64; 2], side: f64, survey: &Survey, catchment: &Catchment) -> Self {
        let first = square.each(|i| i.div_euclid(SECTION) * SECTION);
        let region = squares(first, SECTION, side);
        let ends = catchment.ends_at(&corners(region));
        let all = Neighbourhood { ends, ..survey.in_range(region) };
        let wet = Neighbourhood { ground: Vec::new(), wet: all.wet.clone(), ends };
        let [ground, banks] = [all, wet].map(|around| Quad::new(first, SECTION, around));
        Self { side, ground, banks }
    }

    /// A square by itself.
    pub fn single(square: [i64; 2], side: f64, survey: &Survey, catchment: &Catchment) -> Self {
        let region = squares(square, 1, side);
        let ends = catchment.ends_at(&corners(region_around(square, side)));
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
fn region_around(square: [i64; 2], side: f64) -> Region {
    squares(square.each(|i| i.div_euclid(SECTION) * SECTION), SECTION, side)
}

/// The corners of a region.
pub(in crate::drainage) fn corners(Region { min, max }: Region) -> [[f64; 2]; 4] {
    [min, [max[0], min[1]], [min[0], max[1]], max]
}

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
        self.first.each(|i| i + self.count / 2)
    }

    /// One of its quarters: before or after the middle along each axis.
    pub fn quarter(&self, finder: Finder, is_after: [bool; 2]) -> &Self {
        let [x, z] = is_after.each(usize::from);
        self.quarters[2 * z + x].get_or_init(|| {
            let count = self.count / 2;
            let first = [0, 1].each(|k| self.first[k] + count * i64::from(is_after[k]));
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
            quad = quad.quarter(finder, [0, 1].each(|k| square[k] >= middle[k]));
        }
        &quad.around
    }
}

/// The region of some squares.
pub(in crate::drainage) fn squares(first: [i64; 2], count: i64, side: f64) -> Region {
    let [min, max] = [first, first.each(|i| i + count)].each(|end| end.each(|i| i as f64 * side));
    Region { min, max }
}
