//! A band of rows: what is at all of its pixels.

use orogeny::{Grid, Landscape, ParallelField, Samples, SharedField};
use rayon::prelude::*;

use crate::cover::{Bytes, CoverGround, Slopes};
use crate::lands::{self, LandBytes};
use crate::map::{MapBand, MapGround};
use crate::picture::{Content, Picture};

/// What a band is evaluated from.
pub struct Source<'a> {
    /// The terrain.
    pub field: &'a Landscape,
    /// Its cover.
    pub cover: CoverGround<'a>,
    /// The ground of a map, if pixels show that.
    pub map: Option<MapGround<'a>>,
    /// What the pixels show.
    pub picture: Picture,
}

/// A band. Its buffers are reused.
pub struct Band {
    /// Its pixels.
    pub grid: Grid<2>,
    /// The ground, if pixels depend on it.
    pub samples: Samples<2>,
    /// What a map shows, if pixels show that.
    pub map: MapBand,
    /// What pixels show in numbers, if these are not heights.
    values: Vec<f32>,
    /// The weights of cover and lands in parts of 255, if pixels show them.
    cover: Vec<Bytes>,
    lands: Vec<LandBytes>,
    slopes: Slopes,
    is_survey: bool,
}

impl Band {
    /// An empty band for a picture. A survey only has numbers.
    pub fn new(picture: Picture, is_survey: bool) -> Self {
        let needs_gradient = picture.is_sloped() && !is_survey;
        Self {
            grid: Grid::new([0.0; 2], 1.0, [0; 2]),
            samples: if needs_gradient { Samples::new() } else { Samples::values_only() },
            map: MapBand::default(),
            values: Vec::new(),
            cover: Vec::new(),
            lands: Vec::new(),
            slopes: Slopes::default(),
            is_survey,
        }
    }

    /// Evaluates a band on all cores.
    pub fn evaluate(&mut self, grid: Grid<2>, source: &Source) {
        self.grid = grid;
        let Source { field, cover, map, picture } = source;
        match (picture.content, map) {
            (Content::Temperature, _) => {
                self.values = temperatures(field, cover.smooth(), &grid);
            }
            (Content::Moisture, _) => self.values = moistures(field, &grid),
            (Content::Lands, _) => {
                (self.lands, self.values) = lands::bytes(&lands::weights(field, &grid));
            }
            (Content::Map, Some(map)) => {
                map.sample(&grid, &mut self.samples);
                if !self.is_survey {
                    self.map = map.band(&grid);
                }
            }
            _ => field.par_sample_grid(&grid, &mut self.samples),
        }
        match picture.content {
            Content::Depth => {
                let depth = |index| {
                    let water = field.water(self.position(index));
                    water.map_or(0.0, |water| water.depth as f32)
                };
                self.values = (0..grid.len()).into_par_iter().map(depth).collect();
            }
            Content::Cover | Content::Layer => {
                cover.weights(&grid, &mut self.slopes, &mut self.cover);
            }
            _ => {}
        }
    }

    /// What pixels show in numbers, or else heights. NaN where there is none.
    pub fn values(&self) -> &[f32] {
        if self.values.is_empty() { self.samples.values() } else { &self.values }
    }

    /// The weights at a pixel in parts of 255.
    pub fn weights(&self, index: usize) -> &[u8] {
        if self.lands.is_empty() { &self.cover[index] } else { &self.lands[index] }
    }

    /// The position of a pixel.
    pub fn position(&self, index: usize) -> [f64; 2] {
        let width = self.grid.size[0];
        [self.grid.coordinate(0, index % width), self.grid.coordinate(1, index / width)]
    }
}

/// The mean temperature in °C on the ground, given without detail finer than the scale of cover:
/// NaN where there is no ground.
fn temperatures(field: &Landscape, smooth: &SharedField<2>, grid: &Grid<2>) -> Vec<f32> {
    let mut ground = Samples::new();
    smooth.par_sample_grid(grid, &mut ground);
    let width = grid.size[0];
    let at = |index: usize| {
        let sample = ground.get(index);
        let position = [grid.coordinate(0, index % width), grid.coordinate(1, index / width)];
        let temperature = field.climate().at(position, &sample).temperature;
        if sample.value.is_nan() { f32::NAN } else { temperature }
    };
    (0..grid.len()).into_par_iter().map(at).collect()
}

/// The moisture, 0 to 1. It does not depend on the ground.
fn moistures(field: &Landscape, grid: &Grid<2>) -> Vec<f32> {
    let mut samples = Samples::values_only();
    field.climate().moisture().par_sample_grid(grid, &mut samples);
    samples.values().iter().map(|moisture| moisture.clamp(0.0, 1.0)).collect()
}
