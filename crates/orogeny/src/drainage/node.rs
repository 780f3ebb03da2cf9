//! Nodes of a network.

#[cfg(not(feature = "std"))]
use crate::float::Float as _;

/// A node of a network.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    pub position: [f64; 2],
    pub height: f64,
    /// The neighbour that it drains to, as an index of [`NEIGHBOURS`](super::lattice::NEIGHBOURS);
    /// none for lakes.
    pub target: Option<u8>,
    /// The slope of valley sides there over that of the steepest.
    pub relief: f64,
    /// The area upstream.
    pub area: f64,
    /// The part of its edges along which the lake around it reaches; 0 for none.
    pub lake: f64,
    /// The largest radius of the valley floor: see `fit`. Infinite on all levels but the finest.
    pub floor: f64,
    /// Whether a river of a coarser level flows through it.
    pub is_on_river: bool,
    /// Its part of the random factor of the slopes of its edges: 1/8 to 3/8.
    pub vary: f64,
    pub hash: u32,
}

/// The distance between two nodes.
pub(super) fn distance(one: &Node, other: &Node) -> f64 {
    let [dx, dz] = [0, 1].map(|k| one.position[k] - other.position[k]);
    (dx * dx + dz * dz).sqrt()
}
