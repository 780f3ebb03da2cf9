//! Graphics devices that are lost.

use bevy::prelude::*;
use bevy::render::error_handler::{RenderErrorHandler, RenderErrorPolicy};
use bevy::render::renderer::RenderDevice;
use bevy::render::settings::RenderCreation;
use bevy_orogeny::orogeny::scatter::Model;
use bevy_orogeny::{TerrainOrigin, TerrainViewer};

use super::support::*;
use super::woods::{plain, scatter};

/// After the device was lost, the same picture is drawn on the next one.
#[test]
fn all_is_rebuilt_after_a_device_was_lost() {
    let Some(_turn) = turn() else { return };
    let viewer = TerrainViewer { range: 200.0, ..default() };
    let terrain = plain().with_scatter(scatter(Model::Spruce, 5.0)).with_sea(-5.0);
    let (mut app, camera) = app(terrain, viewer, TerrainOrigin::default());
    stop_time(&mut app);
    app.insert_resource(RenderErrorHandler(|_, _, _| {
        RenderErrorPolicy::Recover(RenderCreation::default())
    }));
    let transform =
        Transform::from_xyz(0.0, 10.0, 0.0).looking_to(Vec3::new(0.0, -0.2, -1.0), Vec3::Y);
    let before = draw(&mut app, camera, transform, true);
    let device = app.world().resource::<RenderDevice>().clone();
    let wait = || device.poll(wgpu::PollType::wait_indefinitely()).unwrap();
    // Bevy 0.19 panics where it reads back from a buffer of a lost device.
    wait();
    device.wgpu_device().destroy();
    // Tells the renderer.
    wait();
    (0..10).for_each(|_| app.update());
    let after = draw(&mut app, camera, transform, true);
    let changed = differences(&before, &after).into_iter().filter(|&d| d > 2).count();
    assert!(changed < before.len() / 100, "{changed} pixels differ");
}
