//! A band of rows: what is at all of its pixels, and how the pixels store it.

use orogeny::drainage::{Water, WaterKind};
use orogeny::{Grid, Landscape, ParallelField, Sample, Samples, SharedField};
use rayon::prelude::*;

use crate::export::about::Range;
use crate::export::kind::{Content, Format, Picture};
use crate::export::map::{MapBand, MapGround};
use crate::export::tiles::position;
use crate::export::weights::{Bytes, CoverGround, LandBytes, Slopes, land_bytes, land_weights};

/// The speed in m/s that is the end of the scale of a flow map.
const FASTEST: f64 = 8.0;

/// Steps for each square root of a cubic metre a second. They end at 4,294 cubic metres.
const STEPS: f64 = 1000.0;

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
    samples: Samples<2>,
    /// What a map shows, if pixels show that.
    map: MapBand,
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
                (self.lands, self.values) = land_bytes(&land_weights(field, &grid));
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
                    let water = field.water(position(&self.grid, index));
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
    fn weights(&self, index: usize) -> &[u8] {
        if self.lands.is_empty() { &self.cover[index] } else { &self.lands[index] }
    }

    /// Encodes all pixels, row by row. `plane` counts the files of the picture.
    pub fn encode(&self, source: &Source, plane: usize, range: Range, bytes: &mut Vec<u8>) {
        let (width, size) = (self.grid.size[0], source.picture.bytes());
        bytes.resize(self.grid.len() * size, 0);
        bytes.par_chunks_mut(width * size).enumerate().for_each(|(row, out)| {
            for (column, pixel) in out.chunks_exact_mut(size).enumerate() {
                self.encode_pixel(source, plane, range, row * width + column, pixel);
            }
        });
    }

    fn encode_pixel(
        &self,
        source: &Source,
        plane: usize,
        range: Range,
        index: usize,
        pixel: &mut [u8],
    ) {
        let sample = || self.samples.get(index);
        let water = || source.field.water(position(&self.grid, index));
        match source.picture.content {
            Content::Height | Content::Depth | Content::Temperature | Content::Moisture => {
                number(source.picture.format, range, self.values()[index], pixel);
            }
            Content::Normal => {
                let bytes =
                    normal_of_pixel(&sample()).map(|component| byte((component + 1.0) / 2.0));
                pixel.copy_from_slice(&bytes);
            }
            Content::Hillshade => pixel[0] = byte(facing(&sample())),
            Content::Water => pixel[0] = mask(water()),
            Content::Flow => pixel.copy_from_slice(&flow(water())),
            Content::Discharge => pixel.copy_from_slice(&discharge(water()).to_be_bytes()),
            Content::Cover | Content::Layer | Content::Lands => {
                let first = plane * pixel.len();
                pixel.copy_from_slice(&self.weights(index)[first..first + pixel.len()]);
            }
            Content::Map => {
                if let Some(map) = &source.map {
                    pixel.copy_from_slice(&map.pixel(&self.map, index, &sample(), range));
                }
            }
        }
    }
}

/// The mean temperature in °C on the ground, given without detail finer than the scale of cover:
/// NaN where there is no ground.
fn temperatures(field: &Landscape, smooth: &SharedField<2>, grid: &Grid<2>) -> Vec<f32> {
    let mut ground = Samples::new();
    smooth.par_sample_grid(grid, &mut ground);
    let at = |index: usize| {
        let sample = ground.get(index);
        let temperature = field.climate().at(position(grid, index), &sample).temperature;
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

/// A number, such as a height.
fn number(format: Format, range: Range, value: f32, pixel: &mut [u8]) {
    match format {
        // PNG stores the high byte first.
        Format::Png => pixel.copy_from_slice(&range.quantise(value).to_be_bytes()),
        Format::R16 | Format::Tiff16 => {
            pixel.copy_from_slice(&range.quantise(value).to_le_bytes());
        }
        Format::F32 | Format::Tiff32 | Format::Exr => pixel.copy_from_slice(&value.to_le_bytes()),
    }
}

/// The unit normal of the ground. It leans against the gradient.
pub fn normal(sample: &Sample<2>) -> [f64; 3] {
    let [x, z] = sample.gradient.map(f64::from);
    let length = (x * x + z * z + 1.0).sqrt();
    [-x / length, 1.0 / length, -z / length]
}

/// The same in the axes of a picture: to the right (+x), to its top (-z), and up.
fn normal_of_pixel(sample: &Sample<2>) -> [f64; 3] {
    let [x, y, z] = normal(sample);
    [x, -z, y]
}

/// The cosine of the angle between the normal and the light, which comes from the top left, 45
/// degrees high: Lambert's law. Flat ground gets 180 of 255.
pub fn facing(sample: &Sample<2>) -> f64 {
    let [right, top, up] = normal_of_pixel(sample);
    (top - right) * 0.5 + up * std::f64::consts::FRAC_1_SQRT_2
}

fn byte(part: f64) -> u8 {
    (part.clamp(0.0, 1.0) * 255.0).round() as u8
}

/// The kind of water: 0 for dry ground.
fn mask(water: Option<Water>) -> u8 {
    match water.map(|water| water.kind) {
        None => 0,
        Some(WaterKind::Sea) => 85,
        Some(WaterKind::Lake) => 170,
        Some(WaterKind::River) => 255,
    }
}

/// The velocity in the axes of the picture, to the right (+x) and to its top (-z), and whether
/// there is water.
fn flow(water: Option<Water>) -> [u8; 3] {
    let [x, z] = water.map_or([0.0; 2], |water| water.flow);
    let part = |speed: f64| {
        // Still water is 128, like dry ground: the third channel tells them apart.
        (128.0 + 127.0 * (speed / FASTEST).clamp(-1.0, 1.0)).round() as u8
    };
    [part(x), part(-z), if water.is_some() { 255 } else { 0 }]
}

/// The discharge, as its square root, so that brooks have more than one step.
fn discharge(water: Option<Water>) -> u16 {
    let discharge = water.map_or(0.0, |water| water.discharge);
    (STEPS * discharge.sqrt()).round().min(f64::from(u16::MAX)) as u16
}
