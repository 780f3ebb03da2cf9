//! Digging: keys that edit the ground in the middle of the view.

use bevy::camera_controller::free_camera::FreeCamera;
use bevy::prelude::*;
use bevy_orogeny::orogeny::edits::Applied;
use bevy_orogeny::orogeny::ray::{Cast, Ray};
use bevy_orogeny::{TerrainEditor, TerrainOrigin, TerrainQuery};

const CRATER: KeyCode = KeyCode::KeyC;
const FLATTEN: KeyCode = KeyCode::KeyF;
const RAISE: KeyCode = KeyCode::KeyT;
const UNDO: KeyCode = KeyCode::KeyU;

/// The maximum distance of the ground from the camera, in metres.
const REACH: f64 = 5000.0;
/// The accuracy of the ray, in metres.
const TOLERANCE: f64 = 0.05;

/// Lets keys edit the ground.
pub struct DiggingPlugin;

impl Plugin for DiggingPlugin {
    fn build(&self, app: &mut App) {
        app.add_systems(Update, dig);
    }
}

fn dig(
    keys: Res<ButtonInput<KeyCode>>,
    cameras: Query<&Transform, With<FreeCamera>>,
    terrains: TerrainQuery,
    origin: Res<TerrainOrigin>,
    mut editor: TerrainEditor,
    mut done: Local<Vec<Applied>>,
) -> Result {
    let pressed = [CRATER, FLATTEN, RAISE].into_iter().find(|&key| keys.just_pressed(key));
    if keys.just_pressed(UNDO)
        && let Some(last) = done.pop()
    {
        editor.single()?.undo(&last)?;
    }
    let (Some(key), Ok(camera)) = (pressed, cameras.single()) else { return Ok(()) };
    let direction = camera.forward().to_array().map(f64::from);
    let ray = Ray { origin: origin.position(camera.translation), direction, max_distance: REACH };
    let Cast::Hit(hit) = terrains.single()?.raycast_field(&ray, TOLERANCE)? else { return Ok(()) };
    let [x, _, z] = hit.position;
    // As large as a brush of the same size on the screen.
    let radius = (0.15 * hit.distance).clamp(4.0, 200.0);
    let mut ground = editor.single()?;
    done.push(match key {
        CRATER => ground.crater([x, z], radius)?,
        FLATTEN => ground.flatten([x, z], radius, radius)?,
        _ => ground.raise([x, z], 0.3 * radius, radius, 0.3 * radius as f32)?,
    });
    Ok(())
}
