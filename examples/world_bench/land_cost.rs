//! What a world of many lands costs beside one that has a single land.

use std::time::Instant;

use orogeny::node::Lands;
use orogeny::{Field, Grid, Landscape, Node, Recipe, Samples};

use crate::{Metric, places};

const POINTS: usize = 65;
const RUNS: usize = 100;

/// The recipe in which a land is everywhere.
fn alone(recipe: &Recipe, land: usize) -> Recipe {
    let mut recipe = recipe.clone();
    let names: Vec<String> =
        recipe.lands.of[..=land].iter().rev().map(|land| land.name.clone()).collect();
    recipe.lands = Lands::default();
    let trees =
        recipe.rivers.iter_mut().flat_map(|rivers| [&mut rivers.relief, &mut rivers.detail]);
    trees.flatten().chain([&mut recipe.field]).for_each(|node| reduce(node, &names));
    recipe
}

/// Replaces fields for lands by that of the first name that has one: those below it show through.
fn reduce(node: &mut Node, names: &[String]) {
    node.children_mut().into_iter().for_each(|child| reduce(child, names));
    if let Node::Lands(of) = node {
        let shown = names.iter().find_map(|name| of.remove(name));
        *node = shown.expect("the first land has a field");
    }
}

/// The median time of a grid around a place, over that of another ground, measured in turns.
fn ratio(ground: &dyn Field<2>, other: &dyn Field<2>, [x, z]: [f64; 2]) -> f64 {
    let mut samples = Samples::new();
    let grid = |i: usize| {
        let corner = [x + (POINTS - 1) as f64 * (i % 10) as f64, z];
        Grid::new(corner, 1.0, [POINTS; 2])
    };
    // What is around the place is found once.
    for i in 0..10 {
        [ground, other].into_iter().for_each(|of| of.sample_grid(&grid(i), &mut samples));
    }
    let [mut own, mut others] = [Vec::new(), Vec::new()];
    for i in 0..RUNS {
        for (of, times) in [(ground, &mut own), (other, &mut others)] {
            let begun = Instant::now();
            of.sample_grid(&grid(i), &mut samples);
            times.push(begun.elapsed().as_secs_f64());
        }
    }
    let median = |mut times: Vec<f64>| {
        times.sort_by(f64::total_cmp);
        times[RUNS / 2]
    };
    median(own) / median(others)
}

pub fn measure(recipe: &Recipe, ground: &Landscape) -> Vec<Metric> {
    let ratio_of = |(land, p): (usize, [f64; 2])| {
        let alone = alone(recipe, land).build().expect("a valid recipe");
        ratio(ground, &alone, p)
    };
    let mut deep: Vec<f64> = places::deep(ground).into_iter().map(ratio_of).collect();
    deep.sort_by(f64::total_cmp);
    let heaviest = |p: [f64; 2]| {
        let weights = ground.lands().weights(p);
        (0..weights.len()).max_by(|&a, &b| weights[a].total_cmp(&weights[b])).unwrap_or_default()
    };
    let borders = places::borders(ground, 9);
    let mut borders: Vec<f64> = borders.into_iter().map(|p| ratio_of((heaviest(p), p))).collect();
    borders.sort_by(f64::total_cmp);
    vec![
        Metric { name: "land_cost_ratio", value: deep[deep.len() / 2] },
        Metric { name: "land_cost_ratio_max", value: deep[deep.len() - 1] },
        Metric { name: "border_cost_ratio", value: borders[borders.len() / 2] },
    ]
}
