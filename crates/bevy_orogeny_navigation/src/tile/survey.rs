//! Which cells are blocked by the ground: holes, slopes, steps and deep water.

use bevy_orogeny::GroundQuery;
use bevy_orogeny::orogeny::{Field, Grid, Samples};

use super::grid::Margins;
use crate::agent::NavigationAgent;
use crate::key::TileKey;

/// How far beyond the bank of a river there may be water, in metres. The detail of the ground can
/// lower it there.
const BEYOND_BANK: f64 = 4.0;

/// Whether each cell of a tile and its margins is blocked by the ground itself.
///
/// A cell is walkable if all four corners are: if the exact field has a height there, is no steeper
/// than the limit, and lies no deeper under water than the agent wades. Nor may it rise more
/// between two corners than a slope at the limit or a step would.
pub fn blocked(
    ground: &GroundQuery,
    agent: &NavigationAgent,
    key: TileKey,
    margins: &Margins,
) -> Vec<bool> {
    let (side, size) = (margins.side(), agent.cell_size);
    let origin = key.corner(size).map(|at| at - margins.sampled as f64 * size);
    let corners = side + 1;
    let grid = Grid::new(origin, size, [corners; 2]);
    let mut samples = Samples::new();
    ground.height_field().sample_grid(&grid, &mut samples);
    let depths = depths(ground, &grid, samples.values());
    let steepest = agent.steepest();
    let stands = |i: usize| {
        let slope = [0, 1].map(|axis| f64::from(samples.derivatives(axis)[i]));
        // False for NaN, too.
        samples.values()[i].is_finite()
            && slope[0].hypot(slope[1]) <= steepest
            && depths.get(i).is_none_or(|depth| *depth <= agent.wade_depth)
    };
    let stands: Vec<bool> = (0..corners * corners).map(stands).collect();
    let height = |i: usize| f64::from(samples.values()[i]);
    let rise = |run: f64| agent.step_height.max(steepest * run);
    let (straight, diagonal) = (rise(size), rise(size * core::f64::consts::SQRT_2));
    let is_blocked = |(x, z): (usize, usize)| {
        let i = z * corners + x;
        let [a, b, c, d] = [i, i + 1, i + corners, i + corners + 1];
        let climbs = |from, to, most| (height(from) - height(to)).abs() <= most;
        !([a, b, c, d].into_iter().all(|i| stands[i])
            && [(a, b), (c, d), (a, c), (b, d)].into_iter().all(|(p, q)| climbs(p, q, straight))
            && climbs(a, d, diagonal)
            && climbs(b, c, diagonal))
    };
    (0..side).flat_map(|z| (0..side).map(move |x| (x, z))).map(is_blocked).collect()
}

/// The depth of the water over each point of a grid, in metres; not positive where it is dry. Empty
/// if there is none. As [`GroundQuery::water`], but with heights that are known.
fn depths(ground: &GroundQuery, grid: &Grid<2>, heights: &[f32]) -> Vec<f64> {
    let mut surfaces: Vec<f64> = Vec::new();
    let mut raise = |i: usize, to: f64| {
        if surfaces.is_empty() {
            surfaces.resize(heights.len(), f64::NEG_INFINITY);
        }
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
        let mut near = Vec::new();
        rivers.bank_distances(grid, BEYOND_BANK, |i, _| near.push(i));
        for i in near {
            let [nx, _] = grid.size;
            let position = [grid.coordinate(0, i % nx), grid.coordinate(1, i / nx)];
            if let Some(water) = rivers.water(position) {
                raise(i, water.surface);
            }
        }
    }
    surfaces.iter().zip(heights).map(|(surface, height)| surface - f64::from(*height)).collect()
}
