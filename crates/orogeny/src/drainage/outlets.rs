//! Outlets of basins: the lowest nodes around drain through a rim that is carved down.

use alloc::vec::Vec;

use crate::drainage::lattice::{Index, NEIGHBOURS};
use crate::drainage::level::{Node, neighbour};
use crate::drainage::window::Table;

/// Makes basins on land drain, where a way out begins at a neighbour.
///
/// A node without a lower neighbour drains to the lowest neighbour n that drains to a node t(n)
/// which is lower than it; n is carved down to halfway between the two. Along every path the
/// heights of nodes that are not carved fall, so there are no loops. Other basins stay.
///
/// Returns the basins that drain now, in ascending order.
pub(super) fn carve(nodes: &mut Table<Node>, sea_level: f64) -> Vec<Index> {
    let window = nodes.window;
    let target = |index: Index| -> Option<Index> {
        Some(neighbour(index, NEIGHBOURS[usize::from(nodes.get(index)?.target?)]))
    };
    let outlet = |index: Index| -> Option<(u8, Index, f64)> {
        let node = &nodes[index];
        if node.target.is_some() || node.height <= sea_level {
            return None;
        }
        let ways = NEIGHBOURS.into_iter().zip(0u8..).filter_map(|(step, way)| {
            let rim = neighbour(index, step);
            let beyond = nodes.get(target(rim)?)?.height;
            let height = nodes[rim].height;
            (beyond < node.height).then_some((way, rim, height, (beyond + node.height) / 2.0))
        });
        let best = ways.reduce(|a, b| if b.2 < a.2 { b } else { a });
        best.map(|(way, rim, _, carved)| (way, rim, carved))
    };
    let outlets: Vec<_> =
        window.indices().filter_map(|index| Some((index, outlet(index)?))).collect();
    let mut basins = Vec::new();
    for (index, (way, rim, carved)) in outlets {
        if let Some(node) = nodes.get_mut(index) {
            node.target = Some(way);
            basins.push(index);
        }
        if let Some(node) = nodes.get_mut(rim) {
            node.height = node.height.min(carved);
        }
    }
    basins.sort_unstable();
    basins
}
