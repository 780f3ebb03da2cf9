//! Where lands and their borders are, and the rivers over these.

use std::f64::consts::TAU;

use orogeny::{Landscape, Region};

use crate::report::Report;
use crate::rivers::Course;

/// How far from the start lands are looked for, in metres.
const REACH: f64 = 200e3;
/// The steps of the search, in metres.
const STEP: f64 = 4e3;
/// The side of a region whose rivers are followed, in metres.
const SIDE: f64 = 4000.0;
const REGIONS: usize = 60;

/// All positions of the search that are not in the sea.
fn land(ground: &Landscape) -> impl Iterator<Item = [f64; 2]> + '_ {
    let count = (REACH / STEP) as i32;
    let all = (-count..=count).flat_map(move |i| (-count..=count).map(move |j| [i, j]));
    let positions = all.map(|p| p.map(|k| f64::from(k) * STEP));
    positions.filter(|[x, z]| x.hypot(*z) <= REACH).filter(|p| ground.water(*p).is_none())
}

/// Lands that cover some of the land around the start, and rivers over borders of lands.
pub fn measure(ground: &Landscape, report: &Report) {
    let mut areas = vec![0.0; ground.lands().lands().len()];
    let mut whole = 0.0;
    for p in land(ground) {
        whole += 1.0;
        let weights = ground.lands().weights(p);
        areas.iter_mut().zip(weights).for_each(|(area, weight)| *area += f64::from(weight));
    }
    let count = areas.iter().filter(|&&area| area >= 0.01 * whole).count();
    report.add("lands_within_200_km", count as f64);
    let rivers = ground.rivers().expect("a preset with rivers");
    let (mut metres, mut uphill) = (0.0, 0);
    for p in borders(ground, REGIONS) {
        let course = Course::follow(rivers, Region::around(p, [0.5 * SIDE; 2]));
        (metres, uphill) = (metres + course.metres(), uphill + course.uphill());
    }
    report.add("border_river_km", metres / 1000.0);
    report.add("uphill_steps", f64::from(uphill));
}

/// For each land, a place that is deep in it: all around have it alone.
pub fn deep(ground: &Landscape) -> Vec<(usize, [f64; 2])> {
    let lands = ground.lands();
    let is_deep = |land: usize, p: [f64; 2]| {
        let around = (0..8).map(|i| TAU * f64::from(i) / 8.0);
        let mut around = around.map(|a| [p[0] + 2e3 * a.cos(), p[1] + 2e3 * a.sin()]);
        lands.weights(p)[land] == 1.0 && around.all(|p| lands.weights(p)[land] == 1.0)
    };
    let all: Vec<_> = land(ground).collect();
    let found = (0..lands.lands().len())
        .filter_map(|land| Some((land, *all.iter().find(|p| is_deep(land, **p))?)));
    found.collect()
}

/// Positions where no land has much more than half of the weight, spread over the whole search.
pub fn borders(ground: &Landscape, count: usize) -> Vec<[f64; 2]> {
    let heaviest = |p| ground.lands().weights(p).into_iter().fold(0.0, f32::max);
    let all: Vec<_> = land(ground).filter(|&p| (0.3..0.7).contains(&heaviest(p))).collect();
    all.iter().step_by((all.len() / count).max(1)).copied().collect()
}
