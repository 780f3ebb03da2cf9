//! Flying by hand: the camera in a window.

use bevy::app::{RunFixedMainLoop, RunFixedMainLoopSystems};
use bevy::camera_controller::free_camera::{
    FreeCameraPlugin, FreeCameraState, run_freecamera_controller,
};
use bevy::prelude::*;
use bevy::time::Real;

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
                RunFixedMainLoop,
                (
                    look_back.before(run_freecamera_controller),
                    fly_exactly.after(run_freecamera_controller),
                )
                    .in_set(RunFixedMainLoopSystems::BeforeFixedMainLoop),
            )
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

/// Where the free camera was before it moved.
#[derive(Component)]
struct Before(Transform);

fn look_back(
    mut commands: Commands,
    mut cameras: Query<(Entity, &Transform, Option<&mut Before>), With<FreeCameraState>>,
) {
    for (camera, transform, before) in &mut cameras {
        match before {
            Some(mut before) => before.0 = *transform,
            None => _ = commands.entity(camera).try_insert(Before(*transform)),
        }
    }
}

/// The free camera adds the way of a frame to an `f32`. Flown slowly, some kilometres from the
/// origin and at a high frame rate, much of that is rounded off: this gives it back.
fn fly_exactly(
    time: Res<Time<Real>>,
    mut cameras: Query<(&Before, &FreeCameraState, &mut Transform, &mut WorldPosition)>,
) {
    for (Before(before), state, mut transform, mut position) in &mut cameras {
        if !state.enabled || state.velocity == Vec3::ZERO {
            continue;
        }
        let Vec3 { x, y, z } = state.velocity;
        let way = x * before.right() + y * Vec3::Y + z * before.forward();
        let way = way.as_dvec3() * time.delta_secs_f64();
        let moved = transform.translation.as_dvec3() - before.translation.as_dvec3();
        let lost = way - moved;
        // More is another move, such as that of the origin.
        if lost.abs().max_element() < 0.01 {
            position.move_by(lost, &mut transform);
        }
    }
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
