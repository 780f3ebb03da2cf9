//! How well water fits the ground: whether it floats above its banks, or the ground hides it.

use orogeny::Region;
use orogeny::drainage::{RiverGround, RiverReach};

use crate::Metric;

/// The side of a region whose rivers are looked at, in metres, and how many there are.
const SIDE: f64 = 8000.0;
const REGIONS: u32 = 60;

pub fn measure(field: &RiverGround) -> Vec<Metric> {
    let mut gaps = Vec::new();
    for i in 0..REGIONS {
        let corner = [50e3 + 3.0 * SIDE * f64::from(i), -2.0 * SIDE * f64::from(i)];
        let parts = field
            .reaches(Region { min: corner, max: corner.map(|x| x + SIDE) })
            .expect("a region within the limits");
        gaps.extend(parts.iter().filter_map(|part| gap(field, part)));
    }
    gaps.sort_by(f64::total_cmp);
    let at = |part: f64| gaps[((gaps.len() - 1) as f64 * part) as usize];
    vec![
        Metric { name: "surface_gap_parts", value: gaps.len() as f64 },
        Metric { name: "surface_gap_m_p99", value: at(0.99) },
        Metric { name: "surface_gap_m_p999", value: at(0.999) },
        Metric { name: "surface_gap_m_max", value: at(1.0) },
    ]
}

/// By how much the water in the middle of a part is above the ground at a bank, or below its bed.
/// `None` for parts that are dry or in the sea.
fn gap(field: &RiverGround, part: &RiverReach) -> Option<f64> {
    let width = 0.5 * (part.width[0] + part.width[1]);
    let surface = 0.5 * (part.surface[0] + part.surface[1]);
    if width < 0.5 || surface <= field.sea_level().unwrap_or(f64::NEG_INFINITY) {
        return None;
    }
    let middle = [0, 1].map(|k| 0.5 * (part.ends[0][k] + part.ends[1][k]));
    let buried = f64::from(field.value(middle)) - surface;
    let [x, z] = [0, 1].map(|k| part.ends[1][k] - part.ends[0][k]);
    let length = x.hypot(z);
    let floating = [-0.5, 0.5].map(|side| {
        let bank = [middle[0] - side * width * z / length, middle[1] + side * width * x / length];
        // The bed of another river may begin there.
        let is_open = field.bank_distance(bank) < -0.01 * width;
        if is_open { 0.0 } else { surface - f64::from(field.value(bank)) }
    });
    Some(buried.max(floating[0]).max(floating[1]))
}
