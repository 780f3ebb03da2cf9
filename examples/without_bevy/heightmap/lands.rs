//! The weights of lands, and their colours.

use orogeny::node::MAX_LANDS;
use orogeny::{Grid, Landscape};
use rayon::prelude::*;

use crate::failure::Failure;
use crate::weights::quantised;

/// The weight of each land.
type Weights = [f32; MAX_LANDS];
/// The same in parts of 255.
pub type LandBytes = [u8; MAX_LANDS];

/// Checks that there are lands to export.
///
/// # Errors
/// A recipe without lands.
pub fn check(preset: &str, field: &Landscape) -> Result<(), Failure> {
    if field.lands().lands().is_empty() {
        let problem = format!("{preset} has no lands; of the presets, world has");
        return Err(Failure::request("--kind lands", problem));
    }
    Ok(())
}

/// The weights at each point of a grid, on all cores. They add up to 1, or are all 0 where a field
/// that decides has no value.
pub fn weights(field: &Landscape, grid: &Grid<2>) -> Vec<Weights> {
    let of_part = |part: Grid<2>| {
        let mut weights = Vec::with_capacity(part.len());
        field.lands().each_weights(&part, |_, here| weights.push(here));
        weights
    };
    let parts: Vec<_> = grid.bands(rayon::current_num_threads()).collect();
    parts.into_par_iter().flat_map_iter(of_part).collect()
}

/// Weights in parts of 255, and their sums: NaN instead of 0.
pub fn bytes(weights: &[Weights]) -> (Vec<LandBytes>, Vec<f32>) {
    let of = |weights: &Weights| {
        let sum: f32 = weights.iter().sum();
        (quantised(weights), if sum > 0.0 { sum } else { f32::NAN })
    };
    weights.par_iter().map(of).unzip()
}
