//! What is drawn for a terrain: chunks, water, the sea, and tiles of plants with their batches.
//!
//! All of it carries [`DrawnFor`]. It goes with the terrain, and inherits the components that
//! cameras and lights read from meshes.

use bevy_ecs::prelude::*;

/// On an entity that streaming draws: the terrain that it belongs to.
#[derive(Component, Clone, Copy, Debug)]
#[component(immutable)]
pub(crate) struct DrawnFor(pub Entity);

/// On what never casts a shadow, even if its terrain does.
#[cfg(feature = "render")]
#[derive(Component, Clone, Copy, Debug, Default)]
#[require(bevy_light::NotShadowCaster)]
pub(crate) struct NeverCasts;

/// On what has its mesh in memory, too, so that it stays when the graphics device is lost.
#[cfg(feature = "render")]
#[derive(Component, Clone, Copy, Debug, Default)]
pub(crate) struct OutlastsDevice;

/// Despawns all that is drawn for a terrain.
pub(crate) fn despawn_all(
    terrain: Entity,
    commands: &mut Commands,
    drawn: &Query<(Entity, &DrawnFor)>,
) {
    for (entity, _) in drawn.iter().filter(|(_, owner)| owner.0 == terrain) {
        commands.entity(entity).try_despawn();
    }
}
