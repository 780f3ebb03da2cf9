//! What is drawn for a terrain: chunks, water, the sea, and tiles of plants with their batches.
//!
//! All of it carries [`DrawnFor`]. It goes with the terrain, and inherits the components that
//! cameras and lights read from meshes.

use bevy_ecs::prelude::*;

use crate::terrain::Terrain;

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

/// Despawns what was to be spawned when its terrain had just been removed.
pub(crate) fn on_drawn_added(
    event: On<Add, DrawnFor>,
    mut commands: Commands,
    drawn: Query<&DrawnFor>,
    terrains: Query<(), With<Terrain>>,
) {
    if drawn.get(event.entity).is_ok_and(|owner| !terrains.contains(owner.0)) {
        commands.entity(event.entity).try_despawn();
    }
}

#[cfg(test)]
mod tests {
    use bevy_app::App;

    use super::*;

    /// A system removes the terrain, and another one has spawned for it by then: both commands are
    /// applied at once.
    #[test]
    fn nothing_is_drawn_for_a_terrain_that_is_gone() {
        let removals: [fn(EntityCommands); 2] = [
            |mut terrain| terrain.despawn(),
            |mut terrain| {
                terrain.remove::<Terrain>();
            },
        ];
        for remove in removals {
            let mut app = App::new();
            app.add_observer(on_drawn_added);
            let world = app.world_mut();
            let [gone, kept] = [(); 2].map(|()| world.spawn(Terrain::default()).id());
            let mut commands = world.commands();
            remove(commands.entity(gone));
            for terrain in [gone, kept] {
                commands.spawn((DrawnFor(terrain), ChildOf(terrain)));
            }
            world.flush();
            let owners: Vec<_> = world.query::<&DrawnFor>().iter(world).map(|of| of.0).collect();
            assert_eq!(owners, [kept]);
        }
    }
}
