//! A wood in views other than one camera's: a split screen, the light of a lamp, deferred ground
//! beside it, and layers, which woods do without a device; decals on plants, bodies in grass, and a
//! device that is lost.

use bevy::camera::visibility::RenderLayers;
use bevy::camera::{RenderTarget, Viewport};
use bevy::core_pipeline::prepass::{DeferredPrepass, DepthPrepass};
use bevy::light::ClusteredDecal;
use bevy::pbr::DefaultOpaqueRendererMethod;
use bevy::prelude::*;
use bevy::render::error_handler::{RenderErrorHandler, RenderErrorPolicy};
use bevy::render::render_resource::{Extent3d, TextureDimension, TextureFormat};
use bevy::render::renderer::RenderDevice;
use bevy::render::settings::RenderCreation;
use bevy_orogeny::TerrainViewer;
use bevy_orogeny::advanced::BendsPlants;
use bevy_orogeny::orogeny::scatter::{Model, Scatter};

use super::support::*;

#[test]
fn a_wood_is_the_same_in_every_view() {
    let Some(_turn) = turn() else { return };
    let (mut app, camera) = still(plain().with_scatter(scatter(Model::Spruce, 12.0)), 400.0);
    the_halves_of_a_split_screen_are_those_of_their_cameras(&mut app, camera);
    a_lamp_in_a_wood_has_shadows(&mut app, camera);
    a_wood_is_the_same_beside_deferred_materials(&mut app, camera);
}

fn half(k: u32) -> Option<Viewport> {
    let size = UVec2::new(WIDTH / 2, HEIGHT);
    Some(Viewport {
        physical_position: UVec2::new(k * size.x, 0),
        physical_size: size,
        ..default()
    })
}

fn set_active(app: &mut App, camera: Entity, is_active: bool) {
    app.world_mut().get_mut::<Camera>(camera).unwrap().is_active = is_active;
}

/// Each half of a split screen shows what its camera alone would.
fn the_halves_of_a_split_screen_are_those_of_their_cameras(app: &mut App, first: Entity) {
    let from = Transform::from_xyz(0.0, 8.0, 0.0);
    let ahead = from.looking_to(Vec3::new(1.0, -0.1, 0.3), Vec3::Y);
    app.world_mut().get_mut::<Camera>(first).unwrap().viewport = half(0);
    let target = app.world().get::<RenderTarget>(first).unwrap().clone();
    // It stands elsewhere and looks elsewhere, through a telescope.
    let camera =
        Camera { viewport: half(1), order: 1, clear_color: ClearColorConfig::None, ..default() };
    let zoom = Projection::from(PerspectiveProjection { fov: 0.2, ..default() });
    let aside =
        Transform::from_xyz(90.0, 5.0, -40.0).looking_to(Vec3::new(-0.4, -0.02, 1.0), Vec3::Y);
    let viewer = TerrainViewer { range: 400.0, ..default() };
    let second = (Camera3d::default(), camera, Msaa::Off, zoom, aside, viewer, target);
    let second = app.world_mut().spawn(second).id();
    let both = draw(app, first, ahead, true);
    set_active(app, second, false);
    let left = draw(app, first, ahead, true);
    set_active(app, second, true);
    set_active(app, first, false);
    app.world_mut().get_mut::<Camera>(second).unwrap().clear_color = ClearColorConfig::Default;
    let right = draw(app, first, ahead, true);
    let is_left = |k: usize| k % (WIDTH as usize) < WIDTH as usize / 2;
    let differ = |alone: &[[u8; 3]], side: bool| {
        let changed = changed(&both, alone);
        (0..changed.len()).filter(|&k| changed[k] && is_left(k) == side).count()
    };
    let trees =
        |side: bool| (0..both.len()).filter(|&k| is_left(k) == side && both[k][1] < 120).count();
    println!("{} and {} pixels differ", differ(&left, true), differ(&right, false));
    assert!(trees(true) > both.len() / 40 && trees(false) > both.len() / 40);
    // Levels of the ground follow the nearest of both cameras.
    assert!(differ(&left, true) < both.len() / 200, "{}", differ(&left, true));
    assert!(differ(&right, false) < both.len() / 200, "{}", differ(&right, false));
    app.world_mut().despawn(second);
    let mut camera = app.world_mut().get_mut::<Camera>(first).unwrap();
    (camera.viewport, camera.is_active) = (None, true);
}

/// By night a lamp throws the shadows of trees, and a layer that the camera has not hides them.
fn a_lamp_in_a_wood_has_shadows(app: &mut App, camera: Entity) {
    let sun = sun(app);
    let day = *app.world().get::<DirectionalLight>(sun).unwrap();
    app.world_mut().entity_mut(sun).insert(DirectionalLight { illuminance: 0.0, ..day });
    let lamp = PointLight { intensity: 3e7, range: 80.0, shadow_maps_enabled: true, ..default() };
    let lamp = app.world_mut().spawn((lamp, Transform::from_xyz(6.0, 5.0, 6.0))).id();
    let transform =
        Transform::from_xyz(0.0, 30.0, 0.0).looking_to(Vec3::new(0.5, -1.0, 0.5), Vec3::Y);
    draw(app, camera, transform, true);
    (0..3).for_each(|_| app.update());
    let shaded = draw(app, camera, transform, true);
    app.world_mut().get_mut::<PointLight>(lamp).unwrap().shadow_maps_enabled = false;
    let lit = draw(app, camera, transform, true);
    let shadows = count_changed(&shaded, &lit);
    println!("{shadows} of {} pixels are in shadows of trees", lit.len());
    assert!(shadows > lit.len() / 50 && shadows < lit.len());
    app.world_mut().entity_mut(camera).insert(RenderLayers::layer(3));
    let none = draw(app, camera, transform, true);
    assert!(none.iter().all(|pixel| *pixel == BACKGROUND));
    app.world_mut().despawn(lamp);
    app.world_mut().entity_mut(sun).insert(day);
    app.world_mut().entity_mut(camera).remove::<RenderLayers>();
}

/// Where opaque materials are deferred, the wood is drawn forwards, as without.
fn a_wood_is_the_same_beside_deferred_materials(app: &mut App, camera: Entity) {
    let transform =
        Transform::from_xyz(0.0, 8.0, 0.0).looking_to(Vec3::new(1.0, -0.1, 0.3), Vec3::Y);
    let mesh = add::<Mesh>(app, Cuboid::new(2.0, 12.0, 2.0));
    let paint = add::<StandardMaterial>(app, Color::srgb(0.8, 0.1, 0.1));
    let post = (Mesh3d(mesh), MeshMaterial3d(paint), Transform::from_xyz(20.0, 6.0, 4.0));
    app.world_mut().spawn(post);
    let forward = draw(app, camera, transform, true);
    app.insert_resource(DefaultOpaqueRendererMethod::deferred());
    app.world_mut().entity_mut(camera).insert((DepthPrepass, DeferredPrepass));
    (0..5).for_each(|_| app.update());
    let deferred = draw(app, camera, transform, true);
    let differ = count_changed(&forward, &deferred);
    println!("{differ} of {} pixels differ", forward.len());
    assert!(differ < forward.len() / 50);
    set_scatter(app, Scatter::default());
    let bare = draw(app, camera, transform, true);
    let trees = count_changed(&bare, &deferred);
    assert!(trees > forward.len() / 20);
}

/// A red decal over the left half of a picture of boulders on snow.
#[test]
fn decals_lie_on_ground_and_plants() {
    let Some(_turn) = turn() else { return };
    let (mut app, camera) = still(plain().with_scatter(scatter(Model::Boulder, 6.0)), 200.0);
    let transform = Transform::from_xyz(0.0, 50.0, 0.0).looking_to(Vec3::NEG_Y, Vec3::NEG_Z);
    let plain_rocks = draw(&mut app, camera, transform, true);

    let size = Extent3d { width: 1, height: 1, depth_or_array_layers: 1 };
    let (red, format) = ([255, 0, 0, 255], TextureFormat::Rgba8UnormSrgb);
    let red = Image::new_fill(size, TextureDimension::D2, &red, format, default());
    let red = add::<Image>(&mut app, red);
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

/// Grass bends away from a body, and stands up again.
#[test]
fn grass_makes_way_for_a_body() {
    let Some(_turn) = turn() else { return };
    let (mut app, camera) = still(plain().with_scatter(scatter(Model::Grass, 0.3)), 100.0);
    // From above, so that blades hide no others.
    let transform = Transform::from_xyz(0.0, 6.0, 0.0).looking_to(Vec3::NEG_Y, Vec3::NEG_Z);
    let standing = draw(&mut app, camera, transform, true);
    let body = (Transform::from_xyz(0.0, 1.2, 0.0), BendsPlants { radius: 1.2, below: 1.2 });
    let body = app.world_mut().spawn(body).id();
    let bent = draw(&mut app, camera, transform, true);
    // Where it is not, nothing has moved.
    let moved = changed(&standing, &bent);
    let (width, height) = (WIDTH as usize, HEIGHT as usize);
    assert_eq!(moved.len(), width * height);
    let metres = |k: usize| {
        let [x, y] =
            [(k % width) as f32 - 0.5 * width as f32, (k / width) as f32 - 0.5 * height as f32];
        // The camera sees 2 x 6 x tan(22.5) metres upwards.
        x.hypot(y) * 12.0 * 0.4142 / height as f32
    };
    let far = (0..moved.len()).filter(|&k| moved[k] && metres(k) > 2.5).count();
    let near = (0..moved.len()).filter(|&k| moved[k] && metres(k) < 2.0).count();
    println!("{near} pixels near the body have changed, and {far} far from it");
    assert!(near > moved.len() / 200 && far == 0, "{near} and {far}");
    app.world_mut().entity_mut(body).despawn();
    let again = draw(&mut app, camera, transform, true);
    assert!(!changed(&standing, &again).contains(&true));
    // In the middle more of the ground is bare.
    set_scatter(&mut app, Default::default());
    let bare = draw(&mut app, camera, transform, true);
    let blades = |picture: &[[u8; 3]]| {
        let differ = changed(picture, &bare);
        (0..differ.len()).filter(|&k| differ[k] && metres(k) < 0.5).count()
    };
    let [before, after] = [&standing, &bent].map(|picture| blades(picture));
    println!("{before} pixels of blades in the middle, {after} beside the body");
    assert!(2 * after < before, "{before} {after}");
}

/// After the device was lost, the same picture is drawn on the next one.
#[test]
fn all_is_rebuilt_after_a_device_was_lost() {
    let Some(_turn) = turn() else { return };
    let terrain = plain().with_scatter(scatter(Model::Spruce, 5.0)).with_sea(-5.0);
    let (mut app, camera) = still(terrain, 200.0);
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
