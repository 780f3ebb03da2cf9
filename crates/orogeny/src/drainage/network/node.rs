//! Nodes of a network.

use crate::drainage::network::lattice::unit;
use crate::drainage::network::shape::Shape;
#[cfg(not(feature = "std"))]
use crate::float::Float as _;

/// A node of a network.
#[derive(Clone, Copy, Debug)]
pub(in crate::drainage) struct NetworkNode {
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

impl NetworkNode {
    /// The radius of the valley floor of a river that drains an area through it.
    pub fn valley_floor(&self, area: f64, shape: &Shape) -> f64 {
        let half_width = self.half_width(area, shape);
        if self.lake > 0.0 { shape.lake_floor(half_width) } else { shape.floor(half_width) }
    }

    /// Half the width of the water that drains an area through it.
    pub fn half_width(&self, area: f64, shape: &Shape) -> f64 {
        let is_lake = self.lake > 0.0;
        if is_lake { shape.lake_half_width(unit(self.hash, 8)) } else { shape.half_width(area) }
    }
}

/// The distance between two nodes.
pub(in crate::drainage) fn distance(one: &NetworkNode, other: &NetworkNode) -> f64 {
    let [dx, dz] = [0, 1].map(|k| one.position[k] - other.position[k]);
    (dx * dx + dz * dz).sqrt()
}
