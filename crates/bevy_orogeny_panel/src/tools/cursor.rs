//! The ground under the pointer.

use bevy::camera::RenderTarget;
use bevy::ecs::system::SystemParam;
use bevy::prelude::*;
use bevy::window::{PrimaryWindow, WindowRef};
use bevy_egui::input::EguiWantsInput;
use bevy_orogeny::{TerrainEdits, TerrainOrigin, TerrainQuery, TerrainViewer};
use orogeny::ray::{Cast, Ray};

use super::selected::Selected;
use super::{COLOR, EDGE_COLOR, Tool, ToolLines, Tools, on_ground};
use crate::editing::Editing;
use crate::viewer::Frozen;

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

/// The mouse pointer over the world. With a split screen it is over the view that it is in.
#[derive(SystemParam)]
pub struct Pointer<'w, 's> {
    windows: Query<'w, 's, (Entity, &'static Window), With<PrimaryWindow>>,
    cameras: Query<
        'w,
        's,
        (&'static Camera, &'static RenderTarget, &'static GlobalTransform),
        Or<(With<TerrainViewer>, With<Frozen>)>,
    >,
    egui: Option<Res<'w, EguiWantsInput>>,
    origin: Res<'w, TerrainOrigin>,
}

impl Pointer<'_, '_> {
    /// The ray from the camera through the pointer, in the coordinates of the world. `None` over
    /// the panel.
    pub fn ray(&self) -> Option<Ray> {
        if self.egui.as_ref().is_some_and(|egui| egui.wants_any_pointer_input()) {
            return None;
        }
        let (window, pointer) = self.windows.single().ok()?;
        let pointer = pointer.cursor_position()?;
        let is_here = |target: &RenderTarget| match target {
            RenderTarget::Window(WindowRef::Primary) => true,
            RenderTarget::Window(WindowRef::Entity(other)) => *other == window,
            _ => false,
        };
        // Views on top of others are drawn last.
        let seen = self.cameras.iter().filter(|(camera, target, _)| {
            let view = camera.logical_viewport_rect();
            camera.is_active && is_here(target) && view.is_some_and(|view| view.contains(pointer))
        });
        let (camera, _, global) = seen.max_by_key(|(camera, ..)| camera.order)?;
        let ray = camera.viewport_to_world(global, pointer).ok()?;
        let direction = ray.direction.to_array().map(f64::from);
        Some(Ray { origin: self.origin.position(ray.origin), direction, max_distance: REACH })
    }
}

/// Finds the ground under the pointer, while a tool is chosen.
pub fn find(
    tools: Res<Tools>,
    editing: Res<Editing>,
    selected: Res<Selected>,
    edits: Query<&TerrainEdits>,
    pointer: Pointer,
    terrains: TerrainQuery,
    mut cursor: ResMut<Cursor>,
) {
    // Without a window the game may set the cursor.
    if pointer.windows.single().is_err() {
        return;
    }
    let find = || {
        let ray = pointer.ray()?;
        let ground = editing.ground_of(&terrains)?;
        // An edit that moves under the pointer must not move the pointer.
        let moved = selected.0.filter(|_| tools.tool == Some(Tool::Move));
        let query = match moved.zip(edits.get(ground.terrain()).ok()) {
            Some((id, edits)) => ground.query().with_edits(edits.log.edits_without(id)),
            None => ground.query().clone(),
        };
        let offset = ground.offset();
        let origin = [0, 1, 2].map(|k| ray.origin[k] - offset[k]);
        let ray = Ray { origin, ..ray };
        let cast = match query.raycast_field(&ray, TOLERANCE) {
            // Too much work for the exact field: the triangles that are drawn will do.
            Ok(Cast::Unfinished { .. }) => query.raycast_surface(&ray),
            cast => cast,
        };
        cast.ok()?.hit().map(|hit| [0, 1, 2].map(|k| hit.position[k] + offset[k]))
    };
    let found = if tools.tool.is_none() { None } else { find() };
    cursor.set_if_neq(Cursor(found));
}

/// Draws the radius of the tool, and the end of its falloff.
pub fn draw(
    cursor: Res<Cursor>,
    tools: Res<Tools>,
    editing: Res<Editing>,
    terrains: TerrainQuery,
    mut gizmos: Gizmos<ToolLines>,
) {
    let (Some([x, height, z]), Some(tool)) = (cursor.0, tools.tool) else { return };
    let Some(ground) = editing.ground_of(&terrains) else { return };
    if tool == Tool::Plant {
        return;
    }
    let mut circle = |radius: f64, color: Color| {
        let point = |i: u32| {
            let (sin, cos) = (std::f64::consts::TAU * f64::from(i) / f64::from(SIDES)).sin_cos();
            on_ground(&ground, [x + radius * cos, z + radius * sin], height, ABOVE * radius)
        };
        gizmos.linestrip((0..=SIDES).map(point), color);
    };
    circle(tools.radius, COLOR);
    if tool.has_falloff() {
        circle(tools.radius + tools.falloff, EDGE_COLOR);
    }
}
