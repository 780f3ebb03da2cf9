//! Follows rivers downstream.

use std::collections::{HashMap, HashSet};

use indicatif::ProgressBar;
use orogeny::Region;
use orogeny::drainage::{RiverGround, RiverReach, WaterKind};

use crate::Metric;

/// The side of a region whose rivers are followed, in metres.
const SIDE: f64 = 8000.0;

/// What was found in some regions.
#[derive(Default)]
struct Tally {
    metres: f64,
    uphill: u32,
    /// Rivers that end on land, but not in a lake.
    without_outlet: u32,
    /// Lakes without an outlet.
    closed_lakes: u32,
}

pub fn measure(field: &RiverGround, kilometres: u32) -> Vec<Metric> {
    let bar = ProgressBar::new(kilometres.into());
    let mut tally = Tally::default();
    // Regions lie on a diagonal, each with its own surroundings.
    for i in 0u32.. {
        let corner = [3.0 * SIDE * f64::from(i), -2.0 * SIDE * f64::from(i)];
        follow(field, corner, &mut tally);
        bar.set_position((tally.metres / 1000.0) as u64);
        if tally.metres >= 1000.0 * f64::from(kilometres) {
            break;
        }
    }
    bar.finish_and_clear();
    vec![
        Metric { name: "river_km", value: tally.metres / 1000.0 },
        Metric { name: "uphill_steps", value: tally.uphill.into() },
        Metric { name: "land_nodes_without_outlet", value: tally.without_outlet.into() },
        Metric { name: "lakes_without_outlet", value: tally.closed_lakes.into() },
    ]
}

fn bits(p: [f64; 2]) -> [u64; 2] {
    p.map(f64::to_bits)
}

/// All rivers of a region, each from where it begins to where it leaves or ends.
fn follow(field: &RiverGround, corner: [f64; 2], tally: &mut Tally) {
    let far = corner.map(|x| x + SIDE);
    let parts =
        field.reaches(Region { min: corner, max: far }).expect("a region within the limits");
    let next: HashMap<[u64; 2], &RiverReach> =
        parts.iter().map(|part| (bits(part.ends[0]), part)).collect();
    let mut ends = HashSet::new();
    for part in &parts {
        let [start, end] = part.ends;
        tally.metres += (end[0] - start[0]).hypot(end[1] - start[1]);
        let then = next.get(&bits(end));
        let rises = part.surface[1] > part.surface[0]
            || then.is_some_and(|then| then.surface[0] > part.surface[1]);
        tally.uphill += u32::from(rises);
        let is_inside = (0..2).all(|k| (corner[k]..far[k]).contains(&end[k]));
        if is_inside && then.is_none() && part.surface[1] > 0.0 {
            // The ends of all rivers that flow into a closed lake are one place.
            let is_lake = field.water(end).is_some_and(|water| water.kind == WaterKind::Lake);
            if is_lake {
                tally.closed_lakes += u32::from(ends.insert(bits(end)));
            } else {
                tally.without_outlet += 1;
            }
        }
    }
}
