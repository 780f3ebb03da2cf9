//! The surface of the water at a point.

use crate::drainage::ground::reach::Reach;
use crate::drainage::ground::valley::Offset;
use crate::drainage::network::shape::Shape;
#[cfg(not(feature = "std"))]
use crate::float::Float as _;

/// What a river at a point would be if the ground were lower than its surface.
#[derive(Clone, Copy, Debug)]
pub(in crate::drainage) struct Surface {
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
pub(in crate::drainage) fn surface<'a>(
    reaches: impl Iterator<Item = &'a Reach>,
    p: [f64; 2],
    shape: &Shape,
) -> Option<Surface> {
    // The weight of all, of lakes, and the sums of height, width and discharge.
    let mut sums = [0.0; 5];
    let mut flow = [0.0; 2];
    let mut bank = f64::NEG_INFINITY;
    for reach in reaches {
        let Offset { along, square, .. } = reach.offset(p);
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
