//! Looks more closely at the banks and the beds of rivers.

use bevy_orogeny::GroundQuery;
use bevy_orogeny::orogeny::{Grid, Samples};
use bevy_orogeny::slices::Pace;

use super::banks::Banks;
use super::survey::Test;
use super::water::beds;
use crate::agent::NavigationAgent;

/// Parts of a cell along each side that are looked at: the bed of a river may have grooves that are
/// some centimetres wide.
const PARTS: usize = 8;

/// What is known of a grid of cells.
pub struct Closer<'a> {
    pub ground: &'a GroundQuery,
    pub agent: &'a NavigationAgent,
    /// The corners of the cells.
    pub grid: &'a Grid<2>,
    pub banks: &'a Banks,
    /// The height of the water at each corner; empty if there is none.
    pub surfaces: &'a [f64],
}

impl Closer<'_> {
    /// Blocks the cells in which a part is blocked, where there may be a bank or a bed.
    pub async fn look(&self, samples: &mut Samples<2>, blocked: &mut [bool], pace: Pace) {
        let side = self.grid.size[0] - 1;
        let is_near = self.banks.closer(side, self.agent.cell_size);
        for (z, row) in blocked.chunks_mut(side).enumerate() {
            let mut x = 0;
            while x < side {
                let is_looked_at = |x: &usize| is_near[z * side + x] && !row[*x];
                let count = (x..side).take_while(is_looked_at).count();
                if count > 0 {
                    self.look_at_run([x, z], &mut row[x..x + count], samples, pace).await;
                }
                x += count.max(1);
            }
        }
    }

    /// Looks at cells side by side.
    async fn look_at_run(
        &self,
        [x, z]: [usize; 2],
        blocked: &mut [bool],
        samples: &mut Samples<2>,
        pace: Pace,
    ) {
        let count = blocked.len();
        let size = self.agent.cell_size / PARTS as f64;
        let fine = |column: usize, cells: usize| {
            let origin = [self.grid.coordinate(0, column), self.grid.coordinate(1, z)];
            Grid::new(origin, size, [PARTS * cells + 1, PARTS + 1])
        };
        pace.turn().await;
        self.ground.height_field().sample_grid(&fine(x, count), samples);
        // The highest water at the corners of each cell, or that of a river between them.
        let corners = |cell: usize| self.corners([x + cell, z]);
        let at_corners = |cell: usize| {
            corners(cell).iter().filter_map(|i| self.surfaces.get(*i).copied()).reduce(f64::max)
        };
        let high: Vec<Option<f64>> = (0..count).map(at_corners).collect();
        let between: Vec<Vec<f64>> = (0..count)
            .map(|cell| {
                let is_dry = high[cell].is_none_or(|water| water == f64::NEG_INFINITY);
                if is_dry && self.banks.may_hide_bed(&corners(cell), self.agent.cell_size) {
                    beds(self.ground, &fine(x + cell, 1))
                } else {
                    Vec::new()
                }
            })
            .collect();
        let water = |_, [column, row]: [usize; 2]| {
            let cell = (column / PARTS).min(count - 1);
            let here = between[cell].get(row * (PARTS + 1) + column - cell * PARTS);
            here.copied().or(high[cell])
        };
        let test = Test { agent: self.agent, size, step: 0.0 };
        let found = test.cells(samples, [PARTS * count, PARTS], water);
        for (i, _) in found.iter().enumerate().filter(|(_, is_blocked)| **is_blocked) {
            blocked[i % (PARTS * count) / PARTS] = true;
        }
    }

    /// The corners of a cell.
    fn corners(&self, [x, z]: [usize; 2]) -> [usize; 4] {
        let columns = self.grid.size[0];
        let i = z * columns + x;
        [i, i + 1, i + columns, i + columns + 1]
    }
}
