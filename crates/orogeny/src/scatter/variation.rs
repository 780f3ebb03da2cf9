//! Noise in broad patches, for clusters.

use alloc::vec::Vec;

use crate::error::DataError;
use crate::field::Field;
use crate::fractal::Fractal;
use crate::lattice::hash::derive;
use crate::node::Node;
use crate::node::tree::Tree;
use crate::noise::GradientNoise;
use crate::samples::positions::Grid;

/// The sum of octaves is mostly near 0. This factor, with a clamp, spreads it over -1 to 1.
const SPREAD: f32 = 2.5;

/// Noise from -1 to 1.
#[derive(Clone, Debug)]
pub(super) struct Variation(Tree<2>);

impl Variation {
    /// Noise with features of a width in metres. `salt` tells it apart from other noises of the
    /// same seed.
    ///
    /// # Errors
    /// None for a width of 1 to 1e7 m.
    pub fn new(seed: u64, salt: u64, width: f64) -> Result<Self, DataError> {
        let noise = GradientNoise::seeded(derive(seed, salt));
        let fractal = Fractal { frequency: 1.0 / width, ..Fractal::fbm(3.0, noise) };
        Node::from(fractal).build().map(Self)
    }

    /// Its values at the points of a grid.
    pub fn on(&self, grid: &Grid<2>) -> Vec<f32> {
        let mut values = vec![0.0; grid.len()];
        self.0.value_grid(grid, &mut values);
        values.iter_mut().for_each(|value| *value = spread(*value));
        values
    }
}

fn spread(value: f32) -> f32 {
    (SPREAD * value).clamp(-1.0, 1.0)
}
