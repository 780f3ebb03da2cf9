//! The ground under the pointer.

use bevy::prelude::*;
use bevy::window::PrimaryWindow;
use bevy_egui::input::EguiWantsInput;
use bevy_orogeny::{TerrainEdits, TerrainGround, TerrainOrigin, TerrainQuery, TerrainViewer};
use orogeny::ray::{Cast, Ray};

use super::selected::Selected;
use super::{Tool, Tools};
use crate::editing::Editing;
use crate::tools::lines::ToolLines;
use crate::viewer::freeze::Frozen;

/// How far the ground may be from the camera, and the accuracy of its place, in metres.
const REACH: f64 = 20_000.0;
const TOLERANCE: f64 = 0.05;
/// The number of sides of a circle on the ground.
const SIDES: u32 = 64;
/// How far circles are above the ground, in radii.
const ABOVE: f64 = 0.02;

/// The ground under the pointer, in the coordinates of the world: x, height, z. `None` over the
/// panel and over the sky.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq)]
pub struct Cursor(pub Option<[f64; 3]>);

/// Finds the ground under the pointer, while a tool is chosen.
pub fn find(
    tools: Res<Tools>,
    editing: Res<Editing>,
    selected: Res<Selected>,
    edits: Query<&TerrainEdits>,
    windows: Query<&Window, With<PrimaryWindow>>,
    cameras: Query<(&Camera, &GlobalTransform), Or<(With<TerrainViewer>, With<Frozen>)>>,
    egui: Option<Res<EguiWantsInput>>,
    terrains: TerrainQuery,
    origin: Res<TerrainOrigin>,
    mut cursor: ResMut<Cursor>,
) {
    let is_taken = egui.is_some_and(|egui| egui.wants_any_pointer_input());
    // Without a window the game may set the cursor.
    let Ok(window) = windows.single() else { return };
    let find = || {
        let pointer = window.cursor_position()?;
        let (camera, global) = cameras.iter().find(|(camera, _)| camera.is_active)?;
        let ray = camera.viewport_to_world(global, pointer).ok()?;
        let direction = ray.direction.to_array().map(f64::from);
        let origin = origin.position(ray.origin);
        let terrain = editing.terrain()?;
        let ground = terrains.get(terrain).ok()?;
        // An edit that moves under the pointer must not move the pointer.
        let moved = selected.0.filter(|_| tools.tool == Some(Tool::Move));
        let query = match moved.zip(edits.get(terrain).ok()) {
            Some((id, edits)) => ground.query().with_edits(edits.log.edits_without(id)),
            None => ground.query().clone(),
        };
        let offset = ground.offset();
        let origin = [0, 1, 2].map(|k| origin[k] - offset[k]);
        match query.raycast_field(&Ray { origin, direction, max_distance: REACH }, TOLERANCE) {
            Ok(Cast::Hit(hit)) => Some([0, 1, 2].map(|k| hit.position[k] + offset[k])),
            _ => None,
        }
    };
    let found = if tools.tool.is_none() || is_taken { None } else { find() };
    cursor.set_if_neq(Cursor(found));
}

/// Draws the radius of the tool, and the end of its falloff.
pub fn draw(
    cursor: Res<Cursor>,
    tools: Res<Tools>,
    editing: Res<Editing>,
    terrains: TerrainQuery,
    origin: Res<TerrainOrigin>,
    mut gizmos: Gizmos<ToolLines>,
) {
    let (Some(place), Some(tool)) = (cursor.0, tools.tool) else { return };
    let Some(Ok(ground)) = editing.terrain().map(|terrain| terrains.get(terrain)) else { return };
    let mut circle = |radius: f64, color: Color| {
        gizmos.linestrip(circle(&ground, &origin, place, radius), color);
    };
    circle(tools.radius, Color::srgb(1.0, 0.85, 0.2));
    if tool.is_brush() {
        circle(tools.radius + tools.falloff, Color::srgb(0.9, 0.5, 0.2));
    }
}

/// A circle on the ground. Over holes it is as high as its middle.
fn circle(
    ground: &TerrainGround,
    origin: &TerrainOrigin,
    [x, height, z]: [f64; 3],
    radius: f64,
) -> Vec<Vec3> {
    let point = |i: u32| {
        let (sin, cos) = (std::f64::consts::TAU * f64::from(i) / f64::from(SIDES)).sin_cos();
        let at = [x + radius * cos, z + radius * sin];
        let height = ground.field(at).map_or(height, |sample| sample.value.into());
        origin.translation([at[0], height + ABOVE * radius, at[1]])
    };
    (0..=SIDES).map(point).collect()
}
