//! Where the rivers of a level cross the hexagons of the next finer one.

use alloc::vec::Vec;

use crate::drainage::network::lakes::Profile;
use crate::drainage::network::lattice::{Index, NEIGHBOURS, NodeLattice, neighbour};
use crate::drainage::network::node::NetworkNode;
use crate::drainage::network::window::{Table, Window};
use crate::region::Region;

/// The points along a river that are looked at. Rivers are at most 4 (1 + 2 JITTER) = 6.24 finer
/// spacings long, and hexagons that do not touch are 0.577 apart, so neighbouring points lie in
/// the same hexagon or in neighbours.
const POINTS: usize = 16;

/// A river in a hexagon.
#[derive(Clone, Copy, Debug)]
pub(in crate::drainage) struct Crossing {
    /// Its height where it leaves.
    pub height: f64,
    /// The neighbour that it enters; none where it ends.
    pub target: Option<u8>,
    /// The area upstream.
    pub area: f64,
    /// Whether it is a lake there.
    pub is_lake: bool,
}

/// The lowest river in each hexagon of the points of a window, in their order. Along a river,
/// heights fall; so the lowest one goes on to a hexagon in which the lowest is lower.
pub(in crate::drainage) fn crossings(
    rivers: &Table<NetworkNode>,
    cell: f64,
    lattice: &NodeLattice,
    region: Region,
    window: &Window,
) -> Vec<Option<Crossing>> {
    let mut crossings = vec![None; window.len()];
    let mut cross = |hexagon: Index, crossing: Crossing| {
        if let Some(place) = window.place(hexagon) {
            let known = &mut crossings[place];
            // Another river may end in this one here.
            let area = known.map_or(crossing.area, |other: Crossing| other.area.max(crossing.area));
            if known.is_none_or(|other| crossing.height < other.height) {
                *known = Some(crossing);
            }
            if let Some(known) = known {
                known.area = area;
            }
        }
    };
    // A hexagon reaches 0.58 spacings from its centre.
    let Region { min, max } = region.grown(0.6 * lattice.spacing);
    // Beyond the land there are nodes without a height.
    for (index, node) in rivers.iter().filter(|(_, node)| node.height < f64::INFINITY) {
        let Some(target) = node.target else {
            let NetworkNode { height, area, lake, .. } = *node;
            let crossing = Crossing { height, target: None, area, is_lake: lake > 0.0 };
            cross(lattice.nearest(node.position), crossing);
            continue;
        };
        let Some(end) = rivers.get(neighbour(index, NEIGHBOURS[usize::from(target)])) else {
            continue;
        };
        let is_far = |k: usize| {
            let [a, b] = [node.position[k], end.position[k]];
            a.max(b) < min[k] || a.min(b) > max[k]
        };
        if is_far(0) || is_far(1) {
            continue;
        }
        let at = |a: f64, b: f64, i: usize| a + (b - a) * (i as f64 / POINTS as f64);
        let profile = Profile::new(node, end);
        let hexagons: [Index; POINTS + 1] = core::array::from_fn(|i| {
            lattice.nearest([0, 1].map(|k| at(node.position[k], end.position[k], i)))
        });
        let mut way = None;
        for i in (0..POINTS).rev() {
            if hexagons[i] != hexagons[i + 1] {
                let step = [0, 1].map(|k| hexagons[i + 1][k] - hexagons[i][k]);
                way = (0u8..).zip(NEIGHBOURS).find(|(_, to)| *to == step).map(|(way, _)| way);
            }
            let part = i as f64 / POINTS as f64;
            let crossing = Crossing {
                height: profile.at(part),
                is_lake: profile.is_lake(part),
                target: way,
                area: at(node.area - cell, node.area, i),
            };
            cross(hexagons[i], crossing);
        }
    }
    crossings
}
