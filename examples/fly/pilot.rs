//! A person flies: the camera in a window.

use bevy::camera_controller::free_camera::{FreeCamera, FreeCameraPlugin, FreeCameraState};
use bevy::prelude::*;

use crate::world::{Ground, WorldSettings, spawn_camera, start};

/// What the keys do, for the panel.
pub const KEYS: [(&str, &str); 7] = [
    ("W A S D", "fly"),
    ("E Q", "up, down"),
    ("Shift", "15 times faster"),
    ("right mouse, M", "look: hold, or switch"),
    ("mouse wheel", "change speed"),
    ("V", "ground, levels of detail, wireframe"),
    ("R, H", "back to the start, hide the panel"),
];

const RETURN: KeyCode = KeyCode::KeyR;
/// Metres per second, and while Shift is held.
const SPEED: f32 = 80.0;
const FAST: f32 = 15.0 * SPEED;

/// Spawns the camera and lets keys and mouse fly it.
pub struct PilotPlugin;

impl Plugin for PilotPlugin {
    fn build(&self, app: &mut App) {
        app.add_plugins(FreeCameraPlugin)
            .add_systems(PostStartup, spawn)
            .add_systems(Update, return_to_start);
    }
}

fn spawn(mut commands: Commands, settings: Res<WorldSettings>, ground: Res<Ground>) {
    let controls = FreeCamera { walk_speed: SPEED, run_speed: FAST, ..default() };
    spawn_camera(&mut commands, &settings, start(&ground)).insert(controls);
}

fn return_to_start(
    keys: Res<ButtonInput<KeyCode>>,
    ground: Res<Ground>,
    mut cameras: Query<(&mut Transform, &mut FreeCameraState)>,
) {
    if keys.just_pressed(RETURN) {
        for (mut transform, mut state) in &mut cameras {
            *transform = start(&ground);
            *state = FreeCameraState::default();
        }
    }
}
