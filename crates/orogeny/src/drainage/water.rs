//! The water of rivers at a point.

use crate::drainage::reach::Reach;
use crate::drainage::shape::Shape;
use crate::drainage::valley::Beside;
use crate::edits::Flooding;
#[cfg(not(feature = "std"))]
use crate::float::Float as _;

/// What kind of water.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WaterKind {
    /// All ground below the sea level.
    Sea,
    /// A lake.
    Lake,
    /// A river.
    River,
}

/// The water at a position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Water {
    /// What kind it is.
    pub kind: WaterKind,
    /// The height of its surface in metres.
    pub surface: f64,
    /// Its depth in metres, positive.
    pub depth: f64,
    /// Its mean velocity in m/s along x and z; zero in the sea. It is the same in the middle and at
    /// the banks.
    pub flow: [f64; 2],
    /// The width of the river or lake in metres; infinite in the sea.
    pub width: f64,
    /// The discharge in cubic metres a second with which the channel is full; zero in the sea. It
    /// counts the area within six of the coarsest edges upstream, so it can fall along a long
    /// river.
    pub discharge: f64,
    /// The distance to the nearer bank in metres, at least; infinite in the sea.
    pub bank: f64,
}

impl Water {
    /// The sea at a level over ground at a height, both in metres.
    pub fn sea(level: f64, ground: f64) -> Self {
        Self {
            kind: WaterKind::Sea,
            surface: level,
            depth: level - ground,
            flow: [0.0; 2],
            width: f64::INFINITY,
            discharge: 0.0,
            bank: f64::INFINITY,
        }
    }

    /// Ground at a height in metres that an edit has flooded: a lake.
    pub fn flooded(flooding: &Flooding, ground: f64) -> Self {
        Self {
            kind: WaterKind::Lake,
            surface: flooding.level,
            depth: flooding.level - ground,
            flow: [0.0; 2],
            width: flooding.width,
            discharge: 0.0,
            bank: 0.0,
        }
    }
}

/// A straight part of a river.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RiverPart {
    /// Where it begins and ends.
    pub ends: [[f64; 2]; 2],
    /// The height of its surface at both ends, in metres.
    pub surface: [f64; 2],
    /// The directions of its banks at both ends, of length 1: the next part continues with the
    /// same.
    pub directions: [[f64; 2]; 2],
    /// The width of its water at both ends in metres; 0 for a dry channel.
    pub width: [f64; 2],
    /// The depth of its water in the middle at both ends, in metres: 0 where a river begins, or
    /// ends in a larger one, whose water covers it.
    pub depth: [f64; 2],
    /// Its mean speed at both ends in m/s.
    pub speed: [f64; 2],
    /// Its discharge in cubic metres a second, see [`Water::discharge`].
    pub discharge: f64,
}

impl RiverPart {
    pub(super) fn new(reach: &Reach) -> Self {
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

/// What a river at a point would be if the ground were lower than its surface.
#[derive(Clone, Copy, Debug)]
pub(super) struct Surface {
    pub height: f64,
    pub flow: [f64; 2],
    pub width: f64,
    pub discharge: f64,
    pub bank: f64,
    pub is_lake: bool,
}

/// The mean of the rivers at a point with weights (1 - d^2 / b^2)^3, for the distance d from a
/// reach and half its width b: so the surface is smooth along bends and at confluences. `None` if
/// the point is not in the bed of a river.
pub(super) fn surface<'a>(
    reaches: impl Iterator<Item = &'a Reach>,
    p: [f64; 2],
    shape: &Shape,
) -> Option<Surface> {
    // The weight of all, of lakes, and the sums of height, width and discharge.
    let mut sums = [0.0; 5];
    let mut flow = [0.0; 2];
    let mut bank = f64::NEG_INFINITY;
    for reach in reaches {
        let Beside { along, square, .. } = reach.beside(p);
        let rest = 1.0 - square * reach.inverse_width;
        if rest <= 0.0 {
            continue;
        }
        let weight = rest * rest * rest;
        let part = along.clamp(0.0, reach.length) / reach.length;
        let discharge = reach.discharge;
        let speed = shape.speed(discharge, reach.half_width, reach.depth);
        let height = reach.height + reach.fall * (1.0 - part);
        let own = [1.0, reach.lake, height, 2.0 * reach.half_width, discharge];
        sums = core::array::from_fn(|k| sums[k] + weight * own[k]);
        flow = [0, 1].map(|k| flow[k] + weight * speed * reach.along[k]);
        bank = bank.max(reach.half_width - square.sqrt());
    }
    let [total, lake, height, width, discharge] = sums;
    (total > 0.0).then(|| Surface {
        height: height / total,
        flow: flow.map(|flow| flow / total),
        width: width / total,
        discharge: discharge / total,
        bank,
        is_lake: lake > 0.5 * total,
    })
}
