//! Valleys that fit their neighbours, so that none is cut away by the valley of a lower river.
//!
//! The side of a valley is s (sqrt(d^2 + w^2) - w) above its river at a distance d, with the slope
//! s of its sides and the radius w of its floor. A neighbouring river that lies higher than this
//! would hang above the ground.

use crate::drainage::lattice::Index;
use crate::drainage::level::{Node, neighbour};
use crate::drainage::reach::{STEEPER, floor};
use crate::drainage::shape::Shape;
use crate::drainage::window::Table;
#[cfg(not(feature = "std"))]
use crate::float::Float as _;

/// How high a neighbour lies on the side of a valley, at most: rivers swing from their nodes.
const PART: f64 = 0.8;

/// The neighbours of a lattice point, and theirs: as far as valleys reach.
const AROUND: [Index; 18] = [
    [1, 0],
    [0, 1],
    [-1, 1],
    [-1, 0],
    [0, -1],
    [1, -1],
    [2, 0],
    [1, 1],
    [0, 2],
    [-1, 2],
    [-2, 2],
    [-2, 1],
    [-2, 0],
    [-1, -1],
    [0, -2],
    [1, -2],
    [2, -2],
    [2, -1],
];

/// How far a node away from rivers may be above a river at a distance: a part of the height of the
/// side of its valley.
pub(super) fn side([river, node]: [&Node; 2], length: f64, shape: &Shape) -> f64 {
    if !river.is_on_river {
        return f64::INFINITY;
    }
    let w = floor(river, river.area, shape);
    let relief = 0.5 * (river.relief + node.relief);
    PART * shape.steepness * relief * ((length * length + w * w).sqrt() - w)
}

/// Makes the sides of valleys of some nodes steeper, and then their floors narrower, until the
/// rivers around lie on them. Other nodes do so anyway: their heights come from the slope of their
/// level.
pub(super) fn fit(nodes: &mut Table<Node>, is_in: impl Fn(Index) -> bool, shape: &Shape) {
    let fitted = nodes.window.map(|index| {
        let node = &nodes[index];
        let (mut relief, mut radius) = (node.relief, f64::INFINITY);
        if node.is_outside || !is_in(index) {
            return (relief, radius);
        }
        // The squares of the distances of rivers above, and by how much.
        let rivers = || {
            AROUND.into_iter().filter_map(|step| {
                let river = nodes.get(neighbour(index, step)).filter(|other| other.is_on_river)?;
                let rise = river.height - node.height;
                let [x, z] = [0, 1].map(|k| river.position[k] - node.position[k]);
                (rise > 0.0).then_some((x * x + z * z, rise))
            })
        };
        let w = floor(node, node.area, shape);
        for (square, rise) in rivers() {
            let way = (square + w * w).sqrt() - w;
            relief = relief.max((rise / (PART * way * shape.steepness)).min(STEEPER));
        }
        for (square, rise) in rivers() {
            let r = rise / (PART * relief * shape.steepness);
            // Without any floor, the ground would have a crease at the water.
            let least = 0.05 * shape.floor;
            radius = radius.min(((square - r * r) / (2.0 * r)).max(least));
        }
        (relief, radius)
    });
    for (node, (relief, floor)) in nodes.values.iter_mut().zip(fitted.values) {
        (node.relief, node.floor) = (relief, floor);
    }
}
