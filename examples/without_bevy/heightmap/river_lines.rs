//! Rivers on maps: lines as wide as the water, but at least a pixel wide.

use std::ops::Range;

use orogeny::drainage::{Drainage, RiverReach};
use orogeny::{Grid, Landscape, Recipe, Region};
use rayon::prelude::*;

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

/// The rivers of a map.
pub struct RiverLines {
    /// With the rivers that are drawn.
    landscape: Landscape,
    /// The distance between the finest of these in metres.
    apart: f64,
    /// The largest width of water in metres.
    widest: f64,
}

impl RiverLines {
    /// The rivers for pixels of a spacing; `None` if all are nearer each other than a map can show.
    pub fn new(recipe: &Recipe, field: &Landscape, spacing: f64) -> Option<Self> {
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
    pub fn draw(&self, grid: &Grid<2>) -> Vec<f32> {
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
    columns: Range<usize>,
    rows: Range<usize>,
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
    fn draw(&self, grid: &Grid<2>, rows: Range<usize>, out: &mut [f32]) {
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
