//! How far the points of a grid are from the banks of rivers and lakes.

use bevy_orogeny::GroundQuery;
use bevy_orogeny::orogeny::Grid;

/// How far beyond the bank of a river there may be water, in metres: the detail of the ground can
/// lower it there.
const BEYOND: f64 = 4.0;

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
        self.distances.get(i).is_some_and(|distance| *distance <= BEYOND)
    }

    /// Whether each cell, `side` in each row, has a corner in a river or nearer to its bank than
    /// `within` metres. Empty if none has.
    pub fn cells(&self, side: usize, within: f64) -> Vec<bool> {
        let corners = side + 1;
        let is_near = |cell: usize| {
            let i = cell / side * corners + cell % side;
            let all = [i, i + 1, i + corners, i + corners + 1];
            all.into_iter().any(|i| self.distances[i] < within)
        };
        let count = if self.distances.is_empty() { 0 } else { side * side };
        (0..count).map(is_near).collect()
    }
}
