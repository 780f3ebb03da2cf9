//! Components of a terrain that its chunks inherit: what cameras and lights ask of each mesh.

use bevy_app::App;
use bevy_camera::visibility::RenderLayers;
use bevy_ecs::prelude::*;

use crate::chunk::key::Chunk;
use crate::streaming::schedule::{StreamTerrain, TerrainSystems};
use crate::terrain::Terrain;

/// Lets chunks inherit render layers and shadow flags.
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

/// Gives a new chunk the component of its terrain.
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

/// Hands a component that was added or changed to the chunks that are there.
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

/// Takes a component that was removed from the terrain from its chunks too.
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
