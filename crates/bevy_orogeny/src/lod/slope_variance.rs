//! The slopes that the normals of coarse levels leave out, which roughen what they show.

use orogeny::{Grid, Samples};

use crate::chunk::height_field::{HeightField, band};
use crate::chunk::key::Layout;
use crate::slices::Pace;

/// The coarsest level that is measured.
const LAST: u8 = 16;
/// Points along each side of a tile.
const POINTS: usize = 8;
/// The tiles of a level.
const TILES: u64 = 24;
/// The level whose spacing is the largest distance between points of a tile: slopes are the same at
/// any distance from each other, and points that are near each other take less time.
const DENSE: u8 = 8;

/// For each level, the variance along each axis of the slopes that its normals leave out.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SlopeVariances(Vec<f64>);

impl SlopeVariances {
    /// Measures a field around a point, in a task.
    pub async fn measure(
        field: &dyn HeightField,
        layout: &Layout,
        around: [f64; 2],
        pace: Pace,
    ) -> Self {
        let mut variances = Vec::new();
        for lod in 0..=LAST {
            variances.push(variance(field, layout, lod, around, pace).await);
        }
        Self(variances)
    }

    /// The variance of a level in (m/m)^2.
    pub fn of(&self, lod: u8) -> f64 {
        self.0.get(usize::from(lod.min(LAST))).copied().unwrap_or(0.0)
    }
}

/// The mean square, along an axis, of the slopes that band-limiting removes at a level's vertices.
async fn variance(
    field: &dyn HeightField,
    layout: &Layout,
    lod: u8,
    around: [f64; 2],
    pace: Pace,
) -> f64 {
    let Some(smooth) = band(field, layout, lod) else { return 0.0 };
    let [mut all, mut left] = [Samples::new(), Samples::new()];
    let (mut sum, mut count) = (0.0, 0u32);
    for tile in 0..TILES {
        pace.turn().await;
        let grid = tile_grid(layout, lod, tile, around);
        pace.sample_grid(field, &grid, &mut all).await;
        pace.sample_grid(&*smooth, &grid, &mut left).await;
        for (all, left) in all.iter().zip(left.iter()) {
            let [x, z] = (all - left).gradient.map(f64::from);
            let square = 0.5 * (x * x + z * z);
            if square.is_finite() {
                (sum, count) = (sum + square, count + 1);
            }
        }
    }
    sum / f64::from(count.max(1))
}

/// The grid of a tile. Tiles lie within 64 km of a point, or within 256 of their widths if that is
/// farther. Half of them are spread evenly, the others more densely near it.
fn tile_grid(layout: &Layout, lod: u8, tile: u64, around: [f64; 2]) -> Grid<2> {
    let width = layout.spacing(lod) * POINTS as f64;
    let reach = (64_000.0 / width).max(256.0);
    // The R2 sequence (Martin Roberts, 2018) spreads any number of points evenly.
    let step = |part: f64| ((tile + 1) as f64 * part + f64::from(lod) * 0.31).fract() * 2.0 - 1.0;
    let near = |at: f64| if tile.is_multiple_of(2) { at } else { at * at * at };
    let parts = [0.754_877_666_246_692_8, 0.569_840_290_998_053_2];
    let origin = [0, 1]
        .map(|k| ((around[k] / width).floor() + (near(step(parts[k])) * reach).floor()) * width);
    Grid::new(origin, layout.spacing(lod.min(DENSE)), [POINTS; 2])
}

#[cfg(test)]
mod tests {
    use super::*;
    use bevy_tasks::block_on;

    /// The variance of a sum of octaves is the sum of the variances of octaves that are left out:
    /// all of them at a coarse level, none at the finest.
    #[test]
    fn slopes_that_normals_leave_out_are_known() {
        use orogeny::{Fractal, GradientNoise, Node};
        let layout = Layout { cells: 64, spacing: 1.0 };
        let octaves = |octaves, frequency, seed| {
            let fbm = Fractal { gain: 0.5, ..Fractal::fbm(octaves, GradientNoise::seeded(seed)) };
            let fbm = Fractal { frequency, amplitude: (0.3 / frequency) as f32, ..fbm };
            let field = Node::<2>::from(fbm).build().unwrap();
            block_on(SlopeVariances::measure(&field, &layout, [1e6, -3e6], Pace::AtOnce))
        };
        let one = octaves(1.0, 0.01, 1).of(10);
        let four = octaves(4.0, 0.01, 2);
        assert!((four.of(10) / (4.0 * one) - 1.0).abs() < 0.15, "{} {one}", four.of(10));
        assert_eq!(four.of(0), 0.0);
        // The octaves have wavelengths of 100, 50, 25 and 12.5 m. Vertices 16 m apart resolve the
        // first fully, and the last not at all.
        let part = four.of(4) / one;
        assert!((1.0..2.0).contains(&part), "{part}");
    }
}
