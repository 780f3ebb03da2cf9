//! The colliders of a tile: its ground, and what is solid on it.

use bevy_ecs::prelude::*;
use orogeny::scatter::ScatterKind;

use super::engine::PhysicsEngine;
use super::source::ColliderSolids;
use super::tile::{Tile, layout};
use crate::base::derived::derived;
use crate::chunk::key::ChunkKey;
use crate::query::GroundQuery;
use crate::slices::Pace;

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
