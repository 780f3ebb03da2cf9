//! Events for observers, and the marker of what waits for one.

use core::time::Duration;

use bevy_ecs::component::Component;
use bevy_ecs::entity::Entity;
use bevy_ecs::event::EntityEvent;
use orogeny::Region;

use crate::chunk::key::ChunkKey;

/// A chunk has got its mesh. It may still be hidden, while finer or coarser chunks are drawn
/// instead.
///
/// Each `ChunkReady` is followed by one [`ChunkRemoved`].
///
/// ```
/// use bevy::prelude::*;
/// use bevy_orogeny::advanced::ChunkReady;
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
    /// The square that it covers.
    pub key: ChunkKey,
    /// The time since a task began to build it.
    pub latency: Duration,
}

/// A chunk that had a mesh is being despawned: no viewer wants it any more, or the terrain was
/// changed or removed.
#[derive(EntityEvent, Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChunkRemoved {
    /// The terrain that it belonged to.
    #[event_target]
    pub terrain: Entity,
    /// The entity that is being despawned.
    pub chunk: Entity,
    /// The square that it covered.
    pub key: ChunkKey,
}

/// All chunks that the viewers of a terrain want are ready. Triggered at the start, after a
/// teleport, after a change, and in flight whenever streaming has caught up.
#[derive(EntityEvent, Clone, Copy, Debug, PartialEq, Eq)]
pub struct TerrainReady {
    /// The terrain.
    #[event_target]
    pub terrain: Entity,
}

/// New ground is shown: the first of a terrain, or chunks, water and plants of changed settings or
/// edits that have replaced the old ones in this frame. What stands on edits, such as a house on
/// its pad, follows the log best here: undo and loading then need no code of their own.
///
/// A change of the cover, the sea level or the scatter alone builds no chunks: it is triggered when
/// the ground shows it. Where plants alone change, as after
/// [`Clear`](orogeny::edits::Clear) and [`Plant`](orogeny::edits::Plant), it is triggered when
/// those that are drawn have been replaced. An app that draws no plants, such as a server, gets
/// none for such edits.
#[derive(EntityEvent, Clone, Copy, Debug, PartialEq, Eq)]
pub struct TerrainChanged {
    /// The terrain.
    #[event_target]
    pub terrain: Entity,
}

/// Edits have changed the ground: queries and colliders follow at once, and chunks once they are
/// built. A change of the recipe does not trigger it.
#[derive(EntityEvent, Clone, Debug, PartialEq)]
pub struct GroundEdited {
    /// The terrain.
    #[event_target]
    pub terrain: Entity,
    /// Regions that contain all ground that changed, in metres from the terrain's origin.
    pub regions: Vec<Region>,
}

/// An entity can stand on the ground. If it had [`SpawnOnGround`](crate::SpawnOnGround), it has
/// been put there. If it is a [`TerrainColliderSource`](crate::TerrainColliderSource), there are
/// colliders below it. Triggered once for each entity.
#[derive(EntityEvent, Clone, Copy, Debug, PartialEq, Eq)]
pub struct GroundReady {
    /// The entity.
    pub entity: Entity,
}

/// On an entity with [`SpawnOnGround`](crate::SpawnOnGround), for as long as it has that.
#[derive(Component, Clone, Copy, Debug, Default)]
pub(crate) struct WaitsForGround;
