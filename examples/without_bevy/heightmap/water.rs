//! The pixels of water: where it is, how it flows, and how much.

use orogeny::drainage::{Water, WaterKind};

/// The speed in m/s that is the end of the scale of a flow map.
const FASTEST: f64 = 8.0;

/// Steps for each square root of a cubic metre a second. They end at 4,294 cubic metres.
const STEPS: f64 = 1000.0;

/// The kind of water: 0 for dry ground.
pub fn mask(water: Option<Water>) -> u8 {
    match water.map(|water| water.kind) {
        None => 0,
        Some(WaterKind::Sea) => 85,
        Some(WaterKind::Lake) => 170,
        Some(WaterKind::River) => 255,
    }
}

/// The velocity in the axes of the picture, to the right (+x) and to its top (-z), and whether
/// there is water.
pub fn flow(water: Option<Water>) -> [u8; 3] {
    let [x, z] = water.map_or([0.0; 2], |water| water.flow);
    let part = |speed: f64| {
        // Still water is 128, like dry ground: the third channel tells them apart.
        (128.0 + 127.0 * (speed / FASTEST).clamp(-1.0, 1.0)).round() as u8
    };
    [part(x), part(-z), if water.is_some() { 255 } else { 0 }]
}

/// The discharge, as its square root, so that brooks have more than one step.
pub fn discharge(water: Option<Water>) -> u16 {
    let discharge = water.map_or(0.0, |water| water.discharge);
    (STEPS * discharge.sqrt()).round().min(f64::from(u16::MAX)) as u16
}
