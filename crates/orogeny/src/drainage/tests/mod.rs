//! Tests of networks, of the ground around them, and of their water.

mod ground;
mod network;
mod water;

use alloc::vec::Vec;

use super::Drainage;
use crate::drainage::network::node::Catchment;
use crate::fractal::Fractal;
use crate::node::{Node as Description, Tree};
use crate::noise::GradientNoise;
use crate::region::Region;
use crate::tests::random::Random;

/// Hills and seas of 1,000 m.
fn continents(seed: u64) -> Tree<2> {
    let noise = GradientNoise::seeded(seed);
    let fractal = Fractal { frequency: 1.0 / 60e3, ..Fractal::fbm(3.0, noise) };
    (Description::from(fractal) * 1000.0 + 200.0).build().unwrap()
}

fn drainage(seed: u64) -> Drainage {
    Drainage { seed, levels: 4.0, ..Drainage::default() }
}

/// Slopes that leave some land flat.
fn relief(seed: u64) -> Description {
    let noise = GradientNoise::seeded(seed);
    let fractal = Fractal { frequency: 1.0 / 30e3, ..Fractal::fbm(3.0, noise) };
    Description::from(fractal) * 1.5 + 0.5
}

fn reliefs(seed: u64) -> Tree<2> {
    relief(seed).build().unwrap()
}

/// Calls `run` with land that has flat parts.
fn with_catchment<T>(seed: u64, run: impl FnOnce(&Catchment) -> T) -> T {
    let (heights, reliefs) = (continents(seed), reliefs(seed + 1));
    run(&Catchment { height: &heights, relief: Some(&reliefs), sea_level: 0.0, lakes: 0.3 })
}

/// Squares near the origin and far out.
fn regions(random: &mut Random, size: f64) -> Vec<Region> {
    let mut region = |far: f64| {
        let first = [0; 2].map(|_| random.within(-far, far));
        Region { min: first, max: first.map(|x| x + size) }
    };
    [1e4, 1e5, 1e7, 1e10].map(&mut region).into()
}
