//! The camera whose position the panel shows, and which it moves.

use bevy::ecs::system::SystemParam;
use bevy::prelude::*;
use bevy_orogeny::TerrainViewer;

use crate::viewer::freeze::Frozen;

/// Cameras that see terrain.
pub type Cameras = (With<Camera3d>, Or<(With<TerrainViewer>, With<Frozen>)>);

/// The camera of the panel. Of a split screen it is the one that is drawn first: the other players
/// stay where they are.
#[derive(SystemParam)]
pub struct PanelCamera<'w, 's> {
    cameras: Query<'w, 's, (Entity, &'static Camera), Cameras>,
}

impl PanelCamera<'_, '_> {
    pub fn get(&self) -> Option<Entity> {
        let first = |(entity, camera): &(Entity, &Camera)| {
            (!camera.is_active, camera.order, entity.index_u32())
        };
        self.cameras.iter().min_by_key(first).map(|(entity, _)| entity)
    }
}
