//! A tile: the vertices of level 0 in a square, what is solid on it, and the colliders of both.

use std::cell::Cell;

use bevy_ecs::prelude::*;
use orogeny::scatter::ScatterKind;
use orogeny::{Field, Grid, Samples};

use super::PhysicsEngine;
use super::solid::{Solid, solids};
use super::source::ColliderSolids;
use crate::base::derived::derived;
use crate::chunk::height_field::is_ground;
use crate::chunk::key::{ChunkKey, Layout};
use crate::chunk::seams::Seams;
use crate::chunk::triangles;
use crate::query::GroundQuery;
use crate::slices::Pace;

/// The heights and the solids of a tile, from which a physics engine makes colliders.
#[derive(Clone, Debug, PartialEq)]
pub struct Tile {
    /// The heights of its vertices in metres above the terrain's origin. Rows run along x and have
    /// [`Tile::CELLS`] + 1 vertices. Bit-identical to the heights of the meshes. Infinite or NaN
    /// where there is a hole.
    pub heights: Vec<f32>,
    /// The distance between neighbouring vertices in metres: a power of two.
    pub spacing: f32,
    /// The trunks and rocks that stand on it.
    pub solids: Vec<Solid>,
}

impl Tile {
    /// Cells along each side.
    pub const CELLS: u32 = 8;

    /// Vertices along each side.
    pub const SIDE: usize = Self::CELLS as usize + 1;

    /// Builds a tile of a ground.
    pub fn build(ground: &GroundQuery, key: ChunkKey) -> Self {
        let layout = layout(ground);
        let grid = Grid::new(layout.origin(key), layout.spacing, [Self::SIDE; 2]);
        thread_local!(static HEIGHTS: Cell<Samples<2>> = Cell::new(Samples::values_only()));
        // Taken, not borrowed: the field's own code may build tiles, too.
        let mut samples = HEIGHTS.replace(Samples::values_only());
        ground.height_field().sample_grid(&grid, &mut samples);
        let heights = samples.values().to_vec();
        HEIGHTS.set(samples);
        let solids = solids(ground, &layout, key);
        Self { heights, spacing: layout.spacing as f32, solids }
    }

    /// The vertices in metres: x and z from the tile's corner with the smallest coordinates,
    /// heights from the terrain's origin. Vertices in holes, which no triangle has, are at height
    /// 0.
    pub fn vertices(&self) -> impl Iterator<Item = [f32; 3]> {
        let at = |i| i as f32 * self.spacing;
        let vertex = move |(i, &height): (usize, &f32)| {
            let height = if is_ground(height) { height } else { 0.0 };
            [at(i % Self::SIDE), height, at(i / Self::SIDE)]
        };
        self.heights.iter().enumerate().map(vertex)
    }

    /// The triangles as indices of vertices, as in the meshes: none in holes. Counter-clockwise
    /// seen from above.
    pub fn triangles(&self) -> impl Iterator<Item = [u32; 3]> + use<> {
        let all = triangles::indices(Self::SIDE, Seams::Open);
        let indices = triangles::around_holes(&all, Self::SIDE, |i| is_ground(self.heights[i]));
        (0..indices.len() / 3).map(move |k| [0, 1, 2].map(|c| indices[3 * k + c].into()))
    }
}

/// The layout of tiles: that of chunks of level 0, but with [`Tile::CELLS`] cells.
pub(super) fn layout(ground: &GroundQuery) -> Layout {
    Layout { cells: Tile::CELLS, ..*ground.layout() }
}

/// The colliders of a tile. Each is `None` if there is nothing to collide with.
///
/// The ground and the solids have an entity each, because parry's compounds cannot contain triangle
/// meshes.
pub(super) struct TileColliders<E: PhysicsEngine> {
    ground: Option<E::Collider>,
    solids: Option<E::Collider>,
}

impl<E: PhysicsEngine> TileColliders<E> {
    /// Builds the colliders of a tile in a task, in turns.
    pub async fn build_in_turns(ground: &GroundQuery, key: ChunkKey) -> Self {
        if let Some(placement) = ground.solid_scatter() {
            let square = layout(ground).square(key);
            Pace::InTurns.warm_up(placement, square, ScatterKind::is_solid).await;
        }
        Pace::InTurns.turn().await;
        Self::build(ground, key)
    }

    /// Builds the colliders of a tile.
    pub fn build(ground: &GroundQuery, key: ChunkKey) -> Self {
        let tile = Tile::build(ground, key);
        Self { ground: E::collider(&tile), solids: E::solids(&tile) }
    }

    /// Gives the colliders to a tile.
    pub fn insert(self, tile: &mut EntityCommands) {
        if let Some(ground) = self.ground {
            tile.try_insert(ground);
        }
        if let Some(solids) = self.solids {
            // Not `with_child`: if the tile were gone, that would leave a child without a parent.
            tile.queue_silenced(|mut tile: EntityWorldMut| {
                tile.with_child((ColliderSolids, derived("Solids"), solids));
            });
        }
    }
}
