//! What observers can wait for.

use bevy_ecs::entity::Entity;
use bevy_ecs::event::EntityEvent;

use crate::chunk::key::ChunkKey;

/// A chunk has its mesh. It may still be hidden, since finer or coarser chunks are drawn in its
/// place.
///
/// Each is followed by one [`ChunkRemoved`].
///
/// ```
/// use bevy::prelude::*;
/// use bevy_orogeny::ChunkReady;
///
/// App::new().add_observer(|ready: On<ChunkReady>| {
///     if ready.key.lod == 0 {
///         println!("{} is there in full detail", ready.chunk);
///     }
/// });
/// ```
#[derive(EntityEvent, Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChunkReady {
    /// The terrain that it belongs to.
    #[event_target]
    pub terrain: Entity,
    /// The entity with the mesh.
    pub chunk: Entity,
    /// Which part of the plane it covers, at which level.
    pub key: ChunkKey,
}

/// A chunk that had its mesh is taken away: nobody wants it any more, the terrain has changed, or
/// is gone.
#[derive(EntityEvent, Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChunkRemoved {
    /// The terrain that it belonged to.
    #[event_target]
    pub terrain: Entity,
    /// The entity that is being despawned.
    pub chunk: Entity,
    /// Which part of the plane it covered, at which level.
    pub key: ChunkKey,
}

/// All that the viewers want of a terrain is there, in the detail that they want, and was not
/// before: at the start, after a teleport, after a change, and in flight whenever streaming has
/// caught up.
#[derive(EntityEvent, Clone, Copy, Debug, PartialEq, Eq)]
pub struct TerrainReady {
    /// The terrain.
    #[event_target]
    pub terrain: Entity,
}

/// The ground under an entity is there: it has been placed, if it carried
/// [`SpawnOnGround`](crate::SpawnOnGround), and it has colliders beneath, if it is a
/// [`TerrainColliderSource`](crate::TerrainColliderSource). Told once for each.
#[derive(EntityEvent, Clone, Copy, Debug, PartialEq, Eq)]
pub struct GroundReady {
    /// Who can stand on it.
    pub entity: Entity,
}
