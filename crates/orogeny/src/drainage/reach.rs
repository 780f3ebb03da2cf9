//! Reaches: short straight parts of rivers.

use alloc::vec::Vec;

use crate::drainage::lattice::{Index, Lattice, NEIGHBOURS};
use crate::drainage::level::{Node, neighbour};
use crate::drainage::valley::LEAST;
use crate::drainage::window::{Area, Table};
#[cfg(not(feature = "std"))]
use crate::float::Float as _;

/// The number of reaches of the curve through a node: more for rivers that can be seen.
const PARTS: usize = 2;
const RIVER_PARTS: usize = 4;

/// How valleys and channels are shaped.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shape {
    /// The distance between the finest rivers.
    pub spacing: f64,
    /// The slope of valley sides, where the relief is 1.
    pub steepness: f64,
    /// The radius of valley floors.
    pub floor: f64,
    /// The width of rivers over that of an average climate.
    pub runoff: f64,
}

impl Shape {
    /// The distance from a reach at which its valley ends.
    pub fn range(&self) -> f64 {
        2.0 * self.spacing
    }

    /// Half the width of a river that drains an area: some 3 m of width for the root of a square
    /// kilometre. Springs of less than a tenth have none.
    fn half_width(&self, area: f64) -> f64 {
        let area = (area * 1e-6 - 0.1).max(0.0);
        (1.5 * self.runoff * area.sqrt()).min(0.3 * self.spacing)
    }

    /// How deep the ground can be below the network.
    pub fn deepest(&self) -> f64 {
        self.depth(0.3 * self.spacing) + LEAST
    }

    /// The depth of a river of half a width.
    fn depth(&self, half_width: f64) -> f64 {
        0.35 * half_width / (1.0 + half_width).sqrt()
    }
}

/// A point of a river.
#[derive(Clone, Copy, Debug)]
struct Stage {
    position: [f64; 2],
    height: f64,
    relief: f64,
    area: f64,
}

impl Stage {
    fn of(node: &Node) -> Self {
        let Node { position, height, relief, area, .. } = *node;
        Self { position, height, relief, area }
    }

    fn between(self, other: Self, t: f64) -> Self {
        // Exact at both ends, where reaches meet.
        let at = |a: f64, b: f64| a * (1.0 - t) + b * t;
        Self {
            position: [0, 1].map(|k| at(self.position[k], other.position[k])),
            height: at(self.height, other.height),
            relief: at(self.relief, other.relief),
            area: at(self.area, other.area),
        }
    }
}

/// A straight part of a river between two points.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reach {
    pub start: [f64; 2],
    /// The direction downstream.
    pub along: [f64; 2],
    pub length: f64,
    /// The height of the water at the end.
    pub height: f64,
    /// The height of the water at the start.
    pub start_height: f64,
    /// By how much the start is higher, and that over the length.
    pub fall: f64,
    pub slope: f64,
    /// The slope of valley sides.
    pub steepness: f64,
    /// The radius of the valley floor.
    pub floor: f64,
    /// Half the width of the water, and 1 over its square.
    pub half_width: f64,
    pub inverse_width: f64,
    /// The depth of the water in the middle.
    pub depth: f64,
    /// How far downstream the lowest way to a point begins, for each metre away from the channel.
    pub shift: f64,
    /// The area upstream.
    pub area: f64,
}

impl Reach {
    fn new(start: Stage, end: Stage, shape: &Shape) -> Self {
        let [x, z] = [0, 1].map(|k| end.position[k] - start.position[k]);
        let length = (x * x + z * z).sqrt().max(1e-3);
        let steepness = shape.steepness * 0.5 * (start.relief + end.relief);
        let area = 0.5 * (start.area + end.area);
        let half_width = shape.half_width(area);
        // The water falls less steeply than the sides rise.
        let start_height = start.height.min(end.height + 0.95 * steepness * length);
        let fall = start_height - end.height;
        let slope = fall / length;
        Self {
            start: start.position,
            along: [x / length, z / length],
            length,
            height: end.height,
            start_height,
            fall,
            slope,
            steepness,
            floor: shape.floor + half_width,
            half_width,
            inverse_width: if half_width > 0.0 { 1.0 / (half_width * half_width) } else { 0.0 },
            depth: shape.depth(half_width),
            shift: slope / (steepness * steepness - slope * slope).sqrt(),
            area,
        }
    }
}

impl Reach {
    /// Where it begins and ends.
    pub fn ends(&self) -> [[f64; 2]; 2] {
        [self.start, [0, 1].map(|k| self.start[k] + self.length * self.along[k])]
    }
}

/// The nodes that drain to a node.
fn inflows(nodes: &Table<Node>, index: Index) -> impl Iterator<Item = &Node> {
    NEIGHBOURS.into_iter().zip(0u8..).filter_map(move |(step, way)| {
        let from = nodes.get(neighbour(index, step))?;
        (from.target == Some((way + 3) % 6)).then_some(from)
    })
}

/// The reaches through the nodes of a table whose lattice points are in an area, in their order.
///
/// For each node that drains to another, a quadratic Bézier curve leads from the middle of that
/// edge to the middle of the next one, so that rivers have no corners and confluences are smooth.
pub(super) fn reaches(
    nodes: &Table<Node>,
    lattice: &Lattice,
    area: Area,
    shape: &Shape,
) -> Vec<Reach> {
    let mut reaches = Vec::new();
    let is_in = |index: Index| {
        let point = lattice.point(index);
        (0..2).all(|k| (area[0][k]..=area[1][k]).contains(&point[k]))
    };
    for (index, node) in nodes.iter().filter(|(index, _)| is_in(*index)) {
        let own = Stage::of(node);
        let end = match node.target {
            Some(way) => {
                let target = &nodes[neighbour(index, NEIGHBOURS[usize::from(way)])];
                Stage { area: own.area, ..own.between(Stage::of(target), 0.5) }
            }
            None => own,
        };
        let largest = inflows(nodes, index).map(|from| from.area).fold(0.0, f64::max);
        let mut has_inflow = false;
        for from in inflows(nodes, index) {
            has_inflow = true;
            let start = Stage { area: from.area, ..Stage::of(from).between(own, 0.5) };
            // Only the largest river grows: the others keep their width up to it.
            let kept = |stage: Stage| Stage { area: from.area, ..stage };
            let stages = [start, own, end];
            let [start, own, end] = if from.area >= largest { stages } else { stages.map(kept) };
            let parts = if from.is_on_river { RIVER_PARTS } else { PARTS };
            let at = |i: usize| {
                let t = i as f64 / parts as f64;
                start.between(own, t).between(own.between(end, t), t)
            };
            reaches.extend((0..parts).map(|i| Reach::new(at(i), at(i + 1), shape)));
        }
        if !has_inflow {
            reaches.push(Reach::new(own, end, shape));
        }
    }
    reaches
}
