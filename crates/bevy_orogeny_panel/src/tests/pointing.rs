//! The ground under the pointer, with one view on the screen and with several.

use bevy::camera::{CameraProjection, RenderTargetInfo, Viewport};
use bevy::ecs::system::RunSystemOnce;
use bevy::prelude::*;
use bevy::window::{PrimaryWindow, WindowResolution};
use bevy_orogeny::TerrainViewer;
use bevy_orogeny::orogeny::ray::Ray;

use super::support::{Person, recipe};
use crate::tools::cursor::Pointer;
use crate::tools::{Tool, Tools, cursor::Cursor};

const SIZE: UVec2 = UVec2::new(800, 400);

/// A camera that looks straight down on a part of the window.
fn view(order: isize, [from, to]: [UVec2; 2], at: [f32; 2]) -> impl Bundle {
    let size = to - from;
    let projection =
        PerspectiveProjection { aspect_ratio: size.x as f32 / size.y as f32, ..default() };
    let mut camera = Camera { order, ..default() };
    camera.viewport = Some(Viewport { physical_position: from, physical_size: size, ..default() });
    camera.computed.target_info = Some(RenderTargetInfo { physical_size: SIZE, scale_factor: 1.0 });
    camera.computed.clip_from_view = projection.get_clip_from_view();
    let transform = Transform::from_xyz(at[0], 2000.0, at[1]).looking_to(Vec3::NEG_Y, Vec3::X);
    (Camera3d::default(), camera, TerrainViewer { range: 500.0, ..default() }, transform)
}

#[test]
fn tools_act_in_the_view_under_the_pointer() {
    let mut person = Person::new(recipe(), [1280.0, 720.0]);
    let world = person.app.world_mut();
    let cameras: Vec<_> = world.query_filtered::<Entity, With<Camera3d>>().iter(world).collect();
    cameras.into_iter().for_each(|camera| _ = world.despawn(camera));
    let resolution = WindowResolution::new(SIZE.x, SIZE.y);
    let window = world.spawn((Window { resolution, ..default() }, PrimaryWindow)).id();
    // Two halves, and a small view over the corner of the right one.
    let half = UVec2::new(400, 0);
    world.spawn(view(0, [UVec2::ZERO, UVec2::new(400, 400)], [100.0, 100.0]));
    world.spawn(view(1, [half, SIZE], [-300.0, 100.0]));
    world.spawn(view(2, [UVec2::new(700, 0), UVec2::new(800, 100)], [50.0, -400.0]));
    world.resource_mut::<Tools>().tool = Some(Tool::Raise);
    for (pointer, expected) in [
        ([200.0, 200.0], [100.0, 100.0]),
        ([600.0, 200.0], [-300.0, 100.0]),
        ([750.0, 50.0], [50.0, -400.0]),
    ] {
        let mut own = person.app.world_mut().get_mut::<Window>(window).unwrap();
        own.set_cursor_position(Some(Vec2::from(pointer)));
        (0..2).for_each(|_| person.frame(Vec::new()));
        let found = person.app.world().resource::<Cursor>().0;
        let [x, _, z] = found.unwrap_or_else(|| panic!("no ground under {pointer:?}"));
        assert!((x - expected[0]).hypot(z - expected[1]) < 0.1, "{pointer:?}: {x} {z}");
    }
    // Outside all views there is no ray.
    let mut own = person.app.world_mut().get_mut::<Window>(window).unwrap();
    own.set_cursor_position(None);
    let ray = |pointer: Pointer| pointer.ray();
    let ray: Option<Ray> = person.app.world_mut().run_system_once(ray).unwrap();
    assert_eq!(ray, None);
}
