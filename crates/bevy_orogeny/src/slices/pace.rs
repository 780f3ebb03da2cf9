//! Work that is done at once or in turns.

use orogeny::{Field, Grid, Samples};

use super::turn;

/// How many parts a grid is sampled in where tasks share a thread with the frames.
const BANDS: usize = 8;

/// Whether work waits for turns between its steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pace {
    /// For work that somebody waits for.
    AtOnce,
    /// For tasks.
    InTurns,
}

impl Pace {
    /// Waits for a turn, if the work is done in turns.
    pub async fn turn(self) {
        if self == Self::InTurns {
            turn().await;
        }
    }
}

/// Samples a grid. In a browser turns are awaited between its parts, whose samples are those of the
/// whole grid bit by bit.
pub(crate) async fn sample_grid(
    field: &(impl Field<2> + Sync + ?Sized),
    grid: &Grid<2>,
    out: &mut Samples<2>,
    pace: Pace,
) {
    if !cfg!(target_family = "wasm") || pace == Pace::AtOnce {
        return field.sample_grid(grid, out);
    }
    let mut samples = Vec::with_capacity(grid.len());
    for band in grid.bands(BANDS) {
        turn().await;
        field.sample_grid(&band, out);
        samples.extend(out.iter());
    }
    out.write(samples);
    turn().await;
}
