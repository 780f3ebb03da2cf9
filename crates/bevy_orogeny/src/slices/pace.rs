//! Work that is done at once or in turns.

use core::time::Duration;

use bevy_platform::time::Instant;
use orogeny::scatter::{Placement, ScatterKind};
use orogeny::{Field, Grid, Region, Sample, Samples};

use super::turn;

/// How long work should take between two turns.
const SLICE: Duration = Duration::from_millis(2);
/// How many points are sampled first, before it is known how long one takes.
const FIRST: usize = 16;

/// Whether work waits for turns between its steps. Elsewhere than in a browser all come at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pace {
    /// For work that somebody waits for.
    AtOnce,
    /// For tasks that were begun with [`spawn`](super::spawn).
    InTurns,
}

impl Pace {
    /// Waits for a [`turn`], if the work is done in turns.
    #[cfg_attr(target_family = "wasm", track_caller)]
    pub fn turn(self) -> impl Future<Output = ()> + Send {
        let turn = if self == Self::InTurns { Some(turn()) } else { None };
        async {
            if let Some(turn) = turn {
                turn.await;
            }
        }
    }

    /// Samples a grid, bit by bit as [`Field::sample_grid`], but with turns between its parts.
    pub async fn sample_grid(
        self,
        field: &(impl Field<2> + Sync + ?Sized),
        grid: &Grid<2>,
        out: &mut Samples<2>,
    ) {
        if !cfg!(target_family = "wasm") || self == Self::AtOnce {
            return field.sample_grid(grid, out);
        }
        let [width, rows] = grid.size;
        let mut samples: Vec<Sample<2>> = Vec::with_capacity(grid.len());
        let mut size = Size::default();
        while samples.len() < width * rows {
            turn().await;
            let [row, column] = [samples.len() / width, samples.len() % width];
            // Whole rows, or a piece of one.
            let part = if column == 0 && size.points >= width {
                grid.part([0, row], [width, (size.points / width).min(rows - row)])
            } else {
                grid.part([column, row], [size.points.min(width - column), 1])
            };
            size.measure(part.len(), || field.sample_grid(&part, out));
            samples.extend(out.iter());
        }
        out.write(samples);
        turn().await;
    }

    /// Evaluates the ground of a region for queries of some kinds there that follow, which would
    /// otherwise do so at once. See [`Placement::warm_up`].
    pub async fn warm_up(
        self,
        placement: &Placement,
        region: Region,
        is_wanted: impl Fn(&ScatterKind) -> bool,
    ) {
        if !cfg!(target_family = "wasm") || self == Self::AtOnce {
            return;
        }
        // Queries tell what is wrong with a region.
        for () in placement.warm_up(region, is_wanted).into_iter().flatten() {
            turn().await;
        }
    }
}

/// Samples points in a task, as [`Pace::sample_grid`] does a grid.
#[cfg(feature = "plants")]
pub(crate) async fn sample_points(
    field: &(impl Field<2> + Sync + ?Sized),
    points: &[[f64; 2]],
    out: &mut Samples<2>,
) {
    if !cfg!(target_family = "wasm") {
        return field.sample_points(points, out);
    }
    let mut samples: Vec<Sample<2>> = Vec::with_capacity(points.len());
    let mut size = Size::default();
    while samples.len() < points.len() {
        turn().await;
        let left = &points[samples.len()..];
        let part = &left[..size.points.min(left.len())];
        size.measure(part.len(), || field.sample_points(part, out));
        samples.extend(out.iter());
    }
    out.write(samples);
    turn().await;
}

/// How many points are sampled between two turns: as many as fill a slice.
struct Size {
    points: usize,
}

impl Default for Size {
    fn default() -> Self {
        Self { points: FIRST }
    }
}

impl Size {
    /// Works on some points, and fits their number to the time that it took.
    fn measure(&mut self, points: usize, work: impl FnOnce()) {
        let begun = Instant::now();
        work();
        let each = begun.elapsed().as_secs_f64() / points as f64;
        let fits = (SLICE.as_secs_f64() / each.max(1e-8)) as usize;
        // The next points may take longer than these did.
        self.points = fits.clamp(1, 4 * self.points);
    }
}
