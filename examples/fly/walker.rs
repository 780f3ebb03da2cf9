//! Walking mode: the same camera at eye height above the ground.

use bevy::camera_controller::free_camera::FreeCamera;
use bevy::prelude::*;
use bevy_orogeny::advanced::{BendsPlants, StirsWater};
use bevy_orogeny::{TerrainWalker, walk};
use bevy_orogeny_panel::Shortcuts;

use super::keys::{JUMP, WALK, controls};
use super::pilot::return_to_start;

/// Horizontal walking speed in metres per second, and the speed while Shift is held.
const SPEED: f32 = 3.0;
const FAST: f32 = 12.0;
/// Grass makes way for whoever walks.
const BODY: BendsPlants = BendsPlants { radius: 0.9, below: 1.3 };
/// So does water.
const WAKE: StirsWater = StirsWater { radius: 0.9, below: 0.8 };

/// Switches between flying and walking with a key.
pub struct WalkerPlugin;

impl Plugin for WalkerPlugin {
    fn build(&self, app: &mut App) {
        app.add_systems(Update, (switch, steer, walk).chain().after(return_to_start));
    }
}

/// Switches between flying and walking. While walking, the free camera has a speed of 0, so that
/// the mouse still turns it.
fn switch(
    mut commands: Commands,
    keys: Shortcuts,
    mut cameras: Query<(Entity, &mut FreeCamera, Has<TerrainWalker>)>,
) {
    if !keys.just_pressed(WALK) {
        return;
    }
    for (camera, mut free, walks) in &mut cameras {
        if walks {
            *free = controls();
            commands.entity(camera).remove::<(TerrainWalker, BendsPlants, StirsWater)>();
        } else {
            *free = FreeCamera { walk_speed: 0.0, run_speed: 0.0, ..controls() };
            commands.entity(camera).insert((TerrainWalker::default(), BODY, WAKE));
        }
    }
}

fn steer(
    keys: Res<ButtonInput<KeyCode>>,
    mut walkers: Query<(&Transform, &FreeCamera, &mut TerrainWalker)>,
) {
    for (transform, free, mut walker) in &mut walkers {
        let pressed = |key| f32::from(u8::from(keys.pressed(key)));
        let ahead = pressed(free.key_forward) - pressed(free.key_back);
        let aside = pressed(free.key_right) - pressed(free.key_left);
        // Horizontal, so that the pitch of the camera has no effect.
        let right = transform.right().xz().normalize_or_zero();
        let way = ahead * Vec2::new(right.y, -right.x) + aside * right;
        let speed = if keys.pressed(free.key_run) { FAST } else { SPEED };
        walker.velocity = speed * way.normalize_or_zero();
        walker.jump = keys.just_pressed(JUMP);
    }
}
