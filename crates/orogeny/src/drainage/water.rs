//! The water of rivers at a point.

use crate::drainage::reach::Reach;
use crate::drainage::valley::Beside;
#[cfg(not(feature = "std"))]
use crate::float::Float as _;

/// How far from the middle of a river its water is known, in half widths. Only where the ground is
/// lower than its surface is there water.
pub(super) const REACH: f64 = 2.0;

/// Cubic metres a second from a square metre: 30 litres from a square kilometre, as in temperate
/// mountains.
const RUNOFF: f64 = 3e-8;

/// What kind of water.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WaterKind {
    /// All ground below the sea level.
    Sea,
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
    /// The velocity of its surface in m/s along x and z; zero in the sea.
    pub flow: [f64; 2],
    /// The width of the river in metres; infinite in the sea.
    pub width: f64,
    /// The discharge of the river in cubic metres a second; zero in the sea.
    pub discharge: f64,
    /// The distance to the nearer bank of the river in metres, at least; infinite in the sea.
    pub bank: f64,
}

impl Water {
    /// The sea over ground at a height.
    pub(crate) fn sea(level: f64, ground: f64) -> Self {
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
}

/// A straight part of a river.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RiverPart {
    /// Where it begins and ends.
    pub ends: [[f64; 2]; 2],
    /// The height of its surface at both ends, in metres.
    pub surface: [f64; 2],
    /// The width of its water in metres; 0 for a dry channel.
    pub width: f64,
    /// Its discharge in cubic metres a second.
    pub discharge: f64,
}

/// The discharge of a river that drains an area, in cubic metres a second.
pub(super) fn discharge(area: f64, runoff: f64) -> f64 {
    RUNOFF * runoff * area
}

/// What a river at a point would be if the ground were lower than its surface.
#[derive(Clone, Copy, Debug)]
pub(super) struct Surface {
    pub height: f64,
    pub flow: [f64; 2],
    pub width: f64,
    pub discharge: f64,
    pub bank: f64,
}

/// The mean of the rivers around a point with weights (1 - d^2 / (2 b)^2)^3, for the distance d
/// from a reach and half its width b: so the surface is smooth along bends and at confluences.
/// `None` if the point is not beside a river.
///
/// The mean speed is that which carries the discharge through the channel, whose cross-section with
/// the depth D in the middle is 2 b D 16/35.
pub(super) fn surface<'a>(
    reaches: impl Iterator<Item = &'a Reach>,
    p: [f64; 2],
    runoff: f64,
) -> Option<Surface> {
    let mut total = 0.0;
    let mut sum = Surface { height: 0.0, flow: [0.0; 2], width: 0.0, discharge: 0.0, bank: 0.0 };
    let mut bank = f64::NEG_INFINITY;
    for reach in reaches {
        let Beside { along, square, .. } = reach.beside(p);
        let reach_square = REACH * REACH / reach.inverse_width;
        if square >= reach_square {
            continue;
        }
        let rest = 1.0 - square / reach_square;
        let weight = rest * rest * rest;
        let part = along.clamp(0.0, reach.length) / reach.length;
        let discharge = discharge(reach.area, runoff);
        let speed = discharge / (2.0 * reach.half_width * reach.depth * (16.0 / 35.0));
        total += weight;
        sum.height += weight * (reach.height + reach.fall * (1.0 - part));
        sum.flow = [0, 1].map(|k| sum.flow[k] + weight * speed * reach.along[k]);
        sum.width += weight * 2.0 * reach.half_width;
        sum.discharge += weight * discharge;
        bank = bank.max(reach.half_width - square.sqrt());
    }
    (total > 0.0).then(|| Surface {
        height: sum.height / total,
        flow: sum.flow.map(|flow| flow / total),
        width: sum.width / total,
        discharge: sum.discharge / total,
        bank,
    })
}
