//! Surveys of square blocks of the plane, which are kept.

use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::sync::atomic::{AtomicBool, Ordering};

use crate::drainage::ground::bounds::{Disc, DiscBounds};
use crate::drainage::ground::reach::Reach;
use crate::drainage::ground::river_reach::RiverReach;
use crate::drainage::ground::surface::{Surface, surface};
use crate::drainage::ground::survey::{Around, List, Survey, rivers};
use crate::drainage::ground::valley::{Parts, Slope};
use crate::drainage::network::Network;
use crate::drainage::network::land::Land;
use crate::drainage::network::node::Node;
use crate::drainage::network::window::Table;
#[cfg(not(feature = "std"))]
use crate::float::Float as _;
use crate::region::Region;
use crate::tiles::{Once, Tiles};

/// The squares along each side of a block.
const SIDE: i64 = 8;

/// The side of a square, in spacings of the finest rivers.
const SQUARE: f64 = 0.5;

/// The largest radius, in sides of squares, of a disc with bounds of its own.
const BOUNDED: f64 = 4.0;

/// The blocks along each side of a group. Their rivers of the second finest level are made at once
/// when a second block is asked for: those of one block, with all that decides where they flow,
/// cost almost as much.
const GROUP: i64 = 4;

/// How many of those are kept: each has some 200 nodes, which take 14 kB.
const GROUPS: usize = 64;

/// How many blocks are kept: each has some 600 reaches, which take 0.14 MB.
const KEPT: usize = 512;

/// The squares along each side of a part of a large region that is surveyed at once.
const SURVEYED: i64 = 12 * SIDE;

/// The largest side of an area for which kept blocks are used, in sides of blocks.
pub(in crate::drainage) const FEW: f64 = 3.0;

/// The survey of a block.
#[derive(Debug)]
pub(in crate::drainage) struct Block {
    pub survey: Survey,
    /// All reaches of the survey.
    all: List,
    /// The first of its squares, and the side of each.
    first: [i64; 2],
    side: f64,
    /// Its squares, row by row, each found when it is needed: what matters for the ground, and for
    /// the distance from banks.
    squares: Box<[Once<Around>]>,
    banks: Box<[Once<Around>]>,
    /// Whether the land ends at a corner. Otherwise it is taken to have heights everywhere in it.
    ends: bool,
}

/// What the blocks of a group share.
#[derive(Debug, Default)]
struct Group {
    /// Whether a block was asked for.
    has_block: AtomicBool,
    rivers: Once<Option<Table<Node>>>,
}

/// A network, in blocks.
#[derive(Debug)]
pub(in crate::drainage) struct Blocks {
    pub network: Network,
    /// The side of a square.
    square: f64,
    kept: Tiles<Block>,
    groups: Tiles<Group>,
}

impl Blocks {
    pub fn new(network: Network) -> Self {
        let square = SQUARE * network.shape.spacing;
        Self { network, square, kept: Tiles::new(KEPT), groups: Tiles::new(GROUPS) }
    }

    /// The side of a block.
    pub fn side(&self) -> f64 {
        SIDE as f64 * self.square
    }

    /// The index along an axis of the square in which a coordinate is.
    pub fn square(&self, x: f64) -> i64 {
        (x / self.square).floor() as i64
    }

    /// The block with a square.
    pub fn get(&self, square: [i64; 2], land: &Land) -> Arc<Block> {
        let index = square.map(|i| i.div_euclid(SIDE));
        self.kept.get(index, || {
            let first = index.map(|i| i * SIDE);
            let region = squares(first, SIDE, self.square);
            let survey = self.survey(index, region, land);
            let all = survey.all();
            let [squares, banks] =
                [(); 2].map(|()| (0..SIDE * SIDE).map(|_| Once::new()).collect());
            let ends = land.ends_at(&corners(region));
            Block { survey, all, first, side: self.square, squares, banks, ends }
        })
    }

    /// The survey of a block.
    fn survey(&self, block: [i64; 2], region: Region, land: &Land) -> Survey {
        let index = block.map(|i| i.div_euclid(GROUP));
        let group = self.groups.get(index, Group::default);
        // A point far from all others needs no other block.
        if !group.has_block.swap(true, Ordering::Relaxed) {
            return Survey::new(&self.network, region, land);
        }
        let all = group.rivers.get_or_init(|| {
            let region = squares(index.map(|i| i * GROUP * SIDE), GROUP * SIDE, self.square);
            rivers(&self.network, region, land)
        });
        Survey::along(&self.network, all.as_ref(), region, land)
    }

    /// The block with the square of a point; `None` where there is no land.
    fn at(&self, p: [f64; 2], land: &Land) -> Option<(Arc<Block>, [i64; 2])> {
        let square = p.map(|x| self.square(x));
        let block = self.get(square, land);
        (!block.ends || !land.ends_at(&[p])).then_some((block, square))
    }

    /// Whether there is no land at a point.
    pub fn ends_at(&self, p: [f64; 2], land: &Land) -> bool {
        let block = p.map(|x| self.square(x).div_euclid(SIDE));
        let region = squares(block.map(|i| i * SIDE), SIDE, self.square);
        land.ends_at(&corners(region)) && land.ends_at(&[p])
    }

    /// Whether there is a point without land in a region, or maybe one.
    pub fn end_in(&self, Region { min, max }: Region, land: &Land) -> bool {
        let [first, last] = [min, max].map(|p| p.map(|x| self.square(x).div_euclid(SIDE)));
        let points = (first[1]..=last[1] + 1).flat_map(|j| {
            let corner = move |i: i64| [i, j].map(|i| (i * SIDE) as f64);
            (first[0]..=last[0] + 1).map(corner)
        });
        let corners: Vec<_> = points.map(|corner| corner.map(|i| i * self.square)).collect();
        land.ends_at(&corners)
    }

    /// The ground at a point, and the part of detail that is left; `None` where there is no land.
    pub fn ground(&self, p: [f64; 2], land: &Land) -> Option<(Slope<f64>, Slope<f64>)> {
        let (block, square) = self.at(p, land)?;
        Some(block.survey.ground(block.square(square), p, &mut Parts::default()))
    }

    /// The same without gradients.
    pub fn height(&self, p: [f64; 2], land: &Land) -> Option<(f64, f64)> {
        let (block, square) = self.at(p, land)?;
        Some(block.survey.height(block.square(square), p, &mut Parts::default()))
    }

    /// Calls `visit` with the number of each point that has land, its block, and its square in it.
    /// Neighbours of a list share the block.
    pub fn each_at(
        &self,
        points: &[[f64; 2]],
        land: &Land,
        mut visit: impl FnMut(usize, &Block, [i64; 2]),
    ) {
        let mut last: Option<([i64; 2], Arc<Block>)> = None;
        for (i, p) in points.iter().enumerate() {
            let square = p.map(|x| self.square(x));
            let index = square.map(|i| i.div_euclid(SIDE));
            let block = match last.take() {
                Some((known, block)) if known == index => block,
                _ => self.get(square, land),
            };
            if !block.ends || !land.ends_at(&[*p]) {
                visit(i, &block, square);
            }
            last = Some((index, block));
        }
    }

    /// The river at a point, if it is beside one.
    pub fn surface(&self, p: [f64; 2], land: &Land) -> Option<Surface> {
        let (block, square) = self.at(p, land)?;
        let reaches = block.square(square).wet.iter().map(|&i| &block.survey.reaches[i as usize]);
        surface(reaches, p, &self.network.shape)
    }

    /// The distance from the nearest bank of a river; infinite if none is near.
    pub fn bank_distance(&self, p: [f64; 2], land: &Land) -> f64 {
        let Some((block, square)) = self.at(p, land) else { return f64::INFINITY };
        block.survey.bank_distance(&block.banks(square).wet, p)
    }

    /// Visits the reaches that begin in a region. Large ones are surveyed in parts, so that memory
    /// does not grow with the region.
    pub fn each_reach(&self, region: Region, land: &Land, mut visit: impl FnMut(RiverReach)) {
        let Region { min, max } = region;
        let is_kept = (0..2).all(|k| max[k] - min[k] <= FEW * self.side());
        let side = if is_kept { SIDE } else { SURVEYED };
        let [first, last] = [min, max].map(|p| p.map(|x| self.square(x).div_euclid(side)));
        for row in first[1]..=last[1] {
            for column in first[0]..=last[0] {
                let first = [column, row].map(|i| i * side);
                let part = squares(first, side, self.square).intersection(&region);
                let ends = self.end_in(part, land);
                let mut add = |survey: &Survey| {
                    let begins = |reach: &&Reach| {
                        part.contains_below(reach.start)
                            && !(ends && self.ends_at(reach.start, land))
                    };
                    survey.reaches.iter().filter(begins).map(RiverReach::new).for_each(&mut visit);
                };
                if is_kept {
                    add(&self.get(first, land).survey);
                } else {
                    add(&Survey::new(&self.network, part, land));
                }
            }
        }
    }

    /// Bounds of the ground in a disc; `None` for one that touches many squares.
    pub fn bounds(&self, disc: Disc, land: &Land) -> Option<DiscBounds> {
        if disc.radius > BOUNDED * self.square {
            return None;
        }
        let ends = [-disc.radius, disc.radius];
        let [first, last] = ends.map(|by| disc.center.map(|x| self.square(x + by)));
        let mut bounds = DiscBounds::NONE;
        for row in first[1]..=last[1] {
            for column in first[0]..=last[0] {
                let block = self.get([column, row], land);
                let around = block.square([column, row]);
                bounds = bounds.or(block.survey.bounds(around, disc));
            }
        }
        Some(bounds)
    }
}

impl Block {
    /// One of its squares.
    pub fn square(&self, square: [i64; 2]) -> &Around {
        let (place, region) = self.place(square);
        self.squares[place].get_or_init(|| {
            let mut ground = List::new();
            self.survey.near(&self.all, region, &mut ground);
            ground.shrink_to_fit();
            Around { ground, wet: self.survey.wet(&self.all, region), ends: self.ends }
        })
    }

    /// The reaches whose banks may be the nearest in a square.
    pub fn banks(&self, square: [i64; 2]) -> &Around {
        let (place, region) = self.place(square);
        self.banks[place].get_or_init(|| Around {
            ground: List::new(),
            wet: self.survey.banks(&self.all, region, f64::INFINITY),
            ends: self.ends,
        })
    }

    /// The place of a square in the lists, and its region.
    fn place(&self, square: [i64; 2]) -> (usize, Region) {
        let index = square.map(|i| i.rem_euclid(SIDE));
        let region = squares([0, 1].map(|k| self.first[k] + index[k]), 1, self.side);
        ((index[1] * SIDE + index[0]) as usize, region)
    }
}

/// The corners of a region.
fn corners(Region { min, max }: Region) -> [[f64; 2]; 4] {
    [min, [max[0], min[1]], [min[0], max[1]], max]
}

/// The region of some squares.
fn squares(first: [i64; 2], count: i64, side: f64) -> Region {
    let [min, max] = [first, first.map(|i| i + count)].map(|end| end.map(|i| i as f64 * side));
    Region { min, max }
}
