//! The slopes that the normals of coarse levels leave out, which roughen what they show.

use orogeny::{Grid, Samples};

use crate::chunk::height_field::{HeightField, band};
use crate::chunk::key::{Layout, MAX_LOD};
use crate::slices::Pace;

/// From this spacing on, all levels leave out about the same, in metres.
const LAST: f64 = 1024.0;
/// Points along each side of a tile.
const POINTS: usize = 8;
/// The tiles that are sampled.
const TILES: u64 = 24;
/// How far points are apart in metres, or a little more: about as far as the vertices of a level.
const APART: f64 = 256.0;

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
        let tiles: Vec<_> = (0..TILES).map(|tile| tile_grid(layout, tile, around)).collect();
        let mut all = Vec::new();
        for tile in &tiles {
            pace.turn().await;
            let mut samples = Samples::new();
            pace.sample_grid(field, tile, &mut samples).await;
            all.push(samples);
        }
        let (mut variances, mut left) = (Vec::new(), Samples::new());
        for lod in 0..=level(layout, LAST) {
            let Some(smooth) = band(field, layout, lod) else {
                variances.push(0.0);
                continue;
            };
            let mut mean = Mean::default();
            for (tile, all) in tiles.iter().zip(&all) {
                pace.turn().await;
                pace.sample_grid(&*smooth, tile, &mut left).await;
                mean.add(all, &left);
            }
            variances.push(mean.sum / f64::from(mean.count.max(1)));
        }
        Self(variances)
    }

    /// The variance of a level in (m/m)^2.
    pub fn of(&self, lod: u8) -> f64 {
        let last = self.0.len().saturating_sub(1);
        self.0.get(usize::from(lod).min(last)).copied().unwrap_or(0.0)
    }
}

/// The finest level whose vertices are so many metres apart.
fn level(layout: &Layout, metres: f64) -> u8 {
    (0..MAX_LOD).find(|&lod| layout.spacing(lod) >= metres).unwrap_or(MAX_LOD)
}

/// The mean square, along an axis, of the slopes that band-limiting removes.
#[derive(Default)]
struct Mean {
    sum: f64,
    count: u32,
}

impl Mean {
    fn add(&mut self, all: &Samples<2>, left: &Samples<2>) {
        for (all, left) in all.iter().zip(left.iter()) {
            let [x, z] = (all - left).gradient.map(f64::from);
            let square = 0.5 * (x * x + z * z);
            if square.is_finite() {
                (self.sum, self.count) = (self.sum + square, self.count + 1);
            }
        }
    }
}

/// The grid of a tile. Tiles lie within 64 km of a point, or within 16 of their widths if that is
/// farther. Half of them are spread evenly, the others more densely near it.
fn tile_grid(layout: &Layout, tile: u64, around: [f64; 2]) -> Grid<2> {
    let spacing = layout.spacing(level(layout, APART));
    let width = spacing * POINTS as f64;
    let reach = (64_000.0 / width).max(16.0);
    // The R2 sequence (Martin Roberts, 2018) spreads any number of points evenly.
    let step = |part: f64| ((tile + 1) as f64 * part).fract() * 2.0 - 1.0;
    let near = |at: f64| if tile.is_multiple_of(2) { at } else { at * at * at };
    let parts = [0.754_877_666_246_692_8, 0.569_840_290_998_053_2];
    let origin = [0, 1]
        .map(|k| ((around[k] / width).floor() + (near(step(parts[k])) * reach).floor()) * width);
    Grid::new(origin, spacing, [POINTS; 2])
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
