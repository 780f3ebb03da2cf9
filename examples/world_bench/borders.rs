//! How lands meet: exact gradients, and weights that add up to 1.

use std::collections::BTreeMap;

use orogeny::{Field, Landscape, Node, Recipe};

use crate::{Metric, places};

/// The distance between samples for difference quotients, in metres.
const STEP: f64 = 0.125;

pub fn measure(recipe: &Recipe, ground: &Landscape) -> Vec<Metric> {
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
    vec![
        Metric { name: "border_gradient_error", value: gradient },
        Metric { name: "border_weight_error", value: weight },
    ]
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
