//! The heights of nodes away from rivers: those of the shortest paths to them.

use alloc::vec::Vec;

use crate::drainage::network::edges::Edges;
use crate::drainage::network::fit;
use crate::drainage::network::node::NetworkNode;
use crate::drainage::network::shape::Shape;

/// How many edges a node is away from a river of the next coarser level, at most.
///
/// A point is at most 1 / sqrt 3 spacings away from a lattice point, and that at most JITTER from
/// its node: 4 (0.577 + 0.28) = 3.43 finer spacings. The hexagon of that node is centred at most
/// 0.577 away. Paths of edges are at most 2 / sqrt 3 times as long as the distance: 4.63.
pub(in crate::drainage) const HOPS: i64 = 5;

/// A node away from rivers.
struct OffRiver {
    place: u32,
    /// Its neighbours.
    to: [u32; 6],
    /// How much higher than each of them it is at most.
    rises: [f64; 6],
}

/// Raises nodes away from rivers above their neighbours by what the slope of their level makes:
///
/// z_i = min over neighbours j of z_j + slope |p_i - p_j|,
///
/// so each has a lower neighbour. These are the shortest paths to rivers, of [`HOPS`] edges at
/// most. With `valleys`, no node beside a river is above the side of its valley.
pub(in crate::drainage) fn raise(
    nodes: &mut [NetworkNode],
    edges: &Edges,
    slope: f64,
    valleys: Option<&Shape>,
) {
    let missing = nodes.len() as u32;
    let floors: Vec<f64> = valleys.map_or_else(Vec::new, |shape| {
        nodes.iter().map(|node| node.valley_floor(node.area, shape)).collect()
    });
    let away = nodes.iter().zip(0u32..).filter(|(node, _)| !node.is_on_river);
    let away: Vec<OffRiver> = away
        .map(|(node, place)| {
            let (to, lengths) = (edges.to[place as usize], &edges.lengths[place as usize]);
            let rises = core::array::from_fn(|way| {
                if to[way] == missing {
                    return f64::INFINITY;
                }
                let other = &nodes[to[way] as usize];
                let rise = rise(slope, [node, other], lengths[way]);
                match valleys {
                    Some(shape) if other.is_on_river => {
                        let floor = floors[to[way] as usize];
                        rise.min(fit::side([other, node], floor, lengths[way], shape))
                    }
                    _ => rise,
                }
            });
            OffRiver { place, to, rises }
        })
        .collect();
    let mut heights: Vec<f64> =
        nodes.iter().map(|node| node.height).chain([f64::INFINITY]).collect();
    let mut next = heights.clone();
    for _ in 0..HOPS {
        let mut is_done = true;
        for OffRiver { place, to, rises } in &away {
            let own = heights[*place as usize];
            let mut least = own;
            for (to, rise) in to.iter().zip(rises) {
                let height = heights[*to as usize] + rise;
                if height < least {
                    least = height;
                }
            }
            next[*place as usize] = least;
            is_done &= least == own;
        }
        core::mem::swap(&mut heights, &mut next);
        if is_done {
            break;
        }
    }
    for (node, height) in nodes.iter_mut().zip(heights) {
        node.height = height;
    }
}

/// How much higher than its neighbour at a distance a node of a level with a slope is at most.
pub(in crate::drainage) fn rise(slope: f64, [one, other]: [&NetworkNode; 2], length: f64) -> f64 {
    slope * (one.vary + other.vary) * (one.relief + other.relief) * length
}
