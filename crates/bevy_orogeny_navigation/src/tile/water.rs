//! The surfaces of water.

use bevy_orogeny::GroundQuery;
use bevy_orogeny::orogeny::Grid;
use bevy_orogeny::slices::Pace;

use super::banks::{Banks, IN_BED};

/// Points along each side of a block.
const BLOCK: usize = 10;
/// How far the surface of a river may fall within a block, in metres.
const FALL: f64 = 0.25;

/// The height of the water over each point of a grid, in metres; below the ground where it is dry.
/// Empty if there is none. As [`GroundQuery::water`], but with heights that are known.
///
/// A query of a river takes microseconds, so it is left out in the middle of water: a block whose
/// corners are under water that is deeper than `wade_depth` everywhere, even if its surface falls,
/// gets one surface.
pub async fn surfaces(
    ground: &GroundQuery,
    grid: &Grid<2>,
    heights: &[f32],
    banks: &Banks,
    wade_depth: f64,
    pace: Pace,
) -> Vec<f64> {
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
    if let Some(rivers) = ground.rivers().filter(|_| banks.is_near()) {
        let [nx, nz] = grid.size;
        let at = |x: usize, z: usize| {
            let i = z * nx + x;
            let position = [grid.coordinate(0, x), grid.coordinate(1, z)];
            let water = banks.is_wet(i).then(|| rivers.water(position)).flatten();
            water.map_or(f64::NEG_INFINITY, |water| water.surface)
        };
        for (x, z) in blocks(nx).flat_map(|x| blocks(nz).map(move |z| (x, z))) {
            pace.turn().await;
            let [x1, z1] = [(x + BLOCK).min(nx), (z + BLOCK).min(nz)];
            let points = || (z..z1).flat_map(|z| (x..x1).map(move |x| (x, z)));
            let corners = [(x, z), (x1 - 1, z), (x, z1 - 1), (x1 - 1, z1 - 1)];
            let low = corners.map(|(x, z)| at(x, z)).into_iter().fold(f64::INFINITY, f64::min);
            let low = low - FALL;
            let is_deep = |(x, z)| low - f64::from(heights[z * nx + x]) > wade_depth;
            let is_all_deep = points().all(is_deep);
            for (x, z) in points() {
                raise(z * nx + x, if is_all_deep { low } else { at(x, z) });
            }
        }
    }
    surfaces
}

/// The height of the water of rivers over each point of a grid, in metres; minus infinity beside
/// their beds. Empty if there are none.
pub fn beds(ground: &GroundQuery, grid: &Grid<2>) -> Vec<f64> {
    let Some(rivers) = ground.rivers() else { return Vec::new() };
    let mut wet = Vec::new();
    rivers.bank_distances(grid, IN_BED, |i, _| wet.push(i));
    let mut surfaces = Vec::new();
    for i in wet {
        let position = [grid.coordinate(0, i % grid.size[0]), grid.coordinate(1, i / grid.size[0])];
        if let Some(water) = rivers.water(position) {
            surfaces.resize(grid.len(), f64::NEG_INFINITY);
            surfaces[i] = water.surface;
        }
    }
    surfaces
}

/// The first point of each block along an axis.
fn blocks(points: usize) -> impl Iterator<Item = usize> {
    (0..points).step_by(BLOCK)
}
