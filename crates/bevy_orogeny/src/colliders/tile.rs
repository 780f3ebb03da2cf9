//! A tile of the ground: the vertices of level 0 on a square.

use std::cell::Cell;

use orogeny::{Field, Grid, Samples};

use crate::chunk::height_field::finite_height;
use crate::chunk::key::{ChunkKey, Layout};
use crate::chunk::seams::Seams;
use crate::chunk::triangles;
use crate::query::GroundQuery;

/// The heights of a tile, for a physics engine to make a collider of.
#[derive(Clone, Debug, PartialEq)]
pub struct Tile {
    /// The heights of its vertices in metres above the terrain's origin, [`Tile::CELLS`] + 1 in
    /// each row along x, rows along z: those of the meshes, bit for bit.
    pub heights: Vec<f32>,
    /// The distance of neighbouring vertices in metres: a power of two.
    pub spacing: f32,
}

impl Tile {
    /// Cells along each side.
    pub const CELLS: u32 = 8;

    /// Vertices along each side.
    pub const SIDE: usize = Self::CELLS as usize + 1;

    /// A tile of a ground. Where the field is not finite, the height is 0, as in the meshes.
    pub fn build(ground: &GroundQuery, key: ChunkKey) -> Self {
        let layout = layout(ground);
        let grid = Grid::new(layout.origin(key), layout.spacing, [Self::SIDE; 2]);
        thread_local!(static HEIGHTS: Cell<Samples<2>> = Cell::new(Samples::values_only()));
        // Taken, not borrowed: the field's own code may build tiles, too.
        let mut samples = HEIGHTS.replace(Samples::values_only());
        ground.height_field().sample_grid(&grid, &mut samples);
        let heights = samples.values().iter().copied().map(finite_height).collect();
        HEIGHTS.set(samples);
        Self { heights, spacing: layout.spacing as f32 }
    }

    /// The vertices in metres from the tile's corner with the smallest coordinates, heights from
    /// the terrain's origin.
    pub fn vertices(&self) -> impl Iterator<Item = [f32; 3]> {
        let at = |i| i as f32 * self.spacing;
        let vertex =
            move |(i, &height): (usize, &f32)| [at(i % Self::SIDE), height, at(i / Self::SIDE)];
        self.heights.iter().enumerate().map(vertex)
    }

    /// The triangles as indices of vertices: those of the meshes, counter-clockwise from above.
    pub fn triangles(&self) -> impl Iterator<Item = [u32; 3]> + use<> {
        let indices = triangles::indices(Self::SIDE, Seams::Open);
        (0..indices.len() / 3).map(move |k| [0, 1, 2].map(|c| indices[3 * k + c].into()))
    }
}

/// The layout of tiles: as chunks of level 0, but of [`Tile::CELLS`] cells.
pub(super) fn layout(ground: &GroundQuery) -> Layout {
    Layout { cells: Tile::CELLS, ..*ground.layout() }
}
