//! Samples the exact ground of a tile with its water, and looks more closely at the banks and the
//! beds of rivers.

use bevy_orogeny::GroundQuery;
use bevy_orogeny::advanced::slices::Pace;
use bevy_orogeny::orogeny::{Grid, Samples};

use super::walkable::Margins;
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
/// closely.
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

/// How far beyond the bank of a river cells may be looked at more closely, in metres: channels are
/// steep there, and the bed may lie between the points of the grid.
const BEYOND: f64 = 4.0;
/// The largest distance from the bank in the bed, in metres. There is water in beds alone; this is
/// more than rounding moves their banks.
pub const IN_BED: f64 = 1e-3;

/// In the middle of a bed the slope of the distance is less than this, or it changes by more than
/// [`BEND`] within a cell. Elsewhere it is 1.
const FLAT: f64 = 0.6;
const BEND: f64 = 0.2;

/// A bed between the corners of a cell changes the slope or bends it by more than this, unless it
/// is narrower than a fiftieth of a cell.
const HIDDEN: f64 = 0.02;

/// The points near rivers.
pub struct Banks {
    /// The distance of each point from the bank in metres, negative in the bed; infinite far from
    /// all rivers. Empty if all are.
    distances: Vec<f64>,
}

impl Banks {
    /// Those of the points of a grid.
    pub fn new(ground: &GroundQuery, grid: &Grid<2>) -> Self {
        let mut distances = Vec::new();
        if let Some(rivers) = ground.rivers() {
            rivers.bank_distances(grid, BEYOND, |i, distance| {
                distances.resize(grid.len(), f64::INFINITY);
                distances[i] = distance;
            });
        }
        Self { distances }
    }

    /// Whether there is a river at all.
    pub fn is_near(&self) -> bool {
        !self.distances.is_empty()
    }

    /// Whether there may be water of a river at a point.
    pub fn is_wet(&self, i: usize) -> bool {
        self.distances.get(i).is_some_and(|distance| *distance <= IN_BED)
    }

    /// Whether a bed may lie between the corners of a cell of a width. Beside a river the distance
    /// grows evenly at a slope of 1. If a bed lies between the corners, it grows to both sides.
    pub fn may_hide_bed(&self, corners: &[usize; 4], size: f64) -> bool {
        let distances = corners.map(|i| self.distances.get(i).copied().unwrap_or(f64::INFINITY));
        // No point is farther from all corners than half a diagonal.
        let is_near = distances.iter().any(|distance| *distance <= 0.75 * size);
        let (bend, slope) = bend_and_slope(distances, size);
        is_near && !(bend < HIDDEN && slope > 1.0 - HIDDEN)
    }

    /// Whether each cell, `side` in each row and of a width, should be looked at more closely: at
    /// a bank, where channels are steep, and in the middle of a bed, where two beds may meet in a
    /// groove. Empty if none should.
    pub fn closer(&self, side: usize, size: f64) -> Vec<bool> {
        let corners = side + 1;
        let cell = |cell: usize| {
            let i = cell / side * corners + cell % side;
            let [a, b, c, d] = [i, i + 1, i + corners, i + corners + 1].map(|i| self.distances[i]);
            if [a, b, c, d].into_iter().any(|distance| distance.abs() < 2.0 * size) {
                return true;
            }
            // The distance grows evenly away from a bank, up to the middle.
            let (bend, slope) = bend_and_slope([a, b, c, d], size);
            a < 0.0 && (bend > BEND || slope < FLAT)
        };
        let count = if self.distances.is_empty() { 0 } else { side * side };
        let found: Vec<bool> = (0..count).map(cell).collect();
        let grown = |cell: usize| {
            let (x, z) = (cell % side, cell / side);
            let rows = z.saturating_sub(1)..=(z + 1).min(side - 1);
            let columns = x.saturating_sub(1)..=(x + 1).min(side - 1);
            rows.into_iter().any(|z| columns.clone().any(|x| found[z * side + x]))
        };
        (0..count).map(grown).collect()
    }
}

/// By how much the slope of the distance changes across a cell, and its mean.
fn bend_and_slope([a, b, c, d]: [f64; 4], size: f64) -> (f64, f64) {
    let [x, z] = [b - a + d - c, c - a + d - b].map(|rise| 0.5 * rise / size);
    ((b - a - (d - c)).abs() / size, x.hypot(z))
}

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
