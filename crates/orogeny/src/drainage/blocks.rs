//! Surveys of square blocks of the plane, which are kept.

use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::drainage::bounds::{Disc, DiscBounds};
use crate::drainage::land::Land;
use crate::drainage::network::Network;
use crate::drainage::survey::{Around, List, Survey};
use crate::drainage::valley::{Parts, Slope};
use crate::drainage::water::{RiverPart, Surface, surface};
use crate::drainage::window::Area;
#[cfg(not(feature = "std"))]
use crate::float::Float as _;
use crate::tiles::{Once, Tiles};

/// The squares along each side of a block.
const SIDE: i64 = 8;

/// The side of a square, in spacings of the finest rivers.
const SQUARE: f64 = 0.5;

/// The largest radius, in sides of squares, of a disc with bounds of its own.
const BOUNDED: f64 = 4.0;

/// How many blocks are kept: each has some 600 reaches, which take 0.14 MB.
const KEPT: usize = 512;

/// The largest side of an area for which kept blocks are used, in sides of blocks.
pub(super) const FEW: f64 = 3.0;

/// The survey of a block.
#[derive(Debug)]
pub(super) struct Block {
    pub survey: Survey,
    /// All reaches of the survey.
    all: List,
    /// The first of its squares, and the side of each.
    first: [i64; 2],
    side: f64,
    /// Its squares, row by row, each found when it is needed.
    squares: Box<[Once<Around>]>,
}

/// A network, in blocks.
#[derive(Debug)]
pub(super) struct Blocks {
    pub network: Network,
    /// The side of a square.
    square: f64,
    kept: Tiles<Block>,
}

impl Blocks {
    pub fn new(network: Network) -> Self {
        let square = SQUARE * network.shape.spacing;
        Self { network, square, kept: Tiles::new(KEPT) }
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
            let area = squares(first, SIDE, self.square);
            let survey = Survey::new(&self.network, area, land);
            let all = survey.all();
            let squares = (0..SIDE * SIDE).map(|_| Once::new()).collect();
            Block { survey, all, first, side: self.square, squares }
        })
    }

    /// Calls `run` with the survey around a point, and what matters there.
    fn with<T>(&self, p: [f64; 2], land: &Land, run: impl FnOnce(&Survey, &Around) -> T) -> T {
        let square = p.map(|x| self.square(x));
        let block = self.get(square, land);
        run(&block.survey, block.square(square))
    }

    /// The ground at a point, and the part of detail that is left.
    pub fn ground(&self, p: [f64; 2], land: &Land) -> (Slope<f64>, Slope<f64>) {
        self.with(p, land, |survey, square| survey.ground(square, p, &mut Parts::default()))
    }

    /// The river at a point, if it is beside one.
    pub fn surface(&self, p: [f64; 2], land: &Land) -> Option<Surface> {
        self.with(p, land, |survey, square| {
            let reaches = square.wet.iter().map(|&i| &survey.reaches[i as usize]);
            surface(reaches, p, &self.network.shape)
        })
    }

    /// The distance from the nearest bank of a river; infinite if none is near.
    pub fn bank_distance(&self, p: [f64; 2], land: &Land) -> f64 {
        self.with(p, land, |survey, square| survey.bank_distance(&square.wet, p))
    }

    /// The parts of rivers that begin in a box.
    pub fn parts(&self, [min, max]: Area, land: &Land) -> Vec<RiverPart> {
        let mut parts = Vec::new();
        let mut add = |survey: &Survey, [min, max]: Area| {
            let is_in = |p: [f64; 2]| (0..2).all(|k| (min[k]..max[k]).contains(&p[k]));
            let reaches = survey.reaches.iter().filter(|reach| is_in(reach.start));
            parts.extend(reaches.map(|reach| RiverPart::new(reach, &self.network.shape)));
        };
        if (0..2).any(|k| max[k] - min[k] > FEW * self.side()) {
            add(&Survey::new(&self.network, [min, max], land), [min, max]);
            return parts;
        }
        let [first, last] = [min, max].map(|p| p.map(|x| self.square(x).div_euclid(SIDE)));
        for row in first[1]..=last[1] {
            for column in first[0]..=last[0] {
                let block = self.get([column * SIDE, row * SIDE], land);
                let [low, high] = squares(block.first, SIDE, self.square);
                let low = [0, 1].map(|k| low[k].max(min[k]));
                let high = [0, 1].map(|k| high[k].min(max[k]));
                add(&block.survey, [low, high]);
            }
        }
        parts
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
        let index = square.map(|i| i.rem_euclid(SIDE));
        self.squares[(index[1] * SIDE + index[0]) as usize].get_or_init(|| {
            let area = squares([0, 1].map(|k| self.first[k] + index[k]), 1, self.side);
            let mut ground = List::new();
            self.survey.near(&self.all, area, &mut ground);
            ground.shrink_to_fit();
            Around { ground, wet: self.survey.wet(&self.all, area) }
        })
    }
}

/// The area of some squares.
fn squares(first: [i64; 2], count: i64, side: f64) -> Area {
    [first, first.map(|i| i + count)].map(|index| index.map(|i| i as f64 * side))
}
