//! How far the points of a grid are from the banks of rivers and lakes.

use bevy_orogeny::GroundQuery;
use bevy_orogeny::orogeny::Grid;

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
