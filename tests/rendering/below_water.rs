//! What is below the surface of water, seen from above and from below.

use bevy::camera::visibility::RenderLayers;
use bevy::camera::{ClearColorConfig, RenderTarget, ScalingMode};
use bevy::core_pipeline::tonemapping::Tonemapping;
use bevy::prelude::*;
use bevy::render::settings::WgpuFeatures;
use bevy_orogeny::advanced::{RiverMaterial, SeaMaterial, Submerged, WaterOptics};
use bevy_orogeny::orogeny::edits::{Area, Disc, Flood};
use bevy_orogeny::{TerrainOrigin, TerrainViewer};

use super::support::*;

/// A board of the game's, 4 m wide, which shines by itself and can be painted.
struct Board {
    entity: Entity,
    material: Handle<StandardMaterial>,
}

impl Board {
    fn at(app: &mut App, place: Transform) -> Self {
        let mesh = add::<Mesh>(app, Cuboid::from_length(4.0));
        let white = StandardMaterial { unlit: true, ..default() };
        let material = add::<StandardMaterial>(app, white);
        let entity = (Mesh3d(mesh), MeshMaterial3d(material.clone()), place);
        let entity = app.world_mut().spawn(entity).id();
        Self { entity, material }
    }

    fn paint(&self, app: &mut App, color: Color) {
        let mut materials = app.world_mut().resource_mut::<Assets<StandardMaterial>>();
        materials.get_mut(&self.material).unwrap().base_color = color;
    }
}

/// The part of the light of a board that reaches the middle of the picture, for each colour: the
/// difference that its colour makes.
fn left_of(app: &mut App, camera: Entity, board: &Board, transform: Transform) -> [f32; 3] {
    let [bright, dark] = [Color::WHITE, Color::BLACK].map(|color| {
        board.paint(app, color);
        let middle = middle(&draw(app, camera, transform, true));
        Srgba::rgb_u8(middle[0], middle[1], middle[2])
    });
    let [bright, dark] = [bright, dark].map(|color| LinearRgba::from(color).to_f32_array());
    [0, 1, 2].map(|k| bright[k] - dark[k])
}

/// Checks what is left of the light of a board.
#[track_caller]
fn check(what: &str, left: [f32; 3], expected: [f32; 3]) {
    println!("{what}: {left:?}, expected {expected:?}");
    for k in 0..3 {
        let error = (left[k] - expected[k]).abs();
        assert!(error < 0.01 + 0.01 * expected[k], "{what}: {left:?}, expected {expected:?}");
    }
}

const CLEAR: WaterOptics = WaterOptics { absorption: [0.05, 0.02, 0.01], deep: [0.0, 0.02, 0.04] };

/// An app with a sea of flat, clear water 300 m deep, which keeps what its optics say and no more,
/// on a device that lacks some features.
fn flat_sea(missing: WgpuFeatures) -> (App, Entity) {
    let viewer = TerrainViewer { range: 2000.0, ..default() };
    let origin = TerrainOrigin::default();
    let (mut app, camera) = app_that(true, missing, (), sea(-300.0), viewer, origin);
    stop_time(&mut app);
    app.world_mut().entity_mut(camera).insert(Tonemapping::None);
    // Neither glitter nor caustics.
    let light = sun(&mut app);
    app.world_mut().despawn(light);
    draw(&mut app, camera, Transform::from_xyz(0.0, 30.0, 0.0), true);
    change_all(&mut app, |material: &mut SeaMaterial| {
        material.extension.steepness = 0.0;
        material.extension.optics = CLEAR;
    });
    change_all(&mut app, |material: &mut RiverMaterial| {
        material.extension.steepness = 0.0;
        material.extension.optics = CLEAR;
    });
    (app, camera)
}

/// Straight down from 20 m above the sea.
fn above() -> Transform {
    Transform::from_xyz(0.0, 20.0, 0.0).looking_to(Vec3::NEG_Y, Vec3::NEG_Z)
}

#[test]
fn water_absorbs_what_is_seen_through_it() {
    let Some(_turn) = turn() else { return };
    let (mut app, camera) = flat_sea(WgpuFeatures::empty());
    boards_are_absorbed(&mut app, camera);
    maps_look_straight_down(&mut app, camera);
    cameras_at_one_place_absorb_once(&mut app, camera);
    divers_see_through_the_water_before_them(&mut app, camera);
    cameras_that_are_no_viewers_dive(&mut app, camera);
}

/// From above, a board loses on each metre down to it and up again what the Beer-Lambert law says,
/// and it is not hidden by the ground far below it.
fn boards_are_absorbed(app: &mut App, camera: Entity) {
    for depth in [1.0, 10.0, 60.0f32] {
        let board = Board::at(app, Transform::from_xyz(0.0, -depth - 2.0, 0.0));
        let left = left_of(app, camera, &board, above());
        // The surface reflects two parts in a hundred.
        let expected = CLEAR.absorption.map(|a| 0.98 * (-2.0 * a * depth).exp());
        check(&format!("{depth} m"), left, expected);
        app.world_mut().despawn(board.entity);
    }
}

/// From above, an orthographic camera looks straight down everywhere.
fn maps_look_straight_down(app: &mut App, camera: Entity) {
    let scaling_mode = ScalingMode::FixedVertical { viewport_height: 200.0 };
    let mut map = OrthographicProjection { scaling_mode, ..OrthographicProjection::default_3d() };
    // The middle of the picture is far from where the camera looks.
    map.viewport_origin = vec2(0.5, 0.1);
    app.world_mut().entity_mut(camera).insert(Projection::from(map));
    let board = Board::at(app, Transform::from_xyz(0.0, -12.0, -80.0));
    let left = left_of(app, camera, &board, above());
    let expected = CLEAR.absorption.map(|a| 0.98 * (-20.0 * a).exp());
    check("a map", left, expected);
    app.world_mut().despawn(board.entity);
    app.world_mut().entity_mut(camera).insert(Projection::default());
}

/// A second camera at the same place, such as one for the arms of the player, does not absorb what
/// the first one has drawn, whatever layers it sees.
fn cameras_at_one_place_absorb_once(app: &mut App, camera: Entity) {
    let board = Board::at(app, Transform::from_xyz(0.0, -30.0, -32.0));
    let dive = Transform::from_xyz(0.0, -30.0, 0.0).looking_to(Vec3::NEG_Z, Vec3::Y);
    let alone = left_of(app, camera, &board, dive);
    let target = app.world().get::<RenderTarget>(camera).unwrap().clone();
    let second = Camera { order: 1, clear_color: ClearColorConfig::None, ..default() };
    let second = (Camera3d::default(), second, Tonemapping::None, Msaa::Off, target, dive);
    let second = app.world_mut().spawn(second).id();
    for layers in [RenderLayers::layer(1), RenderLayers::layer(0)] {
        app.world_mut().entity_mut(second).insert(layers.clone());
        let both = left_of(app, camera, &board, dive);
        println!("{alone:?} alone, {both:?} with another one of {layers:?}");
        assert!((0..3).all(|k| (both[k] - alone[k]).abs() < 0.01), "{both:?}, alone {alone:?}");
        assert!(app.world().get::<Submerged>(second).is_some());
    }
    app.world_mut().despawn(second);
    app.world_mut().despawn(board.entity);
}

/// A diver sees a board through the water between them, lit through the water above it; and the
/// game knows who is under water, in the sea and in a flood.
fn divers_see_through_the_water_before_them(app: &mut App, camera: Entity) {
    let board = Board::at(app, Transform::from_xyz(0.0, -30.0, -32.0));
    let dive = |depth: f32| Transform::from_xyz(0.0, -depth, 0.0).looking_to(Vec3::NEG_Z, Vec3::Y);
    let left = left_of(app, camera, &board, dive(30.0));
    let expected = CLEAR.absorption.map(|a| (-a * (30.0 + 30.0)).exp());
    check("a diver in the sea", left, expected);
    let diver = app.world().get::<Submerged>(camera).copied().expect("a diver");
    assert!(diver.is_sea && diver.surface == 0.0);
    // Out of the water nothing is left of it.
    let left = left_of(app, camera, &board, Transform::from_xyz(0.0, 2.0, 0.0));
    assert!(left.iter().all(|part| part.abs() < 1e-3));
    assert!(app.world().get::<Submerged>(camera).is_none());

    // A flood above the sea.
    let disc = Disc { center: [0.0; 2], radius: 300.0, falloff: 1.0 };
    let flood = Flood { area: Area::Disc(disc), level: 10.0 };
    let flood = edits(app).log.add(1, flood).unwrap();
    let left = left_of(app, camera, &board, dive(30.0));
    let expected = CLEAR.absorption.map(|a| (-a * (40.0 + 30.0)).exp());
    check("a diver in a flood", left, expected);
    let diver = app.world().get::<Submerged>(camera).copied().expect("a diver");
    assert!(!diver.is_sea && diver.surface == 10.0);
    edits(app).log.undo(1, &flood).unwrap();
    app.world_mut().despawn(board.entity);
}

/// A camera that views no terrain dives, too; and nothing is left of water that is gone.
fn cameras_that_are_no_viewers_dive(app: &mut App, camera: Entity) {
    let viewer = *app.world().get::<TerrainViewer>(camera).unwrap();
    app.world_mut().spawn((viewer, Transform::from_xyz(0.0, 30.0, 0.0)));
    app.world_mut().entity_mut(camera).remove::<TerrainViewer>();
    let submerged = |app: &mut App, height: f32| {
        *app.world_mut().get_mut::<Transform>(camera).unwrap() =
            Transform::from_xyz(500.0, height, 0.0);
        (0..3).for_each(|_| app.update());
        app.world().get::<Submerged>(camera).copied()
    };
    for height in [-5.0, 30.0, -250.0] {
        assert_eq!(submerged(app, height).is_some(), height < 0.0, "{height}");
    }
    let terrain = terrain(app);
    let below = Transform::from_xyz(500.0, -20.0, 0.0);
    let shown = draw(app, camera, below, true);
    app.world_mut().entity_mut(terrain).insert(Visibility::Hidden);
    let hidden = draw(app, camera, below, true);
    app.world_mut().despawn(terrain);
    assert_eq!(submerged(app, -250.0), None);
    // Of a hidden terrain no water is left, either.
    assert!(hidden == draw(app, camera, below, false) && hidden != shown);
}

/// A device that cannot blend by colour takes the mean.
#[test]
fn boards_under_water_are_absorbed_by_the_mean_of_colours() {
    let Some(_turn) = turn() else { return };
    let (mut app, camera) = flat_sea(WgpuFeatures::DUAL_SOURCE_BLENDING);
    let board = Board::at(&mut app, Transform::from_xyz(0.0, -12.0, 0.0));
    let left = left_of(&mut app, camera, &board, above());
    let expected = CLEAR.absorption.map(|a| 0.98 * (-20.0 * a).exp()).iter().sum::<f32>() / 3.0;
    check("the mean", left, [expected; 3]);
}

/// A game's own material of the ground, which knows nothing of water, is seen through the sea.
#[test]
fn a_material_of_the_game_is_seen_through_the_sea() {
    let Some(_turn) = turn() else { return };
    let (mut app, camera) = still(sea(-12.0), 500.0);
    let white = StandardMaterial { unlit: true, ..default() };
    let white = add::<StandardMaterial>(&mut app, white);
    let terrain = terrain(&mut app);
    app.world_mut().entity_mut(terrain).insert(MeshMaterial3d(white));
    let middle = middle(&draw(&mut app, camera, above(), true));
    // At 12 m nothing is left of red, and a sixth of green.
    assert!(middle[0] < 60 && middle[1] > 80 && middle[2] > middle[1], "{middle:?}");
}
