//! Measures a field: samples tiles near the origin and far from it, and compares levels.

use orogeny::{Grid, Samples, SharedField};

use crate::chunk::height_field::{HeightField, band, sparse};
use crate::chunk::key::Layout;
use crate::slices::Pace;

/// The coarsest level that is measured.
pub(super) const LAST: u8 = 16;
/// Cells along each side of a tile.
const CELLS: usize = 8;
/// Sampled points along each side of a cell.
const FINER: usize = 4;
/// The tiles of most levels.
const TILES: u64 = 24;
/// The first level whose points lie so far from each other that each takes as long as many near
/// each other would. It is measured without features that are smaller than [`FINEST`] of its
/// spacing: they are small beside its errors.
const SPARSE: u8 = 12;
const FINEST: f64 = 1.0 / 32.0;
/// The level whose spacing is the largest distance between points at which slopes are measured.
const DENSE: u8 = 8;
/// The fraction of points, over the distances at which a level is used, whose error is at most the
/// measured one.
const QUANTILE: f64 = 0.99;
/// The golden ratio. Its multiples modulo 1 are evenly distributed.
const GOLDEN: f64 = 0.618_033_988_749_894_9;

/// The error of each level up to [`LAST`], in metres, and the minimum and maximum of the sampled
/// heights.
pub(super) async fn errors(
    field: &dyn HeightField,
    layout: &Layout,
    pace: Pace,
) -> (Vec<f64>, Option<[f64; 2]>) {
    let [mut samples, mut vertices] = [(); 2].map(|()| Samples::values_only());
    let (mut errors, mut finer_errors) = (Vec::new(), Vec::new());
    let mut sampled = None;
    let mut measured = vec![0.0; usize::from(LAST) + 1];
    // A grid has the vertices of its level and those of the next finer one.
    for lod in (0..=LAST).step_by(2) {
        errors.clear();
        finer_errors.clear();
        let spacing = layout.spacing(lod);
        let coarse = (lod >= SPARSE).then(|| field.smoothed(FINEST * spacing)).flatten();
        let [own, finer] = [lod, lod.saturating_sub(1)].map(|lod| sparse(field, layout, lod));
        for tile in 0..tiles(lod) {
            pace.turn().await;
            let grid = tile_grid(layout, lod, tile);
            match &coarse {
                Some(coarse) => pace.sample_grid(&**coarse, &grid, &mut samples).await,
                None => pace.sample_grid(field, &grid, &mut samples).await,
            }
            let heights = samples.values();
            let mut compare = |ground: &Option<SharedField<2>>, stride, errors: &mut Vec<f64>| {
                let drawn = vertices_of(ground, &grid, stride, &mut vertices);
                let width = spacing * stride as f64 / FINER as f64;
                gaps(heights, drawn, stride, |gap| errors.push(gap.along_normal(width)));
            };
            compare(&own, FINER, &mut errors);
            compare(&finer, FINER / 2, &mut finer_errors);
            let heights = samples.values().iter().map(|&height| f64::from(height));
            for height in heights.filter(|height| height.is_finite()) {
                let [low, high] = sampled.unwrap_or([height; 2]);
                sampled = Some([low.min(height), high.max(height)]);
            }
        }
        measured[usize::from(lod)] = seen_error(&mut errors);
        if lod > 0 {
            measured[usize::from(lod) - 1] = seen_error(&mut finer_errors);
        }
    }
    (measured, sampled)
}

/// For each level up to [`LAST`], the variance along each axis of the slopes that its normals leave
/// out.
pub(super) async fn slope_variances(
    field: &dyn HeightField,
    layout: &Layout,
    pace: Pace,
) -> Vec<f64> {
    let mut variances = Vec::new();
    for lod in 0..=LAST {
        variances.push(slope_variance(field, layout, lod, pace).await);
    }
    variances
}

/// The tiles of a level. Those of coarse levels are so large that each shows all kinds of ground.
fn tiles(lod: u8) -> u64 {
    if lod < SPARSE { TILES } else { TILES / 4 }
}

/// The grid of a tile. Tiles lie within 64 km of the origin, or within 256 of their widths if that
/// is farther. Half of them are spread evenly, the others more densely near the origin.
fn tile_grid(layout: &Layout, lod: u8, tile: u64) -> Grid<2> {
    let spacing = layout.spacing(lod);
    let width = spacing * CELLS as f64;
    let reach = (64_000.0 / width).max(256.0);
    // The R2 sequence (Martin Roberts, 2018) spreads any number of points evenly.
    let step = |part: f64| ((tile + 1) as f64 * part + f64::from(lod) * 0.31).fract() * 2.0 - 1.0;
    let near = |at: f64| if tile.is_multiple_of(2) { at } else { at * at * at };
    let origin = [step(0.754_877_666_246_692_8), step(0.569_840_290_998_053_2)]
        .map(|at| (near(at) * reach).floor() * width);
    let side = CELLS * FINER + 1;
    Grid::new(origin, spacing / FINER as f64, [side, side])
}

/// The gap between the ground and a triangle, at a point.
#[derive(Clone, Copy, Debug)]
struct Gap {
    /// The vertical distance between the two, in metres.
    vertical: f64,
    /// How far the triangle rises along x and z over the width of a cell, in metres.
    rise: [f64; 2],
}

impl Gap {
    /// The distance of the ground from the plane of the triangle, in metres, for cells of a width
    /// in metres: vertical / sqrt(1 + slope^2).
    fn along_normal(self, width: f64) -> f64 {
        let [x, z] = self.rise.map(|rise| rise / width);
        self.vertical / (1.0 + x * x + z * z).sqrt()
    }
}

/// The heights of a level's own ground at every `stride`-th point of a square grid. `None` if that
/// is the field.
fn vertices_of<'a>(
    ground: &Option<SharedField<2>>,
    grid: &Grid<2>,
    stride: usize,
    out: &'a mut Samples<2>,
) -> Option<&'a [f32]> {
    let spacing = grid.spacing.map(|spacing| spacing * stride as f64);
    let size = grid.size.map(|side| (side - 1) / stride + 1);
    ground.as_ref()?.sample_grid(&Grid { spacing, size, ..*grid }, out);
    Some(out.values())
}

/// Visits the gaps between all points of a square grid and the triangles over every `stride`-th
/// point, which have the heights of `vertices` there, or those of the points. Cells are split like
/// those of chunks. Gaps that are not finite are left out.
fn gaps(heights: &[f32], vertices: Option<&[f32]>, stride: usize, mut visit: impl FnMut(Gap)) {
    let side = heights.len().isqrt();
    let vertices_side = (side - 1) / stride + 1;
    let at = |x: usize, z: usize| f64::from(heights[z * side + x]);
    let vertex = |x: usize, z: usize| match vertices {
        Some(vertices) => f64::from(vertices[z / stride * vertices_side + x / stride]),
        None => at(x, z),
    };
    for z in 0..side - 1 {
        for x in 0..side - 1 {
            let corner = [x, z].map(|i| i - i % stride);
            let [u, v] = [x % stride, z % stride].map(|i| i as f64 / stride as f64);
            let [a, b, c, d] = [(0, 0), (stride, 0), (0, stride), (stride, stride)]
                .map(|(dx, dz)| vertex(corner[0] + dx, corner[1] + dz));
            // The diagonal runs from a to d.
            let rise = if u > v { [b - a, d - b] } else { [d - c, c - a] };
            let vertical = (at(x, z) - (a + rise[0] * u + rise[1] * v)).abs();
            if vertical.is_finite() {
                visit(Gap { vertical, rise });
            }
        }
    }
}

/// The error of a level whose points have the given distances from its triangles.
///
/// A level is used from the distance D at which its error is as large as allowed, up to about 2 D:
/// errors roughly double from level to level. A point that is seen from 2^u D looks 2^u times
/// smaller. So the error is the quantile of distance / 2^u, where u is evenly distributed over
/// 0 to 1. Reorders the distances.
fn seen_error(distances: &mut [f64]) -> f64 {
    for (index, distance) in distances.iter_mut().enumerate() {
        *distance /= (index as f64 * GOLDEN).fract().exp2();
    }
    quantile(distances, QUANTILE)
}

/// The mean square, along an axis, of the slopes that band-limiting removes at a level's vertices.
async fn slope_variance(field: &dyn HeightField, layout: &Layout, lod: u8, pace: Pace) -> f64 {
    let Some(smooth) = band(field, layout, lod) else { return 0.0 };
    let [mut all, mut left] = [Samples::new(), Samples::new()];
    let (mut sum, mut count) = (0.0, 0u32);
    for tile in 0..TILES {
        pace.turn().await;
        let grid = Grid {
            // Slopes are the same at any distance from each other. Points that are near each other
            // take less time.
            spacing: [layout.spacing(lod.min(DENSE)); 2],
            size: [CELLS, CELLS],
            ..tile_grid(layout, lod, tile)
        };
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

fn quantile(values: &mut [f64], part: f64) -> f64 {
    if values.is_empty() {
        return 0.0;
    }
    let index = ((values.len() - 1) as f64 * part).ceil() as usize;
    *values.select_nth_unstable_by(index, f64::total_cmp).1
}

#[cfg(test)]
mod tests {
    use super::*;
    use orogeny::{Bounds, Field, Sample};

    /// x^2 + z^2, whose curvature is 2 in every direction.
    struct Bowl;
    impl Field<2> for Bowl {
        fn sample(&self, [x, z]: [f64; 2]) -> Sample<2> {
            Sample { value: (x * x + z * z) as f32, gradient: [2.0 * x as f32, 2.0 * z as f32] }
        }
        fn bounds(&self) -> Bounds {
            Bounds { curvature: 2.0, ..Bounds::UNKNOWN }
        }
    }

    #[test]
    fn the_proven_error_is_reached_by_a_bowl() {
        let side = 4 * CELLS + 1;
        let grid = Grid::new([-4.0, -4.0], 0.25, [side, side]);
        let mut samples = Samples::new();
        Bowl.sample_grid(&grid, &mut samples);
        let mut largest = 0f64;
        gaps(samples.values(), None, FINER, |gap| largest = largest.max(gap.vertical));
        // At the middle of the diagonal: 2 (1/2)^2.
        assert!((largest - Bowl.interpolation_error(1.0)).abs() < 1e-6, "{largest}");
        assert!((Bowl.interpolation_error(1.0) - 0.5).abs() < 1e-12);
    }

    /// Ground of gradient (2, 1), with every other vertex of the fine grid raised by 3 m.
    #[test]
    fn errors_are_measured_along_the_normal() {
        let side = 2 * FINER + 1;
        let heights: Vec<f32> = (0..side * side)
            .map(|i| {
                let (x, z) = (i % side, i / side);
                let raised = if x % FINER == 1 { 3.0 } else { 0.0 };
                2.0 * x as f32 + z as f32 + raised
            })
            .collect();
        let (mut found, mut raised) = (0, 0);
        gaps(&heights, None, FINER, |gap| {
            found += 1;
            let distance = gap.along_normal(FINER as f64);
            assert!(distance.abs() < 1e-9 || (distance - 3.0 / 6f64.sqrt()).abs() < 1e-9);
            raised += usize::from(distance > 1.0);
        });
        assert_eq!((found, raised), (4 * FINER * FINER, 4 * FINER));
    }

    /// Flat ground at 1 m, drawn by vertices that rise by 1 m from column to column.
    #[test]
    fn gaps_are_measured_to_the_vertices_that_are_drawn() {
        let side = 2 * FINER + 1;
        let drawn: Vec<f32> = (0..9).map(|i| (i % 3) as f32).collect();
        let mut found = 0;
        gaps(&vec![1.0; side * side], Some(&drawn), FINER, |gap| {
            let column = found % (2 * FINER);
            let expected = (1.0 - column as f64 / FINER as f64).abs();
            assert!((gap.vertical - expected).abs() < 1e-9, "{found}: {}", gap.vertical);
            found += 1;
        });
        assert_eq!(found, 4 * FINER * FINER);
    }

    /// Of distances that are all 1, seen from D to 2 D, the quantile is 2^-u for u = 0.01.
    #[test]
    fn errors_hold_over_the_distances_at_which_a_level_is_used() {
        let error = seen_error(&mut [1.0; 10_000]);
        assert!((error - (QUANTILE - 1.0).exp2()).abs() < 1e-3, "{error}");
    }
}
