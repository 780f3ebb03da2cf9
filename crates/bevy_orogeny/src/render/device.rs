//! Recovers from the loss of the graphics device.

use bevy_app::App;
use bevy_ecs::prelude::*;
use bevy_render::renderer::RenderDevice;

use crate::base::drawn_for::{DrawnFor, OutlastsDevice};
use crate::base::schedule::{StreamTerrain, TerrainSystems};

pub(super) fn build(app: &mut App) {
    app.add_systems(
        StreamTerrain,
        rebuild.run_if(resource_exists_and_changed::<RenderDevice>).in_set(TerrainSystems::Recover),
    );
}

/// Despawns all that is drawn after a device was lost, since meshes are on the device alone. They
/// are built again, the coarsest chunks at once.
fn rebuild(
    mut commands: Commands,
    drawn: Query<Entity, (With<DrawnFor>, Without<OutlastsDevice>)>,
    mut knows: Local<bool>,
) {
    // The first device loses nothing.
    if core::mem::replace(&mut *knows, true) {
        drawn.iter().for_each(|entity| commands.entity(entity).try_despawn());
    }
}
