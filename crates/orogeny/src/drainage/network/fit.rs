//! Valleys that fit their neighbours, so that none is cut away by the valley of a lower river.
//!
//! The side of a valley is s (sqrt(d^2 + w^2) - w) above its river at a distance d, with the slope
//! s of its sides and the radius w of its floor. A neighbouring river that lies higher than this
//! would hang above the ground.

use alloc::vec::Vec;

use crate::drainage::network::edges::Edges;
use crate::drainage::network::node::NetworkNode;
use crate::drainage::network::shape::{STEEPER, Shape};
#[cfg(not(feature = "std"))]
use crate::float::Float as _;

/// How high a neighbour lies on the side of a valley, at most: rivers swing from their nodes.
const PART: f64 = 0.8;

/// How far a node away from rivers may be above a river with a radius of its valley floor, at a
/// distance: a part of the height of the side of its valley.
pub(in crate::drainage) fn side(
    [river, node]: [&NetworkNode; 2],
    floor: f64,
    length: f64,
    shape: &Shape,
) -> f64 {
    let relief = 0.5 * (river.relief + node.relief);
    PART * shape.steepness * relief * ((length * length + floor * floor).sqrt() - floor)
}

/// Makes the sides of valleys of some nodes steeper, and then their floors narrower, until the
/// rivers around lie on them. Other nodes do so anyway: their heights come from the slope of their
/// level.
pub(in crate::drainage) fn fit(
    nodes: &mut [NetworkNode],
    edges: &Edges,
    is_in: impl Fn(usize) -> bool,
    shape: &Shape,
) {
    // The squares of the distances of rivers above a node, and by how much.
    let mut rivers: Vec<[f64; 2]> = Vec::new();
    let fitted: Vec<[f64; 2]> = nodes
        .iter()
        .enumerate()
        .map(|(place, node)| {
            let (mut relief, mut radius) = (node.relief, f64::INFINITY);
            if !is_in(place) {
                return [relief, radius];
            }
            let around = edges.around(place).map(|other| &nodes[other]);
            let above = around.filter(|other| other.is_on_river && other.height > node.height);
            rivers.clear();
            rivers.extend(above.map(|river| {
                let [x, z] = [0, 1].map(|k| river.position[k] - node.position[k]);
                [x * x + z * z, river.height - node.height]
            }));
            let w = node.valley_floor(node.area, shape);
            for [square, rise] in &rivers {
                let way = (square + w * w).sqrt() - w;
                relief = relief.max((rise / (PART * way * shape.steepness)).min(STEEPER));
            }
            for [square, rise] in &rivers {
                let r = rise / (PART * relief * shape.steepness);
                // Without any floor, the ground would have a crease at the water.
                let least = 0.05 * shape.floor;
                radius = radius.min(((square - r * r) / (2.0 * r)).max(least));
            }
            [relief, radius]
        })
        .collect();
    for (node, [relief, floor]) in nodes.iter_mut().zip(fitted) {
        (node.relief, node.floor) = (relief, floor);
    }
}
