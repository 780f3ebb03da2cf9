//! Flying by hand: the camera in a window.

use bevy::camera_controller::free_camera::{FreeCameraPlugin, FreeCameraState};
use bevy::prelude::*;

use bevy_orogeny::{TerrainOrigin, TerrainQuery, WorldPosition};
use bevy_orogeny_panel::{KeyLabels, PanelKeys, Shortcuts};

use super::digging::DiggingPlugin;
use super::keys::{self, RETURN, controls};
use super::walker::WalkerPlugin;
use super::world::{WorldSettings, spawn_camera, start};

/// Spawns the camera and lets keys and mouse fly it.
pub struct PilotPlugin;

impl Plugin for PilotPlugin {
    fn build(&self, app: &mut App) {
        // The origin follows the camera, so that nothing jitters far from the origin.
        let origin = app.world_mut().get_resource_or_init::<TerrainOrigin>().rebasing();
        app.insert_resource(origin)
            .add_plugins((FreeCameraPlugin, WalkerPlugin, DiggingPlugin))
            .add_systems(Startup, place_keys)
            .add_systems(PostStartup, spawn)
            .add_systems(
                Update,
                (list_keys.run_if(resource_changed::<KeyLabels>), return_to_start),
            );
    }
}

/// The camera's keys are no shortcuts, whatever is printed on them.
fn place_keys(mut labels: ResMut<KeyLabels>) {
    labels.place(keys::placed());
}

/// Lists the keys in the panel's Help tab.
fn list_keys(mut keys: ResMut<PanelKeys>, labels: Res<KeyLabels>) {
    keys.game = keys::help(&labels);
}

fn spawn(mut commands: Commands, settings: Res<WorldSettings>, terrains: TerrainQuery) {
    let (position, rotation) = start(&settings, &terrains);
    spawn_camera(&mut commands, &settings, Transform::from_rotation(rotation))
        .insert((WorldPosition::at(position), controls()));
}

/// Moves the camera back to its start.
pub fn return_to_start(
    keys: Shortcuts,
    settings: Res<WorldSettings>,
    terrains: TerrainQuery,
    mut cameras: Query<(&mut Transform, &mut WorldPosition, &mut FreeCameraState)>,
) {
    if keys.just_pressed(RETURN) {
        for (mut transform, mut position, mut state) in &mut cameras {
            let (place, rotation) = start(&settings, &terrains);
            position.set(place);
            transform.rotation = rotation;
            *state = FreeCameraState::default();
        }
    }
}
