//! Which cells are blocked by the ground: holes, slopes, steps and deep water.

use bevy_orogeny::GroundQuery;
use bevy_orogeny::orogeny::{Grid, Samples};
use bevy_orogeny::slices::Pace;

use super::banks::Banks;
use super::closer::Closer;
use super::grid::Margins;
use super::water::surfaces;
use crate::agent::NavigationAgent;
use crate::key::TileKey;

/// The ground of a tile and its margins.
pub struct Survey {
    /// Whether each cell is blocked by the ground itself.
    pub blocked: Vec<bool>,
    /// The height at each corner of a cell, in metres.
    pub heights: Vec<f32>,
}

/// Surveys a tile and its margins.
///
/// A cell is walkable if all four corners are: if the exact field has a height there, is no steeper
/// than the limit, and lies no deeper under water than the agent wades. Nor may it rise more
/// between two corners than a slope at the limit or a step would. What lies between the corners is
/// missed, except in cells at the banks and in the middle of rivers, which are looked at more
/// [closely](super::closer).
pub async fn survey(
    ground: &GroundQuery,
    agent: &NavigationAgent,
    key: TileKey,
    margins: &Margins,
    pace: Pace,
) -> Survey {
    let (side, size) = (margins.side(), agent.cell_size);
    let origin = key.corner(size).map(|at| at - margins.sampled as f64 * size);
    let grid = Grid::new(origin, size, [side + 1; 2]);
    let mut samples = Samples::new();
    pace.sample_grid(&**ground.height_field(), &grid, &mut samples).await;
    pace.turn().await;
    let banks = Banks::new(ground, &grid);
    let heights = samples.values();
    let surfaces = surfaces(ground, &grid, heights, &banks, agent.wade_depth, pace).await;
    pace.turn().await;
    let test = Test { agent, size, step: agent.step_height };
    let mut blocked = test.cells(&samples, [side; 2], |i, _| surfaces.get(i).copied());
    let heights = samples.values().to_vec();
    if banks.is_near() {
        let closer = Closer { ground, agent, grid: &grid, banks: &banks, surfaces: &surfaces };
        closer.look(&mut samples, &mut blocked, pace).await;
    }
    Survey { blocked, heights }
}

/// What blocks square cells between sampled points.
pub struct Test<'a> {
    pub agent: &'a NavigationAgent,
    /// The width of a cell in metres.
    pub size: f64,
    /// The height of a step that may be between two points, in metres.
    pub step: f64,
}

impl Test<'_> {
    /// Whether each cell is blocked. `water` returns the height of the water at a point, from its
    /// index and its column and row.
    pub fn cells(
        &self,
        samples: &Samples<2>,
        [columns, rows]: [usize; 2],
        water: impl Fn(usize, [usize; 2]) -> Option<f64>,
    ) -> Vec<bool> {
        let steepest = self.agent.steepest();
        let corners = columns + 1;
        let height = |i: usize| f64::from(samples.values()[i]);
        let stands = |i: usize| {
            let slope = [0, 1].map(|axis| f64::from(samples.derivatives(axis)[i]));
            let water = water(i, [i % corners, i / corners]);
            // False for NaN, too.
            height(i).is_finite()
                && slope[0].hypot(slope[1]) <= steepest
                && water.is_none_or(|water| water - height(i) <= self.agent.wade_depth)
        };
        let stands: Vec<bool> = (0..corners * (rows + 1)).map(stands).collect();
        // Heights are rounded.
        let rise = |run: f64| self.step.max(steepest * run) + 1e-3 * self.size;
        let (straight, diagonal) = (rise(self.size), rise(self.size * std::f64::consts::SQRT_2));
        let is_blocked = |(x, z): (usize, usize)| {
            let i = z * corners + x;
            let [a, b, c, d] = [i, i + 1, i + corners, i + corners + 1];
            let climbs = |from, to, most| (height(from) - height(to)).abs() <= most;
            !([a, b, c, d].into_iter().all(|i| stands[i])
                && [(a, b), (c, d), (a, c), (b, d)]
                    .into_iter()
                    .all(|(p, q)| climbs(p, q, straight))
                && climbs(a, d, diagonal)
                && climbs(b, c, diagonal))
        };
        (0..rows).flat_map(|z| (0..columns).map(move |x| (x, z))).map(is_blocked).collect()
    }
}
