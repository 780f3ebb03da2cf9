//! Clustered decals lie on the ground and on plants.

use bevy::light::ClusteredDecal;
use bevy::prelude::*;
use bevy::render::render_resource::{Extent3d, TextureDimension, TextureFormat};
use bevy_orogeny::orogeny::scatter::{Model, Scatter};
use bevy_orogeny::{TerrainOrigin, TerrainViewer};

use super::support::*;
use super::woods::{changed, plain, scatter, set_scatter};

/// A red decal over the left half of a picture of boulders on snow.
#[test]
fn decals_lie_on_ground_and_plants() {
    let Some(_turn) = turn() else { return };
    let viewer = TerrainViewer { range: 200.0, ..default() };
    let terrain = plain().with_scatter(scatter(Model::Boulder, 6.0));
    let (mut app, camera) = app(terrain, viewer, TerrainOrigin::default());
    stop_time(&mut app);
    let transform = Transform::from_xyz(0.0, 50.0, 0.0).looking_to(Vec3::NEG_Y, Vec3::NEG_Z);
    let plain_rocks = draw(&mut app, camera, transform, true);

    let size = Extent3d { width: 1, height: 1, depth_or_array_layers: 1 };
    let (red, format) = ([255, 0, 0, 255], TextureFormat::Rgba8UnormSrgb);
    let red = Image::new_fill(size, TextureDimension::D2, &red, format, default());
    let red = app.world_mut().resource_mut::<Assets<Image>>().add(red);
    let decal = ClusteredDecal { base_color_texture: Some(red), ..default() };
    // A cube of 200 m beside the plane through the camera.
    let place = Transform::from_xyz(-100.0, 0.0, 0.0)
        .looking_to(Vec3::NEG_Y, Vec3::NEG_Z)
        .with_scale(Vec3::splat(200.0));
    app.world_mut().spawn((decal, place));
    // The first frame brings the image to the device.
    draw_again(&mut app, camera);
    let red_rocks = draw_again(&mut app, camera);
    set_scatter(&mut app, Scatter::default());
    let red_ground = draw(&mut app, camera, transform, true);

    let rocks = changed(&red_rocks, &red_ground);
    let reds = changed(&red_rocks, &plain_rocks);
    // How much of the rocks and of the ground has changed, to the left and to the right.
    let [left, right] = [0..WIDTH / 2 - 8, WIDTH / 2 + 8..WIDTH].map(|columns| {
        [true, false].map(|is_rock| {
            let all = (0..rocks.len()).filter(|&i| columns.contains(&(i as u32 % WIDTH)));
            let all: Vec<usize> = all.filter(|&i| rocks[i] == is_rock).collect();
            assert!(all.len() > 200, "{} pixels", all.len());
            all.iter().filter(|&&i| reds[i]).count() as f32 / all.len() as f32
        })
    });
    println!("rocks and ground: {left:?} to the left, {right:?} to the right");
    assert!(left.iter().all(|&part| part > 0.9), "{left:?}");
    assert!(right.iter().all(|&part| part < 0.01), "{right:?}");
}
