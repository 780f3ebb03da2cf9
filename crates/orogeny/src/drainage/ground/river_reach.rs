//! Reaches of rivers, for drawing them.

use crate::drainage::ground::reach::Reach;
#[cfg(not(feature = "std"))]
use crate::float::Float as _;

/// A reach: a straight part of a river.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RiverReach {
    /// Where it begins and ends.
    pub ends: [[f64; 2]; 2],
    /// The height of its surface at both ends, in metres.
    pub surface: [f64; 2],
    /// The directions of its banks at both ends, of length 1: the next reach continues with the
    /// same.
    pub directions: [[f64; 2]; 2],
    /// The width of its water at both ends in metres; 0 for a dry channel.
    pub width: [f64; 2],
    /// The depth of its water in the middle at both ends, in metres: 0 where a river begins, or
    /// ends in a larger one, whose water covers it.
    pub depth: [f64; 2],
    /// Its mean speed at both ends in m/s.
    pub speed: [f64; 2],
    /// Its discharge in cubic metres a second, see
    /// [`Water::discharge`](crate::drainage::Water::discharge).
    pub discharge: f64,
}

impl RiverReach {
    pub(in crate::drainage) fn new(reach: &Reach) -> Self {
        let unit = |[x, z]: [f64; 2]| {
            let length = (x * x + z * z).sqrt();
            if length > 0.0 { [x / length, z / length] } else { reach.along }
        };
        Self {
            ends: [reach.start, reach.end],
            surface: [reach.start_height, reach.height],
            directions: reach.directions.map(unit),
            width: reach.half_widths.map(|half_width| 2.0 * half_width),
            depth: reach.depths,
            speed: reach.speeds,
            discharge: reach.discharge,
        }
    }
}
