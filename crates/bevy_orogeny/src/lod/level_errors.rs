//! How far the triangles of each level of detail are from the field: measured on samples of it, and
//! proven from its bounds.

use orogeny::{Grid, Samples};

use crate::chunk::height_field::{HeightField, band};
use crate::chunk::key::{Layout, MAX_LOD};

/// The coarsest level that is measured.
const LAST: u8 = 16;
/// Cells along the side of a sample.
const CELLS: usize = 8;
/// Points measured along each side of a cell.
const FINER: usize = 4;
/// Samples of a level.
const TILES: u64 = 24;
/// The part of all points that are no farther from the triangles than the measured error.
const QUANTILE: f64 = 0.99;

/// The errors of the levels: the vertical distance in metres between the field and the triangles
/// whose vertices lie on it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LevelErrors {
    measured: Vec<f64>,
    proven: Vec<f64>,
    /// For each level, the variance along each axis of the slopes that its normals leave out.
    slope_variance: Vec<f64>,
    /// The least and the greatest height that was met.
    met: Option<[f64; 2]>,
    /// The height that is proven to be the greatest, where one is.
    bound: Option<f64>,
}

impl LevelErrors {
    /// Measures a field.
    ///
    /// Of each level up to 16, 24 places are sampled, near the origin and far from it, at two or
    /// four times the density of its vertices. The measured error is what 99 of 100 points keep; it
    /// is never above the proven one. Some 240,000 points of the field are evaluated: a task for
    /// another thread.
    pub fn measure(field: &dyn HeightField, layout: &Layout) -> Self {
        let proven: Vec<f64> =
            (0..=MAX_LOD).map(|lod| field.interpolation_error(layout.spacing(lod))).collect();
        let mut samples = Samples::values_only();
        let (mut errors, mut finer_errors) = (Vec::new(), Vec::new());
        let mut met = None;
        let mut measured = vec![0.0; usize::from(LAST) + 1];
        // A grid has the vertices of its level, and of the next finer one.
        for lod in (0..=LAST).step_by(2) {
            errors.clear();
            finer_errors.clear();
            for tile in 0..TILES {
                field.sample_grid(&sample_grid(layout, lod, tile), &mut samples);
                triangle_errors(samples.values(), FINER, &mut errors);
                triangle_errors(samples.values(), FINER / 2, &mut finer_errors);
                let heights = samples.values().iter().map(|&height| f64::from(height));
                for height in heights.filter(|height| height.is_finite()) {
                    let [low, high] = met.unwrap_or([height; 2]);
                    met = Some([low.min(height), high.max(height)]);
                }
            }
            measured[usize::from(lod)] = quantile(&mut errors, QUANTILE);
            if lod > 0 {
                measured[usize::from(lod) - 1] = quantile(&mut finer_errors, QUANTILE);
            }
        }
        let slope_variance = (0..=LAST).map(|lod| slope_variance(field, layout, lod)).collect();
        for (error, proven) in measured.iter_mut().zip(&proven) {
            *error = error.min(*proven);
        }
        Self {
            measured,
            proven,
            slope_variance,
            met,
            bound: Some(field.bounds().max).filter(|max| max.is_finite()),
        }
    }

    /// Errors that double from level to level, from `finest` on: for tests.
    #[cfg(test)]
    pub(crate) fn growing(finest: f64) -> Self {
        let measured: Vec<f64> = (0..=LAST).map(|lod| finest * f64::from(lod).exp2()).collect();
        let proven = (0..=MAX_LOD).map(|lod| 2.0 * finest * f64::from(lod).exp2()).collect();
        let slope_variance = Vec::new();
        Self { measured, proven, slope_variance, met: Some([0.0; 2]), bound: Some(0.0) }
    }

    /// The error of a level in metres that 99 of 100 points keep; 0 before it was measured. Levels
    /// beyond the last one measured are taken to double it each time, as on a slope.
    pub fn measured(&self, lod: u8) -> f64 {
        let beyond = f64::from(lod.saturating_sub(LAST));
        let error = self.measured.get(usize::from(lod.min(LAST))).copied().unwrap_or(0.0);
        (error * beyond.exp2()).min(self.proven(lod))
    }

    /// The variance, along each axis, of the slopes that the normals of a level leave out, in
    /// squares of metres per metre.
    pub fn slope_variance(&self, lod: u8) -> f64 {
        let level = usize::from(lod.min(LAST));
        self.slope_variance.get(level).copied().unwrap_or(0.0)
    }

    /// The error of a level in metres that no point exceeds; infinite where nothing is proven of
    /// the field.
    pub fn proven(&self, lod: u8) -> f64 {
        self.proven.get(usize::from(lod)).copied().unwrap_or(f64::INFINITY)
    }
}

impl LevelErrors {
    /// The error that counts, in metres.
    pub fn of(&self, lod: u8, guarantee: bool) -> f64 {
        if guarantee { self.proven(lod) } else { self.measured(lod) }
    }

    /// A height that the ground hardly exceeds: a quarter of the range of all heights met above the
    /// highest of them; with `guarantee`, one that it is proven not to. Infinite where nothing is
    /// known.
    pub fn highest(&self, guarantee: bool) -> f64 {
        let bound = self.bound.unwrap_or(f64::INFINITY);
        match self.met {
            Some([low, high]) if !guarantee => bound.min(high + 0.25 * (high - low)),
            _ => bound,
        }
    }
}

/// The grid of one of a level's samples: its tiles lie within 64 km of the origin, or within 256
/// tiles where those are wider; half of them spread evenly, the others the denser the nearer.
fn sample_grid(layout: &Layout, lod: u8, tile: u64) -> Grid<2> {
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

/// The distances of all points of a square grid from the triangles over every `stride`-th of them,
/// split as chunks are.
fn triangle_errors(heights: &[f32], stride: usize, out: &mut Vec<f64>) {
    let side = heights.len().isqrt();
    let at = |x: usize, z: usize| f64::from(heights[z * side + x]);
    for z in 0..side - 1 {
        for x in 0..side - 1 {
            let corner = [x, z].map(|i| i - i % stride);
            let [u, v] = [x % stride, z % stride].map(|i| i as f64 / stride as f64);
            let [a, b, c, d] = [(0, 0), (stride, 0), (0, stride), (stride, stride)]
                .map(|(dx, dz)| at(corner[0] + dx, corner[1] + dz));
            // The diagonal runs from a to d.
            let plane =
                if u > v { a + (b - a) * u + (d - b) * v } else { a + (c - a) * v + (d - c) * u };
            let error = (at(x, z) - plane).abs();
            if error.is_finite() {
                out.push(error);
            }
        }
    }
}

/// The mean square of the slopes along an axis that band-limiting takes away at a level's vertices.
fn slope_variance(field: &dyn HeightField, layout: &Layout, lod: u8) -> f64 {
    let Some(smooth) = band(field, layout, lod) else { return 0.0 };
    let [mut all, mut left] = [Samples::new(), Samples::new()];
    let (mut sum, mut count) = (0.0, 0u32);
    for tile in 0..TILES {
        let grid = Grid {
            spacing: [layout.spacing(lod); 2],
            size: [CELLS, CELLS],
            ..sample_grid(layout, lod, tile)
        };
        field.sample_grid(&grid, &mut all);
        smooth.sample_grid(&grid, &mut left);
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
        let mut errors = Vec::new();
        triangle_errors(samples.values(), FINER, &mut errors);
        let largest = errors.into_iter().fold(0.0, f64::max);
        // At the middle of the diagonal: 2 (1/2)^2.
        assert!((largest - Bowl.interpolation_error(1.0)).abs() < 1e-6, "{largest}");
        assert!((Bowl.interpolation_error(1.0) - 0.5).abs() < 1e-12);
    }

    #[test]
    fn measured_errors_grow_with_the_spacing_and_stay_below_the_proven_ones() {
        let layout = Layout { cells: 64, spacing: 1.0 };
        let field = crate::Terrain::default().build().unwrap();
        let errors = LevelErrors::measure(&field, &layout);
        for lod in 0..LAST {
            let [this, next] = [lod, lod + 1].map(|lod| errors.measured(lod));
            println!("{lod:>2}: measured {this:.3} m, proven {:.3} m", errors.proven(lod));
            assert!(this <= errors.proven(lod) && this > 0.0);
            assert!(next > this || this > 500.0, "{this} {next}");
        }
        assert_eq!(
            errors.measured(LAST + 1),
            (2.0 * errors.measured(LAST)).min(errors.proven(LAST + 1))
        );
        assert_eq!(LevelErrors::default().measured(3), 0.0);
    }

    /// The variance of a sum of octaves is the sum of those that are left out: of all at a coarse
    /// level, of none at the finest.
    #[test]
    fn slopes_that_normals_leave_out_are_known() {
        use orogeny::{Fractal, GradientNoise, Node};
        let layout = Layout { cells: 64, spacing: 1.0 };
        let octaves = |octaves, frequency, seed| {
            let fbm = Fractal { gain: 0.5, ..Fractal::fbm(octaves, GradientNoise::seeded(seed)) };
            let fbm = Fractal { frequency, amplitude: (0.3 / frequency) as f32, ..fbm };
            LevelErrors::measure(&Node::<2>::from(fbm).build().unwrap(), &layout)
        };
        let one = octaves(1.0, 0.01, 1).slope_variance(10);
        let four = octaves(4.0, 0.01, 2);
        assert!(
            (four.slope_variance(10) / (4.0 * one) - 1.0).abs() < 0.15,
            "{} {one}",
            four.slope_variance(10)
        );
        assert_eq!(four.slope_variance(0), 0.0);
        // The octaves have 100, 50, 25 and 12.5 m; vertices 16 m apart carry the first wholly, and
        // the last not at all.
        let part = four.slope_variance(4) / one;
        assert!((1.0..2.0).contains(&part), "{part}");
    }

    #[test]
    fn a_field_that_nothing_is_known_of_is_measured_only() {
        struct Stairs;
        impl Field<2> for Stairs {
            fn sample(&self, [x, _]: [f64; 2]) -> Sample<2> {
                Sample::constant(if x.fract() == 0.0 { f32::NAN } else { x.floor() as f32 })
            }
        }
        let errors = LevelErrors::measure(&Stairs, &Layout { cells: 8, spacing: 0.5 });
        assert_eq!(errors.proven(0), f64::INFINITY);
        assert!(errors.measured(4).is_finite());
    }
}
