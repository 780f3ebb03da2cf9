//! Which lands are where.

use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::arrays::Each;
use crate::error::DataError;
use crate::field::Field;
use crate::node::compile::{World, build};
use crate::node::ops::remap::Function;
use crate::node::tree::Tree;
use crate::node::{Land, Lands, MAX_ALONG, MAX_LANDS};
use crate::position::Position;
use crate::samples::Samples;
use crate::samples::positions::Grid;

/// The lands of a recipe over the plane: part of a [`Landscape`](crate::Landscape). A clone shares
/// everything.
#[derive(Clone, Debug, Default)]
pub struct LandsField {
    along: Arc<[Tree<2>]>,
    lands: Arc<[Land]>,
}

impl LandsField {
    /// The lands of a recipe in its world.
    pub(super) fn new(lands: &Lands, world: &World<'_>) -> Result<Self, DataError> {
        let along = lands.along.iter().enumerate().map(|(i, node)| {
            build(node, Some(world), None).map_err(|e| e.under(&format!("lands.along[{i}]")))
        });
        Ok(Self { along: along.collect::<Result<_, _>>()?, lands: lands.of.clone().into() })
    }

    /// The lands, from the lowest to the highest.
    pub fn lands(&self) -> &[Land] {
        &self.lands
    }

    /// The fields that decide.
    pub fn along(&self) -> &[Tree<2>] {
        &self.along
    }

    /// The weight of each land at a position (x, z), in their order, and 0 beyond the last one.
    /// They add up to 1, unless there are no lands. All are 0 where a field that decides has no
    /// value.
    pub fn weights<T>(&self, at: impl Position<2, T>) -> [f32; MAX_LANDS] {
        let p = at.coordinates();
        let mut along = [0.0; MAX_ALONG];
        along.iter_mut().zip(self.along.iter()).for_each(|(x, field)| *x = field.value(p));
        self.weights_along(&along[..self.along.len()])
    }

    /// Calls `visit` with the index of each point of a grid and the weights there.
    pub fn each_weights(&self, grid: &Grid<2>, mut visit: impl FnMut(usize, [f32; MAX_LANDS])) {
        let fill = |field: &Tree<2>| {
            let mut samples = Samples::values_only();
            field.sample_grid(grid, &mut samples);
            samples
        };
        let all: Vec<_> = self.along.iter().map(fill).collect();
        let mut along = vec![0.0; all.len()];
        for i in 0..grid.len() {
            along.iter_mut().zip(&all).for_each(|(x, samples)| *x = samples.values()[i]);
            visit(i, self.weights_along(&along));
        }
    }

    /// The mean of the colours of the lands by their weights: sRGB, for maps.
    pub fn colour(&self, weights: &[f32; MAX_LANDS]) -> [f32; 3] {
        let lands = self.lands.iter().zip(weights);
        lands.fold([0.0; 3], |mean, (land, weight)| {
            [0, 1, 2].each(|k| mean[k] + weight * land.colour[k])
        })
    }

    /// The weights, given the fields that decide.
    fn weights_along(&self, along: &[f32]) -> [f32; MAX_LANDS] {
        let mut weights = [0.0; MAX_LANDS];
        if along.iter().any(|x| x.is_nan()) {
            return weights;
        }
        let mut bare = 1.0;
        for (i, land) in self.lands.iter().enumerate().take(MAX_LANDS).rev() {
            let bands = land.within.iter().zip(along);
            let opacity: f32 = bands.map(|(band, &x)| band.apply::<2, f32>(x)).product();
            weights[i] = bare * opacity;
            bare *= 1.0 - opacity;
        }
        weights
    }
}
