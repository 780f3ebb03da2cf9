//! Rivers over borders of lands.

use std::collections::HashMap;

use orogeny::drainage::RiverReach;
use orogeny::{Landscape, Region};

use crate::{Metric, places};

/// The side of a region whose rivers are followed, in metres.
const SIDE: f64 = 4000.0;
const REGIONS: usize = 60;

pub fn measure(ground: &Landscape) -> Vec<Metric> {
    let rivers = ground.rivers().expect("a preset with rivers");
    let (mut metres, mut uphill) = (0.0, 0u32);
    for p in places::borders(ground, REGIONS) {
        let region = Region::around(p, [0.5 * SIDE; 2]);
        let parts = rivers.reaches(region).expect("a region within the limits");
        let bits = |p: [f64; 2]| p.map(f64::to_bits);
        let next: HashMap<_, &RiverReach> =
            parts.iter().map(|part| (bits(part.ends[0]), part)).collect();
        for part in &parts {
            let [start, end] = part.ends;
            metres += (end[0] - start[0]).hypot(end[1] - start[1]);
            let then = next.get(&bits(end));
            let rises = part.surface[1] > part.surface[0]
                || then.is_some_and(|then| then.surface[0] > part.surface[1]);
            uphill += u32::from(rises);
        }
    }
    vec![
        Metric { name: "border_river_km", value: metres / 1000.0 },
        Metric { name: "uphill_steps", value: uphill.into() },
    ]
}
