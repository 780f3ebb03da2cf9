//! Which cells are blocked by the ground: holes, slopes, steps and deep water.

use bevy_orogeny::GroundQuery;
use bevy_orogeny::orogeny::{Field, Grid, Samples};

use super::banks::Banks;
use super::grid::Margins;
use super::water::surfaces;
use crate::agent::NavigationAgent;
use crate::key::TileKey;

/// Parts of a cell along each side that are looked at more closely: the bed of a river may have
/// grooves that are some centimetres wide.
const PARTS: usize = 8;

/// Whether each cell of a tile and its margins is blocked by the ground itself.
///
/// A cell is walkable if all four corners are: if the exact field has a height there, is no steeper
/// than the limit, and lies no deeper under water than the agent wades. Nor may it rise more
/// between two corners than a slope at the limit or a step would. Cells at the banks and in the
/// middle of rivers are looked at more closely.
pub fn blocked(
    ground: &GroundQuery,
    agent: &NavigationAgent,
    key: TileKey,
    margins: &Margins,
) -> Vec<bool> {
    let (side, size) = (margins.side(), agent.cell_size);
    let origin = key.corner(size).map(|at| at - margins.sampled as f64 * size);
    let grid = Grid::new(origin, size, [side + 1; 2]);
    let banks = Banks::new(ground, &grid);
    let mut samples = Samples::new();
    ground.height_field().sample_grid(&grid, &mut samples);
    let surfaces = surfaces(ground, &grid, samples.values(), &banks, agent.wade_depth);
    let test = Test { agent, size, step: agent.step_height };
    let mut blocked = test.cells(&samples, [side; 2], |i, _| surfaces.get(i).copied());
    let is_near = banks.closer(side, size);
    let is_closer =
        |cell: usize, blocked: &[bool]| is_near.get(cell) == Some(&true) && !blocked[cell];
    let mut cell = 0;
    while cell < blocked.len() {
        let (x, z) = (cell % side, cell / side);
        let run = (x..side).take_while(|x| is_closer(z * side + x, &blocked)).count();
        if run > 0 {
            let origin = [grid.coordinate(0, x), grid.coordinate(1, z)];
            let parts = [PARTS * run, PARTS];
            let fine = Grid::new(origin, size / PARTS as f64, parts.map(|parts| parts + 1));
            ground.height_field().sample_grid(&fine, &mut samples);
            // The highest water at the corners of the cell.
            let water = |_, [column, _]: [usize; 2]| {
                let i = z * (side + 1) + x + (column / PARTS).min(run - 1);
                let corners = [i, i + 1, i + side + 1, i + side + 2];
                corners.iter().filter_map(|i| surfaces.get(*i).copied()).reduce(f64::max)
            };
            let test = Test { agent, size: size / PARTS as f64, step: 0.0 };
            let found = test.cells(&samples, parts, water);
            for (i, _) in found.iter().enumerate().filter(|(_, is_blocked)| **is_blocked) {
                blocked[cell + i % parts[0] / PARTS] = true;
            }
        }
        cell += run.max(1);
    }
    blocked
}

/// What blocks square cells between sampled points.
struct Test<'a> {
    agent: &'a NavigationAgent,
    /// The width of a cell in metres.
    size: f64,
    /// The height of a step that may be between two points, in metres.
    step: f64,
}

impl Test<'_> {
    /// Whether each cell is blocked. `water` returns the height of the water at a point, from its
    /// index and its column and row.
    fn cells(
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
