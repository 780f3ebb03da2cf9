//! Components that chunks inherit from their terrain: those that cameras and lights read from
//! meshes.

use bevy_app::App;
use bevy_camera::visibility::RenderLayers;
use bevy_ecs::prelude::*;

use crate::chunk::key::Chunk;
use crate::streaming::schedule::{StreamTerrain, TerrainSystems};
use crate::terrain::Terrain;

/// Makes chunks inherit render layers and shadow flags.
pub(crate) fn build(app: &mut App) {
    add::<RenderLayers>(app);
    #[cfg(feature = "render")]
    {
        add::<bevy_light::NotShadowCaster>(app);
        add::<bevy_light::NotShadowReceiver>(app);
    }
}

fn add<C: Component + Clone>(app: &mut App) {
    app.add_observer(give::<C>).add_observer(take::<C>).add_systems(
        StreamTerrain,
        update::<C>.after(TerrainSystems::Show).before(TerrainSystems::Dispatch),
    );
}

/// Copies the component of a terrain to a new chunk.
fn give<C: Component + Clone>(
    event: On<Add, Chunk>,
    mut commands: Commands,
    chunks: Query<&Chunk>,
    terrains: Query<&C, With<Terrain>>,
) {
    if let Ok(chunk) = chunks.get(event.entity)
        && let Ok(component) = terrains.get(chunk.terrain)
    {
        commands.entity(event.entity).try_insert(component.clone());
    }
}

/// Copies a component that was added or changed to the existing chunks.
fn update<C: Component + Clone>(
    mut commands: Commands,
    terrains: Query<(&C, &Children), (With<Terrain>, Changed<C>)>,
    chunks: Query<(), With<Chunk>>,
) {
    for (component, children) in &terrains {
        for child in children.iter().filter(|&child| chunks.contains(child)) {
            commands.entity(child).try_insert(component.clone());
        }
    }
}

/// Removes a component from the chunks when it is removed from the terrain.
fn take<C: Component>(
    event: On<Remove, C>,
    mut commands: Commands,
    terrains: Query<&Children, With<Terrain>>,
    chunks: Query<(), With<Chunk>>,
) {
    let Ok(children) = terrains.get(event.entity) else { return };
    for child in children.iter().filter(|&child| chunks.contains(child)) {
        commands.entity(child).try_remove::<C>();
    }
}
