//! Flying by hand: the camera in a window.

use bevy::camera_controller::free_camera::{FreeCamera, FreeCameraPlugin, FreeCameraState};
use bevy::prelude::*;

use bevy_orogeny::{TerrainOrigin, TerrainQuery};
use bevy_orogeny_panel::PanelKeys;

use crate::digging::DiggingPlugin;
use crate::walker::WalkerPlugin;
use crate::world::{WorldSettings, spawn_camera, start};
use crate::worlds::WorldsPlugin;

/// The keys and their actions, for the panel's Help tab.
const KEYS: [(&str, &str); 12] = [
    ("W A S D", "fly"),
    ("E Q", "up, down"),
    ("Shift", "15 times faster"),
    ("right mouse, M", "look around: hold, or toggle"),
    ("mouse wheel", "change speed"),
    ("G", "walk on the ground, fly again"),
    ("C F B M O, U", "crater, level ground, hill, smooth ground, hole; undo"),
    ("N, J", "set a point of a road, build it"),
    ("L", "save as a new world"),
    ("- =", "fewer, more plants and rocks"),
    ("[ ]", "earlier, later in the day"),
    ("R", "back to the start"),
];

const RETURN: KeyCode = KeyCode::KeyR;
/// Speed in metres per second, and while Shift is held.
const SPEED: f32 = 80.0;
const FAST: f32 = 15.0 * SPEED;

/// Spawns the camera and lets keys and mouse fly it.
pub struct PilotPlugin;

impl Plugin for PilotPlugin {
    fn build(&self, app: &mut App) {
        // The origin follows the camera, so that nothing jitters far from the origin.
        app.insert_resource(TerrainOrigin::default().rebasing())
            .add_plugins((FreeCameraPlugin, WalkerPlugin, DiggingPlugin, WorldsPlugin))
            .add_systems(Startup, list_keys)
            .add_systems(PostStartup, spawn)
            .add_systems(Update, return_to_start);
    }
}

/// Lists the keys in the panel's Help tab.
fn list_keys(mut keys: ResMut<PanelKeys>) {
    keys.game = KEYS.map(|(keys, action)| (keys.into(), action.into())).into();
}

fn spawn(
    mut commands: Commands,
    settings: Res<WorldSettings>,
    terrains: TerrainQuery,
    origin: Res<TerrainOrigin>,
) {
    spawn_camera(&mut commands, &settings, start(&settings, &terrains, &origin)).insert(controls());
}

/// The controls of the free camera.
pub fn controls() -> FreeCamera {
    FreeCamera { walk_speed: SPEED, run_speed: FAST, ..default() }
}

/// Moves the camera back to its start.
pub fn return_to_start(
    keys: Res<ButtonInput<KeyCode>>,
    settings: Res<WorldSettings>,
    terrains: TerrainQuery,
    origin: Res<TerrainOrigin>,
    mut cameras: Query<(&mut Transform, &mut FreeCameraState)>,
) {
    if keys.just_pressed(RETURN) {
        for (mut transform, mut state) in &mut cameras {
            *transform = start(&settings, &terrains, &origin);
            *state = FreeCameraState::default();
        }
    }
}
