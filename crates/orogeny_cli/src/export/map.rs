//! Maps for people: the colours of lands or heights, lit from the top left, with water. Rivers are
//! lines as wide as the water, but at least a pixel wide.

use std::ops;

use orogeny::drainage::{Drainage, RiverReach, Water, WaterKind};
use orogeny::{
    Field, Grid, Landscape, ParallelField, Recipe, Region, Sample, Samples, SharedField,
};
use rayon::prelude::*;

use crate::export::about::Range;
use crate::export::band::facing;
use crate::export::tiles::position;
use crate::export::weights::land_weights;

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

/// The distance in pixels between the finest rivers that are drawn. Nearer ones would cover the
/// map.
const APART: f64 = 2.0;
/// The strength of a line whose water is as wide as a pixel. At a strength of 1 a line is opaque.
const STRENGTH: f64 = 8.0;
/// Weaker lines are left out.
const FAINTEST: f64 = 0.04;
/// The side of the squares that are searched for rivers, in distances between rivers.
const SQUARE: f64 = 16.0;
/// How far around a band rivers are searched, in the same unit: reaches are shorter.
const AROUND: f64 = 2.0;
/// Rows that a thread draws at a time.
const ROWS: usize = 16;
/// The ratio of the distances between rivers of two levels.
const RATIO: f64 = 4.0;

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
        // With the valleys of the rivers that are drawn. Nearer ones would make noise of the
        // picture, and each pixel would need a river network of its own.
        let sparse = field.sparse(APART * spacing);
        let widest = field.rivers().map(|rivers| rivers.widest());
        Self {
            field,
            has_shapes: widest.is_some_and(|widest| widest >= SHAPED * spacing),
            seen: sparse.or_else(|| field.band_limited(spacing)),
            sea: field.appearance().sea_level,
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
            let weights = land_weights(self.field, grid);
            let colours = weights.par_iter().map(|here| self.field.lands().colour(here));
            band.lands = colours.collect();
        }
        if let Some(lines) = &self.lines {
            band.lines = lines.draw(grid);
        }
        if self.has_shapes {
            let depth = |index: usize| match self.field.water(position(grid, index)) {
                Some(Water { kind: WaterKind::Lake | WaterKind::River, depth, .. }) => depth as f32,
                _ => 0.0,
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

/// The rivers of a map.
struct RiverLines {
    /// With the rivers that are drawn.
    landscape: Landscape,
    /// The distance between the finest of these in metres.
    apart: f64,
    /// The largest width of water in metres.
    widest: f64,
}

impl RiverLines {
    /// The rivers for pixels of a spacing; `None` if all are nearer each other than a map can show.
    fn new(recipe: &Recipe, field: &Landscape, spacing: f64) -> Option<Self> {
        let drainage = recipe.rivers.as_ref()?;
        let levels = drainage.levels.ceil() as i32;
        let apart = |count: i32| drainage.spacing / RATIO.powi(count - 1);
        let drawn = (1..=levels).rev().find(|&count| apart(count) >= APART * spacing)?;
        // Large rivers have the same course without small ones.
        let landscape = if drawn == levels {
            field.clone()
        } else {
            let rivers = Some(Drainage { levels: drawn.into(), ..drainage.clone() });
            Recipe { rivers, ..recipe.clone() }.build().ok()?
        };
        Some(Self { landscape, apart: apart(drawn), widest: field.rivers()?.widest() })
    }

    /// How much of each pixel is a river, 0 to 1.
    fn draw(&self, grid: &Grid<2>) -> Vec<f32> {
        let lines = self.lines(grid);
        let width = grid.size[0];
        let mut cover = vec![0.0; grid.len()];
        cover.par_chunks_mut(ROWS * width).enumerate().for_each(|(k, out)| {
            let rows = k * ROWS..k * ROWS + out.len() / width;
            lines.iter().for_each(|line| line.draw(grid, rows.clone(), out));
        });
        cover
    }

    /// The lines that reach pixels of a grid.
    fn lines(&self, grid: &Grid<2>) -> Vec<Line> {
        let Some(rivers) = self.landscape.rivers() else { return Vec::new() };
        let margin = AROUND * self.apart + self.widest + grid.spacing[0];
        let side = SQUARE * self.apart;
        let ends = [0, 1].map(|k| {
            let [first, last] = [0, grid.size[k] - 1].map(|index| grid.coordinate(k, index));
            [first - margin, last + margin].map(|x| (x / side).floor())
        });
        let counts = ends.map(|[first, last]| (last - first) as usize + 1);
        let square = |index: usize| {
            let at = [index % counts[0], index / counts[0]];
            let corner = |more: usize| [0, 1].map(|k| (ends[k][0] + (at[k] + more) as f64) * side);
            let mut lines = Vec::new();
            let keep = |reach| lines.extend(Line::new(&reach, self.widest, grid));
            // Beyond the domain there are none.
            let _ = rivers.each_reach(Region { min: corner(0), max: corner(1) }, keep);
            lines
        };
        (0..counts[0] * counts[1]).into_par_iter().flat_map_iter(square).collect()
    }
}

/// A straight part of a river.
struct Line {
    /// In metres.
    ends: [[f64; 2]; 2],
    /// Half of the width in pixels at both ends.
    radius: [f64; 2],
    /// The opacity at both ends.
    strength: [f64; 2],
    /// The pixels that it may cover.
    columns: ops::Range<usize>,
    rows: ops::Range<usize>,
}

impl Line {
    /// The line of a reach, if it can be seen on a grid.
    fn new(reach: &RiverReach, widest: f64, grid: &Grid<2>) -> Option<Self> {
        let spacing = grid.spacing[0];
        let widths = reach.width.map(|width| width.min(widest) / spacing);
        let strength = widths.map(|width| (STRENGTH * width).min(1.0));
        let radius = widths.map(|width| 0.5 * width.max(1.0));
        if strength[0].max(strength[1]) < FAINTEST {
            return None;
        }
        let beyond = radius[0].max(radius[1]) + 1.0;
        let [columns, rows] = [0, 1].map(|k| {
            let ends = reach.ends.map(|end| (end[k] - grid.coordinate(k, 0)) / spacing);
            let [first, last] = [ends[0].min(ends[1]) - beyond, ends[0].max(ends[1]) + beyond];
            // A negative index becomes 0.
            first as usize..((last + 1.0) as usize).min(grid.size[k])
        });
        let is_seen = !columns.is_empty() && !rows.is_empty();
        is_seen.then_some(Self { ends: reach.ends, radius, strength, columns, rows })
    }

    /// Draws it over some rows of a grid.
    fn draw(&self, grid: &Grid<2>, rows: ops::Range<usize>, out: &mut [f32]) {
        for row in self.rows.start.max(rows.start)..self.rows.end.min(rows.end) {
            for column in self.columns.clone() {
                let p = [grid.coordinate(0, column), grid.coordinate(1, row)];
                let cover = &mut out[(row - rows.start) * grid.size[0] + column];
                *cover = cover.max(self.cover(p, grid.spacing[0]) as f32);
            }
        }
    }

    /// How much of the pixel at a position it covers.
    fn cover(&self, p: [f64; 2], spacing: f64) -> f64 {
        let [a, b] = self.ends;
        let along = [b[0] - a[0], b[1] - a[1]];
        let from = [p[0] - a[0], p[1] - a[1]];
        let square = along[0] * along[0] + along[1] * along[1];
        let t = if square > 0.0 { (along[0] * from[0] + along[1] * from[1]) / square } else { 0.0 };
        let t = t.clamp(0.0, 1.0);
        let distance = (from[0] - t * along[0]).hypot(from[1] - t * along[1]) / spacing;
        let mix = |[a, b]: [f64; 2]| a + t * (b - a);
        mix(self.strength) * (mix(self.radius) + 0.5 - distance).clamp(0.0, 1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn far_ground_has_no_valleys_nearer_each_other_than_the_rivers_that_are_drawn() {
        let (recipe, field) = crate::recipes::read("world").unwrap();
        for (spacing, apart) in [(300.0, 1600.0), (1600.0, 6400.0)] {
            let map = MapGround::new(&recipe, &field, spacing);
            assert_eq!(map.lines.unwrap().apart, apart);
            // Without rivers, and octaves, finer than two pixels.
            let [ground, expected] =
                [map.seen, field.smoothed(APART * spacing)].map(Option::unwrap);
            for k in 0..50 {
                let p = [1234.5 * f64::from(k), 321.0 * f64::from(k)];
                assert_eq!(ground.sample(p), expected.sample(p), "{spacing} {p:?}");
            }
        }
    }

    #[test]
    fn far_pixels_show_large_rivers() {
        let (recipe, field) = crate::recipes::read("world").unwrap();
        // The finest rivers are 400 m apart.
        let lines = RiverLines::new(&recipe, &field, 900.0).unwrap();
        let cover = lines.draw(&Grid::new([0.0; 2], 900.0, [60, 40]));
        let count = |from: f32| cover.iter().filter(|&&cover| cover >= from).count();
        assert!(count(0.3) > 20 && count(0.1) < 1200, "{} {}", count(0.3), count(0.1));
        assert!(RiverLines::new(&recipe, &field, 9000.0).is_none());
    }
}
