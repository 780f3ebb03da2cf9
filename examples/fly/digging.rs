//! Digging: keys that edit the ground in the middle of the view.

use bevy::camera_controller::free_camera::FreeCamera;
use bevy::ecs::system::SystemParam;
use bevy::prelude::*;
use bevy_orogeny::orogeny::ray::{Cast, Ray};
use bevy_orogeny::{TerrainEditor, TerrainOrigin, TerrainQuery};
use bevy_orogeny_panel::{PanelMessage, PanelStep, Shortcuts};

use super::keys::{CRATER, FLATTEN, HOLE, POINT, RAISE, ROAD, SMOOTH, UNDO};
use super::roads::{Survey, draw};

/// The maximum distance of the ground from the camera, in metres.
const REACH: f64 = 5000.0;
/// The accuracy of the ray, in metres.
const TOLERANCE: f64 = 0.05;

/// Lets keys edit the ground. What cannot be done is said on the screen.
pub struct DiggingPlugin;

impl Plugin for DiggingPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<Survey>()
            .add_systems(Update, (dig.pipe(PanelMessage::tell), draw).chain());
    }
}

/// The ground in the middle of the view.
#[derive(SystemParam)]
struct Aim<'w, 's> {
    cameras: Query<'w, 's, &'static Transform, With<FreeCamera>>,
    terrains: TerrainQuery<'w, 's>,
    origin: Res<'w, TerrainOrigin>,
}

impl Aim<'_, '_> {
    /// The place (x, height, z) and its distance.
    fn place(&self) -> Result<([f64; 3], f64)> {
        let camera = self.cameras.single()?;
        let direction = camera.forward().to_array().map(f64::from);
        let origin = self.origin.position(camera.translation);
        let ray = Ray { origin, direction, max_distance: REACH };
        let ground = self.terrains.single()?;
        let cast = match ground.raycast_field(&ray, TOLERANCE)? {
            // Too much work for the exact field: the triangles that are drawn will do.
            Cast::Unfinished { .. } => ground.raycast_surface(&ray)?,
            cast => cast,
        };
        match cast {
            Cast::Hit(hit) => Ok((hit.position, hit.distance)),
            _ => {
                Err(format!("There is no ground within {REACH} m in the middle of the view").into())
            }
        }
    }
}

fn dig(
    keys: Shortcuts,
    aim: Aim,
    mut survey: ResMut<Survey>,
    mut editor: TerrainEditor,
    mut history: MessageWriter<PanelStep>,
) -> Result {
    if keys.just_pressed(UNDO) {
        history.write(PanelStep::Undo);
    }
    let tools = [CRATER, FLATTEN, RAISE, SMOOTH, HOLE, POINT, ROAD];
    let Some(key) = tools.into_iter().find(|&key| keys.just_pressed(key)) else { return Ok(()) };
    if key == ROAD {
        return survey.build(&mut editor);
    }
    let ([x, y, z], distance) = aim.place()?;
    // As large as a brush of the same size on the screen.
    let radius = (0.15 * distance).clamp(4.0, 200.0);
    let mut ground = editor.single()?;
    match key {
        CRATER => ground.crater([x, z], radius)?,
        FLATTEN => ground.flatten([x, z], radius, radius)?,
        RAISE => ground.raise([x, z], 0.3 * radius, radius, 0.3 * radius as f32)?,
        SMOOTH => ground.smooth([x, z], radius, radius, 2.0 * radius)?,
        HOLE => ground.hole([x, z], 0.5 * radius)?,
        _ => {
            survey.0.push([x, z, y]);
            return Ok(());
        }
    };
    Ok(())
}
