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
    cameras: Query<'w, 's, (Entity, &'static Camera, Option<&'static Frozen>), Cameras>,
}

impl PanelCamera<'_, '_> {
    pub fn get(&self) -> Option<Entity> {
        let first = |(entity, camera, _): &(Entity, &Camera, _)| {
            (!camera.is_active, camera.order, entity.index_u32())
        };
        self.cameras.iter().min_by_key(first).map(|(entity, ..)| entity)
    }

    /// The entity that has its `TerrainViewer`: another one while that is frozen.
    pub fn viewer(&self) -> Option<Entity> {
        let (camera, _, frozen) = self.cameras.get(self.get()?).ok()?;
        Some(frozen.map_or(camera, |frozen| frozen.viewer))
    }
}
