//! Digging: keys that edit the ground in the middle of the view. Two of them build roads: one sets
//! control points on the ground, the other builds the road through them.

use bevy::camera_controller::free_camera::FreeCamera;
use bevy::ecs::system::SystemParam;
use bevy::prelude::*;
use bevy_orogeny::orogeny::edits::Path;
use bevy_orogeny::orogeny::ray::{Cast, Ray};
use bevy_orogeny::{TerrainEditor, TerrainOrigin, TerrainQuery};
use bevy_orogeny_panel::{PanelMessage, PanelStep, Shortcuts};

use super::keys::{CRATER, FLATTEN, HOLE, POINT, RAISE, ROAD, SMOOTH, UNDO};

/// The maximum distance of the ground from the camera, in metres.
const REACH: f64 = 5000.0;
/// The accuracy of the ray, in metres.
const TOLERANCE: f64 = 0.05;

/// The width of the carriageway and of the banks on either side, in metres.
const ROAD_WIDTH: f64 = 7.0;
const ROAD_BANKS: f64 = 25.0;
/// The steepest slope along a road.
const ROAD_GRADE: f32 = 0.25;
/// How high control points are drawn, in metres.
const POLE: f32 = 20.0;

/// Lets keys edit the ground. What cannot be done is said on the screen.
pub struct DiggingPlugin;

impl Plugin for DiggingPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<Survey>()
            .add_systems(Update, (dig.pipe(PanelMessage::tell), draw_survey).chain());
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

/// The control points so far: x, z and height in the terrain's coordinates.
#[derive(Resource, Default)]
pub struct Survey(pub Vec<[f64; 3]>);

impl Survey {
    /// Builds the road through all points, and forgets them.
    ///
    /// # Errors
    /// Fewer than two points, and a road that is too sharp or too steep. Then the points stay,
    /// without the last one.
    fn build(&mut self, editor: &mut TerrainEditor) -> Result {
        if self.0.len() < 2 {
            return Err(
                "A road needs at least two points. Press N to add one in the middle of the view"
                    .into(),
            );
        }
        let points = self.0.clone();
        let path = Path {
            points,
            width: ROAD_WIDTH,
            falloff: ROAD_BANKS,
            max_grade: ROAD_GRADE,
            ..Path::default()
        };
        let built = editor.single()?.add(path);
        if built.is_err() {
            self.0.pop();
        } else {
            self.0.clear();
        }
        built?;
        Ok(())
    }
}

/// Draws the control points, and lines between them.
fn draw_survey(survey: Res<Survey>, origin: Res<TerrainOrigin>, mut gizmos: Gizmos) {
    let top = |&[x, z, height]: &[f64; 3]| origin.translation([x, height + f64::from(POLE), z]);
    for point in &survey.0 {
        gizmos.line(top(point) - POLE * Vec3::Y, top(point), Color::srgb(1.0, 0.4, 0.1));
    }
    gizmos.linestrip(survey.0.iter().map(top), Color::srgb(1.0, 0.8, 0.1));
}
