//! The weights of the layers of cover and of lands, as bytes that add up to 255.

use orogeny::climate::ClimatePoint;
use orogeny::cover::{CoverPoint, Painting};
use orogeny::node::MAX_LANDS;
use orogeny::{Cover, Field, Grid, Landscape, ParallelField, Sample, Samples, SharedField};
use rayon::prelude::*;

use crate::cli::Failure;

/// The weights of all layers at a point.
type Weights = [f32; Cover::MAX_LAYERS];
/// The same in parts of 255.
pub type Bytes = [u8; Cover::MAX_LAYERS];

/// Cover over ground.
pub struct CoverGround<'a> {
    field: &'a Landscape,
    /// The ground without detail finer than the scale of cover.
    smooth: SharedField<2>,
}

impl<'a> CoverGround<'a> {
    /// Cover over a terrain.
    pub fn new(field: &'a Landscape) -> Self {
        let smooth = field.band_limited(CoverPoint::SCALE);
        Self { field, smooth: smooth.unwrap_or_else(|| field.field().clone()) }
    }

    /// The ground without detail finer than the scale of cover.
    pub fn smooth(&self) -> &SharedField<2> {
        &self.smooth
    }

    /// The weight of each layer at each point of a grid, on all cores.
    pub fn weights(&self, grid: &Grid<2>, slopes: &mut Slopes, out: &mut Vec<Bytes>) {
        slopes.evaluate(&*self.smooth, grid);
        out.resize(grid.len(), [0; Cover::MAX_LAYERS]);
        // Large parts: each looks up the rivers around it.
        let width = grid.size[0];
        let rows = grid.size[1].div_ceil(rayon::current_num_threads());
        let parts = out.par_chunks_mut(rows * width).enumerate();
        parts.for_each(|(k, out)| {
            let part = grid.part([0, k * rows], [width, out.len() / width]);
            self.weights_of_part(&part, k * rows * width, slopes, out);
        });
    }

    /// The weights of a part of the grid, whose first point has an index in the whole grid.
    fn weights_of_part(&self, part: &Grid<2>, first: usize, slopes: &Slopes, out: &mut [Bytes]) {
        let (mut banks, mut paint) = (Vec::new(), Vec::new());
        let (cover, climates) = (&self.field.appearance().cover, self.field.climate());
        self.field.edits().painting_grid(part, &mut paint);
        if let Some(rivers) = self.field.rivers().filter(|_| cover.has_banks()) {
            banks.resize(part.len(), f64::INFINITY);
            let reach = cover.bank_reach();
            rivers.bank_distances(part, reach, |index, distance| banks[index] = distance);
        }
        for ((index, position), out) in part.points().enumerate().zip(out) {
            let (point, ground) = slopes.point(first + index, position);
            let climate = climates.at(position, &ground);
            let bank = banks.get(index).copied().unwrap_or(f64::INFINITY);
            let climates = [climate, climates.in_season(climate)];
            let painting = paint.get(index).copied().unwrap_or_default();
            *out = quantised(&weights(cover, &point, climates, bank, &painting));
        }
    }
}

/// The weights at a point, in its mean climate and that of the season, at a distance from the banks
/// of rivers and lakes, with what is painted there.
fn weights(
    cover: &Cover,
    point: &CoverPoint,
    [mean, season]: [ClimatePoint; 2],
    bank: f64,
    painting: &Painting,
) -> Weights {
    let within = |climate| CoverPoint { climate, ..*point };
    let above = cover.weights(&within(season));
    cover.banks(&within(mean), bank).under(painting).over(above, cover.layers.len())
}

/// The ground at the points of a grid, and its slopes around each, from which curvature follows.
pub struct Slopes {
    here: Samples<2>,
    /// At a smaller x, a larger x, a smaller z and a larger z.
    around: [Samples<2>; 4],
}

impl Default for Slopes {
    fn default() -> Self {
        Self { here: Samples::new(), around: std::array::from_fn(|_| Samples::new()) }
    }
}

impl Slopes {
    fn evaluate(&mut self, smooth: &(dyn Field<2> + Send + Sync), grid: &Grid<2>) {
        smooth.par_sample_grid(grid, &mut self.here);
        let offsets = [[-1.0, 0.0], [1.0, 0.0], [0.0, -1.0], [0.0, 1.0]];
        for (offset, samples) in offsets.into_iter().zip(&mut self.around) {
            let origin = [0, 1].map(|k| grid.origin[k] + offset[k] * CoverPoint::SCALE);
            smooth.par_sample_grid(&Grid { origin, ..*grid }, samples);
        }
    }

    /// A point without its climate, and the ground there.
    fn point(&self, index: usize, position: [f64; 2]) -> (CoverPoint, Sample<2>) {
        let sample = self.here.get(index);
        let [x, z] = sample.gradient;
        let [left, right, top, bottom] = self.around.each_ref().map(|it| it.get(index).gradient);
        let bends = (right[0] - left[0]) + (bottom[1] - top[1]);
        let curvature = bends * (4.0 * CoverPoint::SCALE).recip() as f32;
        let (height, slope) = (sample.value, (x * x + z * z).sqrt());
        (CoverPoint { height, slope, curvature, position, ..CoverPoint::default() }, sample)
    }
}

/// The weight of each land.
type LandWeights = [f32; MAX_LANDS];
/// The same in parts of 255.
pub type LandBytes = [u8; MAX_LANDS];

/// Checks that there are lands to export.
pub fn check_lands(preset: &str, field: &Landscape) -> Result<(), Failure> {
    if field.lands().lands().is_empty() {
        let problem = format!("{preset} has no lands; of the presets, world has");
        return Err(Failure::request("--kind lands", problem));
    }
    Ok(())
}

/// The weights at each point of a grid, on all cores. They add up to 1, or are all 0 where a field
/// that decides has no value.
pub fn land_weights(field: &Landscape, grid: &Grid<2>) -> Vec<LandWeights> {
    let of_part = |part: Grid<2>| {
        let mut weights = Vec::with_capacity(part.len());
        field.lands().each_weights(&part, |_, here| weights.push(here));
        weights
    };
    let parts: Vec<_> = grid.bands(rayon::current_num_threads()).collect();
    parts.into_par_iter().flat_map_iter(of_part).collect()
}

/// Weights in parts of 255, and their sums: NaN instead of 0.
pub fn land_bytes(weights: &[LandWeights]) -> (Vec<LandBytes>, Vec<f32>) {
    let of = |weights: &LandWeights| {
        let sum: f32 = weights.iter().sum();
        (quantised(weights), if sum > 0.0 { sum } else { f32::NAN })
    };
    weights.par_iter().map(of).unzip()
}

/// Bytes in proportion to the weights that add up to 255: each is rounded down, and those with the
/// largest remainders are then rounded up. So each differs by less than 1 from its exact value.
fn quantised<const N: usize>(weights: &[f32; N]) -> [u8; N] {
    let sum: f32 = weights.iter().sum();
    let exact = weights.map(|weight| 255.0 * weight / sum);
    let mut bytes = exact.map(|part| part as u8);
    let rest = 255 - bytes.iter().map(|&byte| usize::from(byte)).sum::<usize>().min(255);
    let mut order: [usize; N] = std::array::from_fn(|k| k);
    order.sort_by(|&a, &b| exact[b].fract().total_cmp(&exact[a].fract()));
    for &k in order.iter().take(rest) {
        bytes[k] += 1;
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_add_up_to_255_and_are_close() {
        let mut state = 1u32;
        for _ in 0..10_000 {
            let raw: [f32; 16] = std::array::from_fn(|_| {
                state = state.wrapping_mul(747_796_405).wrapping_add(2_891_336_453);
                (state >> 16) as f32 * if state & 0x300 == 0 { 1.0 } else { 0.0 }
            });
            let sum: f32 = raw.iter().sum();
            if sum == 0.0 {
                continue;
            }
            let weights = raw.map(|weight| weight / sum);
            let bytes = quantised(&weights);
            assert_eq!(bytes.iter().map(|&byte| u32::from(byte)).sum::<u32>(), 255);
            for (byte, weight) in bytes.into_iter().zip(weights) {
                assert!((f32::from(byte) - 255.0 * weight).abs() < 1.001, "{weights:?} {bytes:?}");
            }
        }
    }

    #[test]
    fn one_layer_has_all_the_weight() {
        let mut weights = [0.0; 16];
        weights[3] = 0.999_999_9;
        let mut expected = [0; 16];
        expected[3] = 255;
        assert_eq!(quantised(&weights), expected);
    }
}
