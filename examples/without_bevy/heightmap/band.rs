//! A band of rows: the ground, water and cover at all of its pixels.

use orogeny::{Grid, Landscape, ParallelField, Samples};
use rayon::prelude::*;

use crate::cover::{Bytes, CoverGround, Slopes};
use crate::picture::{Content, Picture};

/// What a band is evaluated from.
pub struct Source<'a> {
    /// The terrain.
    pub field: &'a Landscape,
    /// Its cover.
    pub cover: CoverGround<'a>,
    /// What the pixels show.
    pub picture: Picture,
}

/// A band. Its buffers are reused.
pub struct Band {
    /// Its pixels.
    pub grid: Grid<2>,
    /// The ground.
    pub samples: Samples<2>,
    /// The depth of water, if pixels show that.
    depths: Vec<f32>,
    /// The weight of each layer of cover of 255, if pixels show that.
    pub weights: Vec<Bytes>,
    slopes: Slopes,
}

impl Band {
    /// An empty band for a picture. A survey needs no gradient.
    pub fn new(needs_gradient: bool) -> Self {
        let samples = if needs_gradient { Samples::new() } else { Samples::values_only() };
        let grid = Grid::new([0.0; 2], 1.0, [0; 2]);
        Self { grid, samples, depths: Vec::new(), weights: Vec::new(), slopes: Slopes::default() }
    }

    /// Evaluates a band on all cores.
    pub fn evaluate(&mut self, grid: Grid<2>, source: &Source) {
        self.grid = grid;
        source.field.par_sample_grid(&grid, &mut self.samples);
        match source.picture.content {
            Content::Depth => {
                let depth = |index| {
                    let water = source.field.water(self.position(index));
                    water.map_or(0.0, |water| water.depth as f32)
                };
                self.depths = (0..grid.len()).into_par_iter().map(depth).collect();
            }
            Content::Cover | Content::Layer => {
                source.cover.weights(&grid, &mut self.slopes, &mut self.weights);
            }
            _ => {}
        }
    }

    /// The metres that pixels show: depths, or else heights.
    pub fn values(&self) -> &[f32] {
        if self.depths.is_empty() { self.samples.values() } else { &self.depths }
    }

    /// The position of a pixel.
    pub fn position(&self, index: usize) -> [f64; 2] {
        let width = self.grid.size[0];
        [self.grid.coordinate(0, index % width), self.grid.coordinate(1, index / width)]
    }
}
