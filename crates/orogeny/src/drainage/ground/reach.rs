//! Reaches: short straight parts of rivers, of the curves that lead through the nodes of the finest
//! level.

use alloc::vec::Vec;

use crate::arrays::Each;
use crate::drainage::network::lakes::Profile;
use crate::drainage::network::lattice::{Index, NEIGHBOURS, NodeLattice, Table, neighbour, unit};
use crate::drainage::network::node::NetworkNode;
use crate::drainage::network::shape::{LEAST, LIFT, SOFTNESS, STEEPER, Shape};
#[cfg(not(feature = "std"))]
use crate::float::Float as _;
use crate::region::Region;

/// The largest slope of a river over that of its sides.
const FALLS: f64 = 0.95;

/// How far from the middle of a river detail is weaker: over the radius of the valley floor, and at
/// least, over half the width of the water.
const FADING: [f64; 2] = [2.0, 2.5];

/// A point of a river.
#[derive(Clone, Copy, Debug)]
struct Stage {
    pub position: [f64; 2],
    pub height: f64,
    pub relief: f64,
    /// The area upstream.
    pub area: f64,
    /// How much of it is a lake, 0 to 1.
    pub lake: f64,
    /// Half the width of the water, and its depth.
    pub half_width: f64,
    pub depth: f64,
    /// The radius of the valley floor.
    pub floor: f64,
}

impl Stage {
    /// A river that drains an area through a node.
    pub fn new(node: &NetworkNode, area: f64, shape: &Shape) -> Self {
        let NetworkNode { position, height, relief, .. } = *node;
        let lake = if node.lake > 0.0 { 1.0 } else { 0.0 };
        let half_width = node.half_width(area, shape);
        let depth =
            if node.lake > 0.0 { shape.lake_depth(half_width) } else { shape.depth(half_width) };
        let floor = node.valley_floor(area, shape).min(node.floor);
        Self { position, height, relief, area, lake, half_width, depth, floor }
    }

    pub fn between(&self, other: &Self, t: f64) -> Self {
        // Exact at both ends, where reaches meet.
        let at = |a: f64, b: f64| a * (1.0 - t) + b * t;
        Self {
            position: [0, 1].each(|k| at(self.position[k], other.position[k])),
            height: at(self.height, other.height),
            relief: at(self.relief, other.relief),
            area: at(self.area, other.area),
            lake: at(self.lake, other.lake),
            half_width: at(self.half_width, other.half_width),
            depth: at(self.depth, other.depth),
            floor: at(self.floor, other.floor),
        }
    }
}

/// A straight part of a river between two points.
#[derive(Clone, Copy, Debug)]
pub(in crate::drainage) struct Reach {
    pub start: [f64; 2],
    pub end: [f64; 2],
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
    /// How far from its middle it affects the ground beside the valley itself: by its banks, its
    /// channel, and the fading of detail.
    pub fading: f64,
    /// Added to the valley, so that its lowest line is the surface of the water.
    pub lift: f64,
    /// A height below the valley, and 1 over how fast it rises at least: see `may_be_below`.
    pub base: f64,
    pub inverse_rise: f64,
    /// Half the width of the water, and 1 over its square.
    pub half_width: f64,
    pub inverse_width: f64,
    /// The depth of the water in the middle.
    pub depth: f64,
    /// How far downstream the lowest way to a point begins, for each metre away from the channel.
    pub shift: f64,
    /// Half the width, the depth and the mean speed of the water at both ends. The depth is 0 where
    /// a river begins, or ends in a larger one.
    pub half_widths: [f64; 2],
    pub depths: [f64; 2],
    pub speeds: [f64; 2],
    /// Its discharge in cubic metres a second.
    pub discharge: f64,
    /// How much of it is a lake, 0 to 1.
    pub lake: f64,
    /// The directions of the river at both ends, as vectors of any length.
    pub directions: [[f64; 2]; 2],
}

impl Reach {
    /// From one stage to another, with the directions of the river there. `fades` are the ends at
    /// which it begins, or ends in a larger river.
    fn new(
        start: &Stage,
        end: &Stage,
        directions: [[f64; 2]; 2],
        fades: [bool; 2],
        shape: &Shape,
    ) -> Self {
        let [x, z] = [0, 1].each(|k| end.position[k] - start.position[k]);
        let exact = (x * x + z * z).sqrt();
        let length = exact.max(1e-3);
        let sides = shape.steepness * 0.5 * (start.relief + end.relief);
        let half_width = 0.5 * (start.half_width + end.half_width);
        // The water falls less steeply than the sides rise. Steep rivers have steeper sides, and
        // still steeper ones fall over the rest.
        let steepest = STEEPER * sides.min(shape.steepness);
        let steepness = sides.max(((start.height - end.height) / length / FALLS).min(steepest));
        let start_height = start.height.min(end.height + FALLS * steepness * length);
        let fall = start_height - end.height;
        let slope = fall / length;
        let rest = steepness - (steepness * steepness - slope * slope).sqrt();
        let widest = 0.5 * (start.floor + end.floor);
        let floor = widest.min(LIFT / rest.max(1e-9));
        let [floors, widths] = FADING;
        let fading = (floors * floor).max(widths * half_width).max(half_width + widest);
        Self {
            start: start.position,
            end: end.position,
            // A river that ends where it begins has any direction.
            along: if exact > 0.0 { [x / exact, z / exact] } else { [1.0, 0.0] },
            length,
            height: end.height,
            start_height,
            fall,
            slope,
            steepness,
            floor,
            fading,
            lift: floor * rest,
            // Lower by more than rounding errors.
            base: end.height - LEAST - steepness * floor - 1e-6 * (1.0 + end.height.abs()),
            inverse_rise: 1.0 / (steepness * (1.0 - SOFTNESS)),
            half_width,
            inverse_width: if half_width > 0.0 { 1.0 / (half_width * half_width) } else { 0.0 },
            depth: 0.5 * (start.depth + end.depth),
            shift: slope / (steepness * steepness - slope * slope).sqrt(),
            half_widths: [start.half_width, end.half_width],
            depths: [0, 1].each(|k| if fades[k] { 0.0 } else { [start, end][k].depth }),
            speeds: [start, end].each(|stage| {
                shape.speed(shape.discharge(stage.area), stage.half_width, stage.depth)
            }),
            discharge: 0.5 * (shape.discharge(start.area) + shape.discharge(end.area)),
            lake: 0.5 * (start.lake + end.lake),
            directions,
        }
    }
    /// The distance of a point from the bank, negative in the bed.
    pub fn bank_distance(&self, p: [f64; 2]) -> f64 {
        self.offset(p).square.sqrt() - self.half_width
    }
}

/// The number of reaches of the curve through a node, and of one through a river that is wide
/// enough to be seen.
const PARTS: [usize; 2] = [3, 8];

/// The half width in metres from which on a river meanders, and is drawn in more parts.
const WIDE: f64 = 1.0;

/// The slope at which meanders are half as wide as on flat land.
const FLAT: f64 = 0.01;

/// How far a curve leads away from its node, over the spacing: half the longest edge, and the
/// meanders.
pub(in crate::drainage) const SWING: f64 = 0.78 + MEANDER;

/// The largest swing of meanders, over the spacing.
const MEANDER: f64 = 0.12;

/// The nodes that drain to a node.
fn inflows(nodes: &Table<NetworkNode>, index: Index) -> impl Iterator<Item = &NetworkNode> {
    NEIGHBOURS.into_iter().zip(0u8..).filter_map(move |(step, way)| {
        let from = nodes.get(neighbour(index, step))?;
        (from.target == Some((way + 3) % 6)).then_some(from)
    })
}

/// A curve from the middle of an edge to a node to the middle of the next edge: a quadratic Bézier
/// curve, so that rivers have no corners and confluences are smooth, and meanders beside it.
struct Bezier {
    stages: [Stage; 3],
    /// The largest swing of meanders to the side.
    swing: [f64; 2],
}

impl Bezier {
    fn new(stages: [Stage; 3], node: &NetworkNode, shape: &Shape) -> Self {
        let [start, _, end] = stages;
        let [x, z] = [0, 1].each(|k| end.position[k] - start.position[k]);
        let length = (x * x + z * z).sqrt();
        let slope = (start.height - end.height) / length.max(1.0);
        let is_wide = end.half_width >= WIDE;
        let most = if is_wide { shape.meander * MEANDER / (1.0 + slope / FLAT) } else { 0.0 };
        // To one side or to the other.
        let random = 2.0 * unit(node.hash, 9) - 1.0;
        let swing = most * random.signum() * (0.4 + 0.6 * random.abs());
        Self { stages, swing: [swing * z, -swing * x] }
    }

    /// The stage at t, 0 to 1, and the direction of the river there.
    fn at(&self, t: f64) -> (Stage, [f64; 2]) {
        let [start, own, end] = &self.stages;
        let stage = start.between(own, t).between(&own.between(end, t), t);
        // Swings to one side and back, by a polynomial that is 0 at both ends with its slope:
        // t^2 (1 - t)^2 (1 - 2 t), which is at most 0.0179.
        let rest = 1.0 - t;
        let lobes = 56.0 * t * t * rest * rest * (1.0 - 2.0 * t);
        let slope = 112.0 * t * rest * (rest * rest - 3.0 * t * rest + t * t);
        let position = [0, 1].each(|k| stage.position[k] + lobes * self.swing[k]);
        let direction = [0, 1].each(|k| {
            let [a, b, c] = self.stages.each(|stage| stage.position[k]);
            2.0 * (rest * (b - a) + t * (c - b)) + slope * self.swing[k]
        });
        (Stage { position, ..stage }, direction)
    }

    /// Adds its reaches to others. `ends` if it ends in a larger river.
    fn add_reaches(&self, ends: bool, shape: &Shape, reaches: &mut Vec<Reach>) {
        let is_wide = self.stages.iter().any(|stage| stage.half_width >= WIDE);
        let parts = PARTS[usize::from(is_wide)];
        let (mut start, mut along) = self.at(0.0);
        for i in 1..=parts {
            let (end, on) = self.at(i as f64 / parts as f64);
            // A river that ends at a node has no direction there.
            let to = if on == [0.0; 2] { along } else { on };
            let fades = [false, ends && i == parts];
            reaches.push(Reach::new(&start, &end, [along, to], fades, shape));
            (start, along) = (end, on);
        }
    }
}

/// The reaches through the nodes of a table whose lattice points are in a region, in their order.
pub(in crate::drainage) fn reaches(
    nodes: &Table<NetworkNode>,
    lattice: &NodeLattice,
    region: Region,
    shape: &Shape,
) -> Vec<Reach> {
    // Each node but springs goes on from one that drains to it, and few are wide.
    let mut reaches = Vec::with_capacity((PARTS[0] + 1) * nodes.values.len());
    // Beyond the land there are nodes without a height.
    let is_in = |(index, node): &(Index, &NetworkNode)| {
        region.contains(lattice.point(*index)) && node.height < f64::INFINITY
    };
    for (index, node) in nodes.iter().filter(is_in) {
        let next = node.target.map(|way| &nodes[neighbour(index, NEIGHBOURS[usize::from(way)])]);
        // From here to the next node, for a river that drains an area.
        let from_here = |area: f64| {
            let own = Stage::new(node, area, shape);
            (own, next.map_or(own, |next| middle([node, next], area, shape)))
        };
        let largest = inflows(nodes, index).map(|from| from.area).fold(0.0, f64::max);
        // The first of the largest goes on as the river; the others end in it.
        let (mut has_inflow, mut goes_on) = (false, false);
        for from in inflows(nodes, index) {
            has_inflow = true;
            // Only the largest river grows: the others keep their width up to it.
            let is_largest = from.area >= largest;
            let area = if is_largest { node.area } else { from.area };
            let ends = goes_on || !is_largest;
            goes_on |= is_largest;
            let (own, end) = from_here(area);
            let stages = [middle([from, node], from.area, shape), own, end];
            Bezier::new(stages, node, shape).add_reaches(ends, shape, &mut reaches);
        }
        if !has_inflow {
            let (own, end) = from_here(node.area);
            let along = [0, 1].each(|k| end.position[k] - own.position[k]);
            reaches.push(Reach::new(&own, &end, [along; 2], [true, false], shape));
        }
    }
    // Surveys are kept.
    reaches.shrink_to_fit();
    reaches
}

/// The middle of an edge.
fn middle([from, to]: [&NetworkNode; 2], area: f64, shape: &Shape) -> Stage {
    let [first, last] = [from, to].each(|node| Stage::new(node, area, shape));
    let height = Profile::new(from, to).at(0.5);
    // Lakes end in the middle, unless both nodes have one.
    let stage = first.between(&last, 0.5);
    if first.lake == last.lake {
        return Stage { height, ..stage };
    }
    let river = if first.lake > 0.0 { last } else { first };
    Stage { height, lake: 0.0, half_width: river.half_width, depth: river.depth, ..stage }
}

/// A reach: a straight part of a river.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RiverReach {
    /// Where it begins and ends.
    pub ends: [[f64; 2]; 2],
    /// The height of its surface at both ends, in metres.
    pub surface: [f64; 2],
    /// The directions of its banks at both ends, of length 1: the next reach continues with the
    /// same.
    pub directions: [[f64; 2]; 2],
    /// The width of its water at both ends in metres; 0 for a dry channel.
    pub width: [f64; 2],
    /// The depth of its water in the middle at both ends, in metres: 0 where a river begins, or
    /// ends in a larger one, whose water covers it.
    pub depth: [f64; 2],
    /// Its mean speed at both ends in m/s.
    pub speed: [f64; 2],
    /// Its discharge in cubic metres a second, see
    /// [`Water::discharge`](crate::drainage::Water::discharge).
    pub discharge: f64,
}

impl RiverReach {
    pub(in crate::drainage) fn new(reach: &Reach) -> Self {
        let unit = |[x, z]: [f64; 2]| {
            let length = (x * x + z * z).sqrt();
            if length > 0.0 { [x / length, z / length] } else { reach.along }
        };
        Self {
            ends: [reach.start, reach.end],
            surface: [reach.start_height, reach.height],
            directions: reach.directions.each(unit),
            width: reach.half_widths.each(|half_width| 2.0 * half_width),
            depth: reach.depths,
            speed: reach.speeds,
            discharge: reach.discharge,
        }
    }
}
