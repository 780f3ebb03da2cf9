//! Follows rivers downstream, and looks how well water fits the ground.

use std::collections::{HashMap, HashSet};

use indicatif::ProgressBar;
use orogeny::Region;
use orogeny::drainage::{RiverGround, RiverReach, WaterKind};

use crate::report::Report;
use crate::samples::Samples;

/// The side of a region whose rivers are followed, in metres.
const SIDE: f64 = 8000.0;
/// The number of regions in which water is compared with the ground.
const REGIONS: u32 = 60;

/// The rivers of a region.
pub struct Course {
    parts: Vec<RiverReach>,
    /// The index of the part that begins at a place.
    next: HashMap<[u64; 2], usize>,
}

/// A place that is compared exactly.
pub fn bits(p: [f64; 2]) -> [u64; 2] {
    p.map(f64::to_bits)
}

/// The length of a part of a river, in metres.
pub fn length(part: &RiverReach) -> f64 {
    let [start, end] = part.ends;
    (end[0] - start[0]).hypot(end[1] - start[1])
}

impl Course {
    /// All rivers of a region, each from where it begins to where it leaves or ends.
    pub fn follow(field: &RiverGround, region: Region) -> Self {
        let parts = field.reaches(region).expect("a region within the limits");
        let next = parts.iter().enumerate().map(|(i, part)| (bits(part.ends[0]), i)).collect();
        Self { parts, next }
    }

    /// The length of all rivers.
    pub fn metres(&self) -> f64 {
        self.parts.iter().map(length).sum()
    }

    /// The part into which a part flows.
    fn next(&self, part: &RiverReach) -> Option<&RiverReach> {
        Some(&self.parts[*self.next.get(&bits(part.ends[1]))?])
    }

    /// The number of parts that rise, or end below the beginning of the next one.
    pub fn uphill(&self) -> u32 {
        let rises = |part: &&RiverReach| {
            part.surface[1] > part.surface[0]
                || self.next(part).is_some_and(|next| next.surface[0] > part.surface[1])
        };
        self.parts.iter().filter(rises).count() as u32
    }
}

pub fn measure(field: &RiverGround, kilometres: u32, report: &Report) {
    let bar = ProgressBar::new(kilometres.into());
    let (mut metres, mut uphill, mut without_outlet, mut closed_lakes) = (0.0, 0, 0, 0);
    // Regions lie on a diagonal, each with its own surroundings.
    for i in 0u32.. {
        let corner = [3.0 * SIDE * f64::from(i), -2.0 * SIDE * f64::from(i)];
        let region = Region { min: corner, max: corner.map(|x| x + SIDE) };
        let course = Course::follow(field, region);
        (metres, uphill) = (metres + course.metres(), uphill + course.uphill());
        let [rivers, lakes] = dead_ends(field, region, &course);
        (without_outlet, closed_lakes) = (without_outlet + rivers, closed_lakes + lakes);
        bar.set_position((metres / 1000.0) as u64);
        if metres >= 1000.0 * f64::from(kilometres) {
            break;
        }
    }
    bar.finish_and_clear();
    report.add("river_km", metres / 1000.0);
    report.add("uphill_steps", uphill.into());
    report.add("land_nodes_without_outlet", without_outlet.into());
    report.add("lakes_without_outlet", closed_lakes.into());
}

/// Rivers that end on land, but not in a lake; and lakes without an outlet.
fn dead_ends(field: &RiverGround, region: Region, course: &Course) -> [u32; 2] {
    let (mut rivers, mut lakes) = (0, HashSet::new());
    for part in &course.parts {
        let end = part.ends[1];
        let is_inside = (0..2).all(|k| (region.min[k]..region.max[k]).contains(&end[k]));
        if !is_inside || course.next(part).is_some() || part.surface[1] <= 0.0 {
            continue;
        }
        // The ends of all rivers that flow into a closed lake are one place.
        if field.water(end).is_some_and(|water| water.kind == WaterKind::Lake) {
            lakes.insert(bits(end));
        } else {
            rivers += 1;
        }
    }
    [rivers, lakes.len() as u32]
}

/// Whether water floats above its banks, or the ground hides it.
pub fn measure_gaps(field: &RiverGround, report: &Report) {
    let mut gaps = Samples::default();
    for i in 0..REGIONS {
        let corner = [50e3 + 3.0 * SIDE * f64::from(i), -2.0 * SIDE * f64::from(i)];
        let parts = field
            .reaches(Region { min: corner, max: corner.map(|x| x + SIDE) })
            .expect("a region within the limits");
        gaps.extend(parts.iter().filter_map(|part| gap(field, part)));
    }
    report.add("surface_gap_parts", gaps.len() as f64);
    let quantiles = [("p99", 0.99), ("p999", 0.999), ("max", 1.0)];
    report.quantiles("surface_gap_m", &gaps, quantiles);
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
