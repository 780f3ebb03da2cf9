//! Lakes: nodes of coarse levels around which rivers are level. Other basins have outlets: the
//! lowest nodes around drain through a rim that is carved down.
//!
//! A lake reaches along a part of each edge of its node. The rivers of finer levels there are level
//! too, and those of the finest are so wide that they are lakes.

use alloc::vec::Vec;

use crate::arrays::Each;
use crate::drainage::network::lattice::unit;
use crate::drainage::network::node::{Edges, NetworkNode, distance};

/// How far along the edges of its node a lake reaches: the smallest and the largest part. On finer
/// levels it reaches to the middle.
const PARTS: [f64; 2] = [0.15, 0.5];

/// How much lower water is where it leaves the level part of a lake, for each metre. So rivers fall
/// in lakes as well.
const FALL: f64 = 2e-5;

/// Puts lakes on nodes of a level that are not on a river, and in whose surroundings all water
/// flows towards them: on basins, and with a probability on others.
pub(super) fn put_lakes(
    nodes: &mut [NetworkNode],
    edges: &Edges,
    [sea_level, probability]: [f64; 2],
    is_basin: impl Fn(usize) -> bool,
) {
    let is_lake = |(place, node): (usize, &NetworkNode)| {
        if node.is_on_river || node.height <= sea_level {
            return false;
        }
        let is_wanted = is_basin(place) || unit(node.hash, 7) < probability;
        is_wanted
            && (0u8..).zip(edges.to[place]).all(|(way, other)| {
                // A node without a way down has a lake also where land is flat.
                let is_level =
                    |other: &NetworkNode| node.target.is_none() && other.height == node.height;
                node.target == Some(way)
                    || nodes
                        .get(other as usize)
                        .is_some_and(|other| other.height > node.height || is_level(other))
            })
    };
    let lakes: Vec<bool> = nodes.iter().enumerate().map(is_lake).collect();
    for (node, is_lake) in nodes.iter_mut().zip(lakes) {
        if is_lake {
            let [least, most] = PARTS;
            node.lake = least + (most - least) * unit(node.hash, 8);
        }
    }
}

/// A river from a node to the next one: level in their lakes, and straight between.
pub(in crate::drainage) struct Profile {
    /// The parts of the way at which the lake of the first node ends, and that of the second
    /// begins.
    ends: [f64; 2],
    /// The heights at both nodes, and there.
    heights: [f64; 4],
}

impl Profile {
    pub fn new(from: &NetworkNode, to: &NetworkNode) -> Self {
        let fall =
            |lake: f64| (FALL * lake * distance(from, to)).min(0.25 * (from.height - to.height));
        let [first, last] = [from.lake, to.lake].each(fall);
        Self {
            ends: [from.lake, 1.0 - to.lake],
            heights: [from.height, from.height - first, to.height + last, to.height],
        }
    }

    /// The height at a part of the way, 0 to 1.
    pub fn at(&self, t: f64) -> f64 {
        let ([a, b], [first, second, third, last]) = (self.ends, self.heights);
        let between = |x: f64, y: f64, t: f64| x + (y - x) * t;
        if t < a {
            between(first, second, t / a)
        } else if t <= b {
            // Lakes may meet in the middle.
            if b > a { between(second, third, (t - a) / (b - a)) } else { second }
        } else {
            between(third, last, (t - b) / (1.0 - b))
        }
    }

    /// Whether there is a lake at a part of the way.
    pub fn is_lake(&self, t: f64) -> bool {
        t < self.ends[0] || t > self.ends[1]
    }
}

/// How far along its edges the lake of a node on a river of a coarser level reaches.
pub(super) fn inherited_lake(is_lake: bool) -> f64 {
    if is_lake { PARTS[1] } else { 0.0 }
}

/// Makes basins on land drain, where a way out begins at a neighbour.
///
/// A node without a lower neighbour drains to the lowest neighbour n that drains to a node t(n)
/// which is lower than it; n is carved down to halfway between the two. Along every path the
/// heights of nodes that are not carved fall, so there are no loops. Other basins stay.
///
/// Returns the places of the basins that drain now, in ascending order.
pub(super) fn carve_outlets(
    nodes: &mut [NetworkNode],
    edges: &Edges,
    sea_level: f64,
) -> Vec<usize> {
    let outlet = |(place, node): (usize, &NetworkNode)| -> Option<Outlet> {
        if node.target.is_some() || node.height <= sea_level {
            return None;
        }
        let ways = edges.of(place).filter_map(|(way, rim)| {
            let beyond = edges.neighbour(rim, nodes[rim].target?.into())?;
            let carved = (nodes[beyond].height + node.height) / 2.0;
            (nodes[beyond].height < node.height).then_some(Outlet {
                basin: place,
                way,
                rim,
                carved,
            })
        });
        let height = |outlet: &Outlet| nodes[outlet.rim].height;
        ways.reduce(|a, b| if height(&b) < height(&a) { b } else { a })
    };
    let outlets: Vec<Outlet> = nodes.iter().enumerate().filter_map(outlet).collect();
    for outlet in &outlets {
        nodes[outlet.basin].target = Some(outlet.way);
        let rim = &mut nodes[outlet.rim];
        rim.height = rim.height.min(outlet.carved);
    }
    outlets.iter().map(|outlet| outlet.basin).collect()
}

/// A way out of a basin.
struct Outlet {
    basin: usize,
    /// Its target, and the place of that.
    way: u8,
    rim: usize,
    /// The height to which the rim is carved.
    carved: f64,
}
