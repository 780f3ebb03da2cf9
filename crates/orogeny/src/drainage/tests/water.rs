//! Rivers and lakes.

use alloc::vec::Vec;
use std::collections::HashMap;

use super::{continents, drainage, relief};
use crate::drainage::{Drainage, RiverGround, RiverReach, WaterKind};
use crate::field::Field;
use crate::region::Region;

#[test]
fn rivers_flow_on_and_water_lies_in_their_beds() {
    let field = RiverGround::new(continents(11), &drainage(11)).unwrap().with_sea(0.0);
    let bounds = field.bounds();
    let (min, max) = ([-30e3, 20e3], [-22e3, 28e3]);
    let parts = field.reaches(Region { min, max }).unwrap();
    let bits = |p: [f64; 2]| p.map(f64::to_bits);
    let starts: HashMap<_, f64> =
        parts.iter().map(|part| (bits(part.ends[0]), part.surface[0])).collect();
    let (mut wet, mut gaps, mut on, mut still) = (0, 0, 0, 0);
    for part in &parts {
        assert!(part.surface[1] <= part.surface[0]);
        let [start, end] = part.ends;
        if let Some(next) = starts.get(&bits(end)) {
            on += 1;
            assert!(*next <= part.surface[1] + 1e-9);
        }
        let ground = field.sample(start);
        assert!((bounds.min..=bounds.max).contains(&f64::from(ground.value)));
        if part.width[0] < 1.0 || part.surface[1] < 1.0 {
            continue;
        }
        wet += 1;
        let middle = [0, 1].map(|k| 0.5 * (start[k] + end[k]));
        let surface = 0.5 * (part.surface[0] + part.surface[1]);
        let Some(water) = field.water(middle) else {
            gaps += 1;
            continue;
        };
        assert!(water.depth > 0.0);
        if water.kind == WaterKind::Lake {
            continue;
        }
        assert!(water.width > 0.5);
        // Some begin in lakes without a river.
        still += i32::from(water.discharge == 0.0);
        // Beside a confluence, or where a river bends sharply, the surface is a mean.
        gaps += i32::from((water.surface - surface).abs() > 1.0);
    }
    assert!(still * 20 < wet, "{still} of {wet}");
    assert!(wet > 300 && gaps * 50 < wet, "{gaps} of {wet}");
    assert!(on * 100 > parts.len() * 95, "{on} of {}", parts.len());
}

/// Widths, depths, speeds and directions where a part goes on as the next, along 100 km.
#[test]
fn parts_of_rivers_meet_without_an_edge() {
    let bits = |p: [f64; 2]| p.map(f64::to_bits);
    let (mut length, mut joints, mut ends) = (0.0, 0, 0);
    for seed in 0..3 {
        let drainage = Drainage { lakes: 0.5, spacing: 4000.0, levels: 3.0, ..drainage(seed) };
        let field = RiverGround::new(continents(seed), &drainage).unwrap().with_sea(0.0);
        let (min, max) = ([-9e3, 2e3], [3e3, 14e3]);
        let parts = field.reaches(Region { min, max }).unwrap();
        let parts = parts.iter().filter(|part| part.width[1] > 0.5 && part.surface[1] > 1.0);
        let parts: Vec<&RiverReach> = parts.collect();
        let starts: HashMap<_, &RiverReach> =
            parts.iter().map(|part| (bits(part.ends[0]), *part)).collect();
        let mut begun: HashMap<_, usize> = HashMap::new();
        for part in &parts {
            let end = part.ends[1];
            length += (end[0] - part.ends[0][0]).hypot(end[1] - part.ends[0][1]);
            let Some(next) = starts.get(&bits(end)) else { continue };
            // The ends of smaller rivers fade out in the larger one.
            ends += usize::from(part.depth[1] == 0.0);
            if part.depth[1] == 0.0 {
                continue;
            }
            joints += 1;
            *begun.entry(bits(end)).or_default() += 1;
            for (own, other) in [
                (part.width[1], next.width[0]),
                (part.depth[1], next.depth[0]),
                (part.speed[1], next.speed[0]),
                (part.directions[1][0], next.directions[0][0]),
                (part.directions[1][1], next.directions[0][1]),
            ] {
                assert!((own - other).abs() < 1e-6 * (1.0 + own.abs()), "{part:?} {next:?}");
            }
        }
        assert!(begun.values().all(|count| *count == 1));
    }
    assert!(length > 100e3 && joints > 2000 && ends > 20, "{length} {joints} {ends}");
}

/// Where parts of rivers meet, the water itself goes on: along the middle and beside it.
#[test]
fn water_has_no_steps_where_parts_of_rivers_meet() {
    let (mut all, mut steps) = (0, Vec::new());
    for seed in 0..2 {
        let drainage = Drainage { lakes: 0.5, spacing: 4000.0, levels: 3.0, ..drainage(seed) };
        let field = RiverGround::new(continents(seed), &drainage).unwrap().with_sea(0.0);
        for part in field.reaches(Region { min: [-9e3, 2e3], max: [-3e3, 8e3] }).unwrap() {
            if part.width[1] < 1.0 || part.surface[1] < 1.0 {
                continue;
            }
            let ([x, z], [dx, dz]) = (part.ends[1], part.directions[1]);
            for side in [-0.3, 0.0, 0.3] {
                let aside = side * part.width[1];
                let at =
                    |by: f64| field.water([x - aside * dz + by * dx, z + aside * dx + by * dz]);
                if let [Some(before), Some(after)] = [at(-1e-3), at(1e-3)] {
                    all += 1;
                    let step = (before.surface - after.surface).abs();
                    let step = step.max((before.depth - after.depth).abs());
                    if step > 0.02 {
                        steps.push((step, part.ends[1]));
                    }
                }
            }
        }
    }
    assert!(all > 3000 && steps.is_empty(), "{} of {all}: {steps:?}", steps.len());
}

/// How high the water of each part of the rivers in a square is above a bank, or below its bed.
fn gaps(field: &RiverGround, corner: [f64; 2]) -> Vec<f64> {
    let parts = field.reaches(Region { min: corner, max: corner.map(|x| x + 8000.0) }).unwrap();
    let gap = |part: &RiverReach| {
        let width = 0.5 * (part.width[0] + part.width[1]);
        let surface = 0.5 * (part.surface[0] + part.surface[1]);
        if width < 0.5 || surface <= 0.0 {
            return None;
        }
        let middle = [0, 1].map(|k| 0.5 * (part.ends[0][k] + part.ends[1][k]));
        let mut gap = f64::from(field.value(middle)) - surface;
        let [x, z] = [0, 1].map(|k| part.ends[1][k] - part.ends[0][k]);
        let length = x.hypot(z);
        for side in [-0.5, 0.5] {
            let at = [middle[0] - side * width * z / length, middle[1] + side * width * x / length];
            // The bed of another river may begin there.
            if field.bank_distance(at) >= -0.01 * width {
                gap = gap.max(surface - f64::from(field.value(at)));
            }
        }
        Some(gap)
    };
    parts.iter().filter_map(gap).collect()
}

#[test]
fn water_stands_between_its_banks() {
    let mut all = Vec::new();
    for (seed, far) in [(1, 1e4), (2, -1e6), (3, 1e9)] {
        let drainage = Drainage { relief: Some(relief(seed)), lakes: 0.5, ..drainage(seed) };
        let drainage = Drainage { levels: 3.0, spacing: 4000.0, plain: 10.0, ..drainage };
        let field = RiverGround::new(continents(seed), &drainage).unwrap().with_sea(0.0);
        for k in 0..4 {
            all.extend(gaps(&field, [far + 9e3 * f64::from(k), 0.3 * far]));
        }
    }
    let bad = all.iter().filter(|gap| **gap > 0.05).count();
    // Two rivers may cross at different heights.
    assert!(all.len() > 3000 && bad * 2000 < all.len(), "{bad} of {}", all.len());
}

#[test]
fn lakes_are_level_and_have_outlets() {
    let drainage = Drainage { lakes: 1.0, levels: 3.0, spacing: 4000.0, ..drainage(13) };
    let field = RiverGround::new(continents(13), &drainage).unwrap().with_sea(0.0);
    let (min, max) = ([20e3, 20e3], [36e3, 36e3]);
    let parts = field.reaches(Region { min, max }).unwrap();
    let bits = |p: [f64; 2]| p.map(f64::to_bits);
    let starts: HashMap<_, &RiverReach> =
        parts.iter().map(|part| (bits(part.ends[0]), part)).collect();
    let mut lakes = 0;
    for part in parts.iter().filter(|part| part.surface[1] > 1.0) {
        let is_in_lake = |p| field.water(p).is_some_and(|water| water.kind == WaterKind::Lake);
        let [start, end] = part.ends;
        if is_in_lake(start) && is_in_lake(end) && part.width[1] > 50.0 {
            lakes += 1;
            let length = (end[0] - start[0]).hypot(end[1] - start[1]);
            assert!(part.surface[0] - part.surface[1] < 1e-3 * length + 0.01, "{part:?}");
            let inside = (0..2).all(|k| (min[k]..max[k]).contains(&end[k]));
            assert!(!inside || starts.contains_key(&bits(end)), "{part:?}");
        }
    }
    assert!(lakes > 50, "{lakes}");
}
