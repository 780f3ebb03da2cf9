//! Components that all that is drawn for a terrain inherits from it: those that cameras and lights
//! read from meshes.

use bevy_app::App;
use bevy_camera::visibility::RenderLayers;
use bevy_ecs::prelude::*;
use bevy_ecs::query::QueryFilter;

use crate::base::drawn_for::DrawnFor;
use crate::base::schedule::{StreamTerrain, TerrainSystems};
use crate::terrain::Terrain;

/// Makes chunks, water, the sea and plants inherit render layers and shadow flags.
pub(crate) fn build(app: &mut App) {
    add::<RenderLayers, ()>(app);
    #[cfg(feature = "render")]
    {
        add::<bevy_light::NotShadowCaster, Without<crate::base::drawn_for::NeverCasts>>(app);
        add::<bevy_light::NotShadowReceiver, ()>(app);
    }
}

/// Makes what matches `F` inherit a component.
fn add<C: Component + Clone, F: QueryFilter + 'static>(app: &mut App) {
    app.add_observer(give::<C, F>)
        .add_observer(take::<C, F>)
        .add_systems(StreamTerrain, update::<C, F>.in_set(TerrainSystems::Follow));
}

/// Copies the component of a terrain to what is newly drawn for it.
fn give<C: Component + Clone, F: QueryFilter + 'static>(
    event: On<Add, DrawnFor>,
    mut commands: Commands,
    drawn: Query<&DrawnFor, F>,
    terrains: Query<&C, With<Terrain>>,
) {
    if let Ok(owner) = drawn.get(event.entity)
        && let Ok(component) = terrains.get(owner.0)
    {
        commands.entity(event.entity).try_insert(component.clone());
    }
}

/// Copies a component that was added or changed.
fn update<C: Component + Clone, F: QueryFilter + 'static>(
    mut commands: Commands,
    terrains: Query<(Entity, &C), (With<Terrain>, Changed<C>)>,
    drawn: Query<(Entity, &DrawnFor), F>,
) {
    for (terrain, component) in &terrains {
        for (entity, _) in drawn.iter().filter(|(_, owner)| owner.0 == terrain) {
            commands.entity(entity).try_insert(component.clone());
        }
    }
}

/// Removes a component when it is removed from the terrain.
fn take<C: Component, F: QueryFilter + 'static>(
    event: On<Remove, C>,
    mut commands: Commands,
    terrains: Query<(), With<Terrain>>,
    drawn: Query<(Entity, &DrawnFor), F>,
) {
    if !terrains.contains(event.entity) {
        return;
    }
    for (entity, _) in drawn.iter().filter(|(_, owner)| owner.0 == event.entity) {
        commands.entity(entity).try_remove::<C>();
    }
}
