//! Surveys of square blocks of the plane, which are kept.

use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::drainage::level::Land;
use crate::drainage::network::Network;
use crate::drainage::survey::{List, Survey};
use crate::drainage::tiles::Tiles;
use crate::drainage::valley::Slope;
use crate::drainage::water::{Surface, surface};
use crate::drainage::window::Area;
#[cfg(not(feature = "std"))]
use crate::float::Float as _;

/// The squares along each side of a block.
const SIDE: i64 = 16;

/// The side of a square, in spacings of the finest rivers.
const SQUARE: f64 = 0.5;

/// How many blocks are kept: each takes some 0.1 MB.
const KEPT: usize = 256;

/// The survey of a block.
#[derive(Debug)]
pub(super) struct Block {
    pub survey: Survey,
    /// Its squares, row by row.
    squares: Vec<Square>,
}

/// What matters in a square.
#[derive(Debug)]
struct Square {
    /// The reaches that affect the ground.
    ground: List,
    /// The reaches that may have water.
    water: List,
}

/// All blocks.
#[derive(Debug)]
pub(super) struct Blocks {
    square: f64,
    kept: Tiles<Block>,
}

impl Blocks {
    /// For a distance between the finest rivers.
    pub fn new(spacing: f64) -> Self {
        Self { square: SQUARE * spacing, kept: Tiles::new(KEPT) }
    }

    /// The side of a block.
    pub fn side(&self) -> f64 {
        SIDE as f64 * self.square
    }

    /// The index along an axis of the square in which a coordinate is.
    pub fn square(&self, x: f64) -> i64 {
        (x / self.square).floor() as i64
    }

    /// A rectangle of squares.
    fn area(&self, first: [i64; 2], size: [i64; 2]) -> Area {
        let corner = |index: [i64; 2]| index.map(|i| i as f64 * self.square);
        [corner(first), corner([first[0] + size[0], first[1] + size[1]])]
    }

    /// The block with a square.
    pub fn get(&self, network: &Network, square: [i64; 2], land: &Land) -> Arc<Block> {
        let index = square.map(|i| i.div_euclid(SIDE));
        self.kept.get(index, || {
            let first = index.map(|i| SIDE * i);
            let survey = Survey::new(network, self.area(first, [SIDE; 2]), land);
            let (all, mut near) = (survey.all(), List::new());
            let mut squares = Vec::with_capacity((SIDE * SIDE) as usize);
            for row in first[1]..first[1] + SIDE {
                let area = self.area([first[0], row], [SIDE, 1]);
                survey.near(&all, area, &mut near);
                let wet = survey.wet(&all, area);
                for column in first[0]..first[0] + SIDE {
                    let area = self.area([column, row], [1, 1]);
                    let mut ground = List::new();
                    survey.near(&near, area, &mut ground);
                    ground.shrink_to_fit();
                    squares.push(Square { ground, water: survey.wet(&wet, area) });
                }
            }
            Block { survey, squares }
        })
    }

    /// The ground at a point.
    pub fn ground(&self, network: &Network, p: [f64; 2], land: &Land) -> Slope<f64> {
        let square = p.map(|x| self.square(x));
        let block = self.get(network, square, land);
        block.survey.ground(block.list(square), p, &mut Vec::new())
    }

    /// The river at a point, if it is beside one.
    pub fn surface(&self, network: &Network, p: [f64; 2], land: &Land) -> Option<Surface> {
        let square = p.map(|x| self.square(x));
        let block = self.get(network, square, land);
        let wet = block.square(square).water.iter();
        let reaches = wet.map(|&i| &block.survey.reaches[i as usize]);
        surface(reaches, p, network.shape.runoff)
    }
}

impl Block {
    /// The reaches that affect a square of this block.
    pub fn list(&self, square: [i64; 2]) -> &[u32] {
        &self.square(square).ground
    }

    fn square(&self, square: [i64; 2]) -> &Square {
        let [i, j] = square.map(|i| i.rem_euclid(SIDE) as usize);
        &self.squares[j * SIDE as usize + i]
    }
}
