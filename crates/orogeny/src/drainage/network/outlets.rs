//! Outlets of basins: the lowest nodes around drain through a rim that is carved down.

use alloc::vec::Vec;

use crate::drainage::network::edges::Edges;
use crate::drainage::network::node::NetworkNode;

/// Makes basins on land drain, where a way out begins at a neighbour.
///
/// A node without a lower neighbour drains to the lowest neighbour n that drains to a node t(n)
/// which is lower than it; n is carved down to halfway between the two. Along every path the
/// heights of nodes that are not carved fall, so there are no loops. Other basins stay.
///
/// Returns the places of the basins that drain now, in ascending order.
pub(in crate::drainage) fn carve(
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
