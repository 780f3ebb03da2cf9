//! Rivers: drainage as a function of position, without simulation.
//!
//! A network has levels. The nodes of each lie on a jittered triangular lattice. Those of the
//! coarsest level take their height from the field, and each drains to a lower neighbour. Every
//! finer level has a quarter of the spacing. A node on a coarser river takes the height of that
//! river, and drains along it. Any other node lies above its lowest neighbour by slope times
//! distance. So each node has a lower neighbour, except in basins of the coarsest level. The ground
//! is the smooth minimum of the valleys of the finest rivers, and channels in it.
//!
//! Related: Scheidegger's random network (1967), which the choice among lower neighbours gives;
//! Génevaux et al., "Terrain generation using procedural models based on hydrology" (2013);
//! Gaillard et al., "Dendry: a procedural model for dendritic patterns" (2019).
//!
//! network/ is where rivers flow, ground/ the valleys and channels that they have made.
//! river_ground.rs answers questions about both and about the water; river_field.rs is the ground
//! as a field, with its slopes at coarse levels of detail; sampling.rs adds detail to it and finds
//! its rivers. Start with river_ground.rs.

mod ground;
mod network;
mod river_field;
mod river_ground;
mod sampling;
#[cfg(test)]
mod tests;

pub use ground::reach::RiverReach;
pub use river_ground::{RiverGround, Water, WaterKind};

#[cfg(not(feature = "std"))]
use crate::float::Float as _;
use crate::limits::parameters;
use crate::node::Node;

parameters! {
    /// A river network, and the valleys around it.
    pub struct Drainage {
        /// The seed of the network. Different seeds give unrelated networks.
        seed: u64 = 0,
        /// A field that multiplies slopes, clamped to 0.02 to 1: flat land, hills and mountains in
        /// one network. `None` for steep slopes everywhere.
        relief: Option<Node> = None,
        /// A field in metres that is added to the ground. It fades out towards the water, from
        /// twice the radius of the valley floor to the bank.
        detail: Option<Node> = None,
    }
    numbers {
        /// The distance between the coarsest rivers.
        spacing: f64 = 6400 "m", 10 to 1e6;
        /// The number of levels of rivers, rounded up. Each level has a quarter of the spacing of
        /// the one before. The finest spacing must be at least 10 m; rivers and lakes are at most
        /// 0.6 of it wide.
        levels: f64 = 3 "", 1 to 8;
        /// The slope of the sides of valleys.
        steepness: f32 = 0.55 "", 0.01 to 2;
        /// The slope of a river relative to that of the valley side that it runs down.
        gain: f32 = 0.7 "", 0.2 to 0.95;
        /// The radius of valley floors, relative to the spacing of the finest rivers.
        floor: f32 = 0.06 "", 0.01 to 0.5;
        /// How much wider valley floors are than their rivers, in half widths of the water.
        plain: f32 = 6 "", 0 to 50;
        /// How far rivers meander on flat land. 1 is an eighth of the distance between nodes of the
        /// finest rivers.
        meander: f32 = 1 "", 0 to 1;
        /// The probability of a lake where one can be: at a node of the coarser levels towards
        /// which all water around it flows. Basins without another outlet always have one.
        lakes: f32 = 0.2 "", 0 to 1;
        /// The width of rivers, relative to a temperate climate.
        runoff: f32 = 1 "", 0 to 10;
    }
}

impl Drainage {
    /// The distance between the finest rivers.
    pub(crate) fn finest(&self) -> f64 {
        (1..self.levels.ceil() as u32).fold(self.spacing, |spacing, _| spacing / network::RATIO)
    }
}
