//! Curves through the nodes of the finest level.

use alloc::vec::Vec;

use crate::drainage::ground::reach::{Reach, Stage};
use crate::drainage::network::lakes::Profile;
use crate::drainage::network::lattice::{Index, NEIGHBOURS, NodeLattice, neighbour, unit};
use crate::drainage::network::node::NetworkNode;
use crate::drainage::network::shape::Shape;
use crate::drainage::network::window::Table;
#[cfg(not(feature = "std"))]
use crate::float::Float as _;
use crate::region::Region;

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
        let [x, z] = [0, 1].map(|k| end.position[k] - start.position[k]);
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
        let turn = 112.0 * t * rest * (rest * rest - 3.0 * t * rest + t * t);
        let position = [0, 1].map(|k| stage.position[k] + lobes * self.swing[k]);
        let direction = [0, 1].map(|k| {
            let [a, b, c] = self.stages.map(|stage| stage.position[k]);
            2.0 * (rest * (b - a) + t * (c - b)) + turn * self.swing[k]
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
    let mut reaches = Vec::new();
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
            let along = [0, 1].map(|k| end.position[k] - own.position[k]);
            reaches.push(Reach::new(&own, &end, [along; 2], [true, false], shape));
        }
    }
    reaches
}

/// The middle of an edge.
fn middle([from, to]: [&NetworkNode; 2], area: f64, shape: &Shape) -> Stage {
    let [first, last] = [from, to].map(|node| Stage::new(node, area, shape));
    let height = Profile::new(from, to).at(0.5);
    // Lakes end in the middle, unless both nodes have one.
    let stage = first.between(&last, 0.5);
    if first.lake == last.lake {
        return Stage { height, ..stage };
    }
    let river = if first.lake > 0.0 { last } else { first };
    Stage { height, lake: 0.0, half_width: river.half_width, depth: river.depth, ..stage }
}
