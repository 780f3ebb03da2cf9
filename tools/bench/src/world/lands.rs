//! What lands cost beside a world that has a single one, and how they meet: with exact gradients,
//! and weights that add up to 1.

use std::collections::BTreeMap;

use orogeny::node::Lands;
use orogeny::{Field, Grid, Landscape, Node, Recipe, Samples};

use super::places;
use crate::report::Report;
use crate::samples::{self, seconds};

const POINTS: usize = 65;
const RUNS: usize = 100;
/// The distance between samples for difference quotients, in metres.
const STEP: f64 = 0.125;

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
    let [mut own, mut others] = [(); 2].map(|()| samples::Samples::default());
    for i in 0..RUNS {
        for (of, times) in [(ground, &mut own), (other, &mut others)] {
            times.push(seconds(|| of.sample_grid(&grid(i), &mut samples)));
        }
    }
    own.median() / others.median()
}

pub fn measure_cost(recipe: &Recipe, ground: &Landscape, report: &Report) {
    let ratio_of = |(land, p): (usize, [f64; 2])| {
        let alone = alone(recipe, land).build().expect("a valid recipe");
        ratio(ground, &alone, p)
    };
    let deep: samples::Samples = places::deep(ground).into_iter().map(ratio_of).collect();
    let heaviest = |p: [f64; 2]| {
        let weights = ground.lands().weights(p);
        (0..weights.len()).max_by(|&a, &b| weights[a].total_cmp(&weights[b])).unwrap_or_default()
    };
    let borders = places::borders(ground, 9).into_iter();
    let borders: samples::Samples = borders.map(|p| ratio_of((heaviest(p), p))).collect();
    report.quantile("land_cost_ratio", &deep, 0.5);
    report.quantile("land_cost_ratio_max", &deep, 1.0);
    report.quantile("border_cost_ratio", &borders, 0.5);
}

pub fn measure_borders(recipe: &Recipe, ground: &Landscape, report: &Report) {
    // Smooth fields in the place of the lands' own, which have creases. Heights of some ten metres
    // leave `f32` enough digits for quotients.
    let hills = |seed| Node::<2>::noise(seed).fbm(3).frequency(1.0 / 90.0).amplitude(20.0);
    let names = ground.lands().lands().iter().map(|land| land.name.clone());
    let lands: BTreeMap<_, _> = names.zip((1..).map(hills)).collect();
    let smooth = Recipe { field: Node::Lands(lands), rivers: None, height: 1.0, ..recipe.clone() };
    // No cover of banks without rivers.
    let smooth = Recipe { cover: Default::default(), scatter: Default::default(), ..smooth };
    let field = smooth.build().expect("a valid recipe");
    let (mut gradient, mut weight) = (0.0, 0.0);
    for [x, z] in places::borders(ground, 400) {
        for i in 0..20 {
            let p = [x + 37.0 * f64::from(i), z - 23.0 * f64::from(i)];
            gradient = f64::max(gradient, gradient_error(&field, p));
            let sum: f32 = ground.lands().weights(p).iter().sum();
            weight = f64::max(weight, f64::from((sum - 1.0).abs()));
        }
    }
    report.add("border_gradient_error", gradient);
    report.add("border_weight_error", weight);
}

/// By difference quotients of the fourth order.
fn gradient_error(field: &dyn Field<2>, p: [f64; 2]) -> f64 {
    let gradient = field.sample(p).gradient.map(f64::from);
    let errors = [0, 1].map(|k| {
        let along = |h: f64| {
            let at = |h: f64| {
                let mut p = p;
                p[k] += h;
                f64::from(field.value(p))
            };
            (at(h) - at(-h)) / (2.0 * h)
        };
        gradient[k] - (4.0 * along(STEP) - along(2.0 * STEP)) / 3.0
    });
    errors[0].hypot(errors[1]) / (1.0 + gradient[0].hypot(gradient[1]))
}
