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
        in_parts(grid.len(), out, |first, most, out| {
            field.sample_grid(&part(grid, first, most), out);
        })
        .await;
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
    in_parts(points.len(), out, |first, most, out| {
        let left = &points[first..];
        field.sample_points(&left[..most.min(left.len())], out);
    })
    .await;
}

/// The part of a grid from a point on, of at most so many points: whole rows, or a piece of one.
fn part(grid: &Grid<2>, first: usize, most: usize) -> Grid<2> {
    let [width, rows] = grid.size;
    let [column, row] = [first % width, first / width];
    if column == 0 && most >= width {
        grid.part([0, row], [width, (most / width).min(rows - row)])
    } else {
        grid.part([column, row], [most.min(width - column), 1])
    }
}

/// Samples so many points, with turns between parts that fill a slice each. `sample` samples some
/// from a point on, at least one and at most so many.
async fn in_parts(
    count: usize,
    out: &mut Samples<2>,
    sample: impl Fn(usize, usize, &mut Samples<2>),
) {
    let mut samples: Vec<Sample<2>> = Vec::with_capacity(count);
    let mut most = FIRST;
    while samples.len() < count {
        turn().await;
        let begun = Instant::now();
        sample(samples.len(), most, out);
        let each = begun.elapsed().as_secs_f64() / out.len() as f64;
        let fits = (SLICE.as_secs_f64() / each.max(1e-8)) as usize;
        // The next points may take longer than these did.
        most = fits.clamp(1, 4 * most);
        samples.extend(out.iter());
    }
    out.write(samples);
    turn().await;
}

#[cfg(test)]
mod tests {
    use bevy_tasks::block_on;
    use orogeny::Node;

    use super::*;

    /// Whatever the sizes of the parts, the samples are those of the whole, bit by bit.
    #[test]
    fn parts_are_those_of_the_whole() {
        let field = Node::<2>::noise(5).fbm(4).frequency(0.01).build().unwrap();
        let (mut whole, mut parts) = (Samples::new(), Samples::new());
        for size in [[1, 1], [9, 1], [1, 9], [37, 23], [16, 16], [17, 40]] {
            let grid = Grid::new([1e9 + 3.0, -7.0], 1.7, size);
            field.sample_grid(&grid, &mut whole);
            let expected: Vec<_> = whole.iter().collect();
            for most in [1, 5, 16, 17, 40, 5000] {
                let sample = |first: usize, _: usize, out: &mut Samples<2>| {
                    let part = part(&grid, first, most);
                    assert!(part.len() <= most);
                    field.sample_grid(&part, out);
                };
                block_on(in_parts(grid.len(), &mut parts, sample));
                assert_eq!(parts.iter().collect::<Vec<_>>(), expected, "{size:?} by {most}");
            }
        }
        block_on(in_parts(0, &mut parts, |_, _, _| unreachable!("there is no point")));
        assert_eq!(parts.iter().count(), 0);
    }
}
