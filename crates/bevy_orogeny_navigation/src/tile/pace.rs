//! Work that is done at once or in turns.

use bevy_orogeny::orogeny::scatter::{Placement, ScatterKind};
use bevy_orogeny::orogeny::{Grid, Region, Samples};
use bevy_orogeny::{GroundQuery, slices};

/// Whether work waits for turns between its steps. In a browser tasks share a thread with the
/// frames, so they work for some milliseconds at a time; elsewhere turns come at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pace {
    /// For work that somebody waits for.
    AtOnce,
    /// For tasks.
    InTurns,
}

impl Pace {
    /// Waits for a turn, if the work is done in turns.
    #[cfg_attr(target_family = "wasm", track_caller)]
    pub fn turn(self) -> impl Future<Output = ()> + Send {
        let turn = if self == Self::InTurns { Some(slices::turn()) } else { None };
        async {
            if let Some(turn) = turn {
                turn.await;
            }
        }
    }

    /// Samples a grid of the ground.
    pub async fn sample_grid(self, ground: &GroundQuery, grid: &Grid<2>, out: &mut Samples<2>) {
        let field = ground.height_field();
        match self {
            Self::AtOnce => field.sample_grid(grid, out),
            Self::InTurns => slices::sample_grid(&**field, grid, out).await,
        }
    }

    /// Evaluates the ground of a region for queries of solid things there that follow. Elsewhere
    /// than in a browser they do it themselves.
    pub async fn warm_up(self, placement: &Placement, region: Region) {
        if !cfg!(target_family = "wasm") || self == Self::AtOnce {
            return;
        }
        // Queries tell what is wrong with a region.
        for () in placement.warm_up(region, ScatterKind::is_solid).into_iter().flatten() {
            slices::turn().await;
        }
    }
}
