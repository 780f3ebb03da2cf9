//! Maps for people: the colours of lands or heights, lit from the top left, with water.

use orogeny::drainage::{Water, WaterKind};
use orogeny::{Field, Grid, Landscape, ParallelField, Recipe, Sample, Samples, SharedField};
use rayon::prelude::*;

use crate::lands;
use crate::pixel::facing;
use crate::river_lines::RiverLines;
use crate::tally::Range;

/// Colours of heights, from the lowest to the highest.
const HEIGHTS: [[f32; 3]; 5] = [
    [0.20, 0.33, 0.22],
    [0.42, 0.49, 0.27],
    [0.62, 0.55, 0.38],
    [0.58, 0.52, 0.48],
    [0.97, 0.97, 0.99],
];
/// Shallow and deep water.
const WATER: [[f32; 3]; 2] = [[0.25, 0.48, 0.66], [0.06, 0.16, 0.36]];
/// The depth in metres from which on water is darkest.
const DEEP: f32 = 400.0;
/// The brightness of ground that faces away from the light.
const AMBIENT: f32 = 0.25;
/// The brightness that the light adds to ground that faces it.
const LIGHT: f32 = 0.95;

/// A map shows rivers and lakes in their shape if the widest are at least as many pixels wide.
const SHAPED: f64 = 2.0;

/// The ground of a map.
pub struct MapGround<'a> {
    field: &'a Landscape,
    /// The ground with the slopes that the spacing can show.
    seen: Option<SharedField<2>>,
    /// Whether pixels show rivers and lakes in their true shape.
    has_shapes: bool,
    sea: Option<f32>,
    lines: Option<RiverLines>,
}

/// What a map shows over the ground of a band.
#[derive(Default)]
pub struct MapBand {
    /// The mean colour of the lands at each pixel; empty without lands.
    lands: Vec<[f32; 3]>,
    /// How much of each pixel is a line of a river; empty without such lines.
    lines: Vec<f32>,
    /// The depth of rivers and lakes at each pixel, 0 where there are none; empty if the spacing
    /// does not show them.
    depths: Vec<f32>,
}

impl<'a> MapGround<'a> {
    /// A map with pixels of a spacing.
    pub fn new(recipe: &Recipe, field: &'a Landscape, spacing: f64) -> Self {
        // Points far from each other would each need a river network of their own.
        let sparse = field.sparse(spacing);
        let widest = field.rivers().map(|rivers| rivers.widest());
        Self {
            field,
            has_shapes: widest.is_some_and(|widest| widest >= SHAPED * spacing),
            seen: sparse.or_else(|| field.band_limited(spacing)),
            sea: recipe.sea_level,
            lines: RiverLines::new(recipe, field, spacing),
        }
    }

    /// Evaluates the ground.
    pub fn sample(&self, grid: &Grid<2>, samples: &mut Samples<2>) {
        match &self.seen {
            Some(seen) => seen.par_sample_grid(grid, samples),
            None => self.field.par_sample_grid(grid, samples),
        }
    }

    /// Evaluates all else.
    pub fn band(&self, grid: &Grid<2>) -> MapBand {
        let mut band = MapBand::default();
        if !self.field.lands().lands().is_empty() {
            let weights = lands::weights(self.field, grid);
            let colours = weights.par_iter().map(|here| self.field.lands().colour(here));
            band.lands = colours.collect();
        }
        if let Some(lines) = &self.lines {
            band.lines = lines.draw(grid);
        }
        if self.has_shapes {
            let width = grid.size[0];
            let depth = |index: usize| {
                let p = [grid.coordinate(0, index % width), grid.coordinate(1, index / width)];
                match self.field.water(p) {
                    Some(Water { kind: WaterKind::Lake | WaterKind::River, depth, .. }) => {
                        depth as f32
                    }
                    _ => 0.0,
                }
            };
            band.depths = (0..grid.len()).into_par_iter().map(depth).collect();
        }
        band
    }

    /// The heights at the ends of the ramp of colours, given the extremes: those of the land.
    pub fn ramp(&self, extremes: Range) -> Range {
        let sea = self.sea.map_or(f64::NEG_INFINITY, f64::from);
        Range { lo: extremes.lo.max(sea), hi: extremes.hi.max(sea) }
    }

    /// The colour of a pixel, with the range of the ramp of colours.
    pub fn pixel(&self, band: &MapBand, index: usize, sample: &Sample<2>, range: Range) -> [u8; 3] {
        let at = |parts: &[f32]| parts.get(index).copied().unwrap_or_default();
        let sea = self.sea.map_or(0.0, |level| level - sample.value);
        let depth = sea.max(at(&band.depths));
        let colour = if depth > 0.0 {
            ramp(&WATER, (depth / DEEP).sqrt())
        } else {
            let of_heights = || ramp(&HEIGHTS, range.part(sample.value) as f32);
            let ground = band.lands.get(index).copied().unwrap_or_else(of_heights);
            let light = AMBIENT + LIGHT * facing(sample).max(0.0) as f32;
            mix(ground.map(|part| (light * part).min(1.0)), WATER[0], at(&band.lines))
        };
        colour.map(|part| (255.0 * part).round() as u8)
    }
}

/// The colour at a part, 0 to 1, of a ramp.
fn ramp(colours: &[[f32; 3]], part: f32) -> [f32; 3] {
    let at = part.clamp(0.0, 1.0) * (colours.len() - 1) as f32;
    let first = (at as usize).min(colours.len() - 2);
    mix(colours[first], colours[first + 1], at - first as f32)
}

fn mix(a: [f32; 3], b: [f32; 3], part: f32) -> [f32; 3] {
    [0, 1, 2].map(|k| a[k] + part * (b[k] - a[k]))
}
