//! The surfaces of water.

use bevy_orogeny::GroundQuery;
use bevy_orogeny::orogeny::Grid;

use super::banks::Banks;

/// The height of the water over each point of a grid, in metres; below the ground where it is dry.
/// Empty if there is none. As [`GroundQuery::water`], but with heights that are known.
pub fn surfaces(ground: &GroundQuery, grid: &Grid<2>, heights: &[f32], banks: &Banks) -> Vec<f64> {
    let mut surfaces: Vec<f64> = Vec::new();
    let mut raise = |i: usize, to: f64| {
        surfaces.resize(heights.len(), f64::NEG_INFINITY);
        surfaces[i] = surfaces[i].max(to);
    };
    if let Some(level) = ground.appearance().sea_level {
        for i in (0..heights.len()).filter(|&i| heights[i] < level) {
            raise(i, level.into());
        }
    }
    let mut flooding = Vec::new();
    ground.edits().flooding_grid(grid, &mut flooding);
    for (i, flood) in flooding.iter().enumerate() {
        if let Some(flood) = flood {
            raise(i, flood.level);
        }
    }
    if let Some(rivers) = ground.rivers() {
        for i in banks.wet() {
            let [nx, _] = grid.size;
            let position = [grid.coordinate(0, i % nx), grid.coordinate(1, i / nx)];
            if let Some(water) = rivers.water(position) {
                raise(i, water.surface);
            }
        }
    }
    surfaces
}
