//! A wood in views other than one camera's: a split screen, the light of a lamp, deferred ground
//! beside it, and layers. Each test takes some ten seconds, which woods do without a device.

use bevy::camera::visibility::RenderLayers;
use bevy::camera::{RenderTarget, Viewport};
use bevy::pbr::DefaultOpaqueRendererMethod;
use bevy::prelude::*;
use bevy_orogeny::orogeny::scatter::{Model, Scatter};
use bevy_orogeny::{TerrainOrigin, TerrainViewer};

use super::support::*;
use super::woods::{changed, plain, scatter, set_scatter};

fn wood() -> (App, Entity) {
    let viewer = TerrainViewer { range: 400.0, ..default() };
    let terrain = plain().with_scatter(scatter(Model::Spruce, 12.0));
    let (mut app, camera) = app(terrain, viewer, TerrainOrigin::default());
    stop_time(&mut app);
    (app, camera)
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
#[test]
fn the_halves_of_a_split_screen_are_those_of_their_cameras() {
    let Some(_turn) = turn() else { return };
    let (mut app, first) = wood();
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
    let both = draw(&mut app, first, ahead, true);
    set_active(&mut app, second, false);
    let left = draw(&mut app, first, ahead, true);
    set_active(&mut app, second, true);
    set_active(&mut app, first, false);
    app.world_mut().get_mut::<Camera>(second).unwrap().clear_color = ClearColorConfig::Default;
    let right = draw(&mut app, first, ahead, true);
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
}

/// By night a lamp throws the shadows of trees, and a layer that the camera has not hides them.
#[test]
fn a_lamp_in_a_wood_has_shadows() {
    let Some(_turn) = turn() else { return };
    let (mut app, camera) = wood();
    let mut suns = app.world_mut().query::<&mut DirectionalLight>();
    suns.single_mut(app.world_mut()).unwrap().illuminance = 0.0;
    let lamp = PointLight { intensity: 3e7, range: 80.0, shadow_maps_enabled: true, ..default() };
    let lamp = app.world_mut().spawn((lamp, Transform::from_xyz(6.0, 5.0, 6.0))).id();
    let transform =
        Transform::from_xyz(0.0, 30.0, 0.0).looking_to(Vec3::new(0.5, -1.0, 0.5), Vec3::Y);
    draw(&mut app, camera, transform, true);
    (0..3).for_each(|_| app.update());
    let shaded = draw(&mut app, camera, transform, true);
    app.world_mut().get_mut::<PointLight>(lamp).unwrap().shadow_maps_enabled = false;
    let lit = draw(&mut app, camera, transform, true);
    let shadows = changed(&shaded, &lit).into_iter().filter(|&changed| changed).count();
    println!("{shadows} of {} pixels are in shadows of trees", lit.len());
    assert!(shadows > lit.len() / 50 && shadows < lit.len());
    app.world_mut().entity_mut(camera).insert(RenderLayers::layer(3));
    let none = draw(&mut app, camera, transform, true);
    assert!(none.iter().all(|pixel| *pixel == BACKGROUND));
}

/// Where opaque materials are deferred, the wood is drawn forwards, as without.
#[test]
fn a_wood_is_the_same_beside_deferred_materials() {
    let Some(_turn) = turn() else { return };
    let (mut app, camera) = wood();
    let transform =
        Transform::from_xyz(0.0, 8.0, 0.0).looking_to(Vec3::new(1.0, -0.1, 0.3), Vec3::Y);
    let mesh = app.world_mut().resource_mut::<Assets<Mesh>>().add(Cuboid::new(2.0, 12.0, 2.0));
    let paint =
        app.world_mut().resource_mut::<Assets<StandardMaterial>>().add(Color::srgb(0.8, 0.1, 0.1));
    let post = (Mesh3d(mesh), MeshMaterial3d(paint), Transform::from_xyz(20.0, 6.0, 4.0));
    app.world_mut().spawn(post);
    let forward = draw(&mut app, camera, transform, true);
    app.insert_resource(DefaultOpaqueRendererMethod::deferred());
    use bevy::core_pipeline::prepass::{DeferredPrepass, DepthPrepass};
    app.world_mut().entity_mut(camera).insert((DepthPrepass, DeferredPrepass));
    (0..5).for_each(|_| app.update());
    let deferred = draw(&mut app, camera, transform, true);
    let differ = changed(&forward, &deferred).into_iter().filter(|&changed| changed).count();
    println!("{differ} of {} pixels differ", forward.len());
    assert!(differ < forward.len() / 50);
    set_scatter(&mut app, Scatter::default());
    let bare = draw(&mut app, camera, transform, true);
    let trees = changed(&bare, &deferred).into_iter().filter(|&changed| changed).count();
    assert!(trees > forward.len() / 20);
}
