//! What is below the surface of water, seen from above and from below.

use bevy::camera::visibility::RenderLayers;
use bevy::camera::{ClearColorConfig, RenderTarget, ScalingMode};
use bevy::core_pipeline::tonemapping::Tonemapping;
use bevy::prelude::*;
use bevy::render::settings::WgpuFeatures;
use bevy_orogeny::orogeny::edits::{Area, Disc, Flood};
use bevy_orogeny::orogeny::{Node, Recipe};
use bevy_orogeny::{
    RiverMaterial, SeaMaterial, Submerged, Terrain, TerrainEdits, TerrainOrigin, TerrainViewer,
    WaterOptics,
};

use super::support::*;

/// A sea 300 m deep.
fn deep() -> Terrain {
    let recipe = Recipe { sea_level: Some(0.0), ..Recipe::new(0, 1.0, Node::Constant(-300.0)) };
    Terrain::recipe(recipe)
}

/// A board of the game's, 4 m wide, which shines by itself and can be painted.
struct Board {
    entity: Entity,
    material: Handle<StandardMaterial>,
}

impl Board {
    fn at(app: &mut App, place: Transform) -> Self {
        let mesh = app.world_mut().resource_mut::<Assets<Mesh>>().add(Cuboid::from_length(4.0));
        let white = StandardMaterial { unlit: true, ..default() };
        let material = app.world_mut().resource_mut::<Assets<StandardMaterial>>().add(white);
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
        let picture = draw(app, camera, transform, true);
        let middle = picture[(HEIGHT / 2 * WIDTH + WIDTH / 2) as usize];
        Srgba::rgb_u8(middle[0], middle[1], middle[2])
    });
    let [bright, dark] = [bright, dark].map(|color| LinearRgba::from(color).to_f32_array());
    [0, 1, 2].map(|k| bright[k] - dark[k])
}

/// An app with a sea of flat, clear water, which keeps what its optics say and no more, on a device
/// that lacks some features.
fn flat_sea(missing: WgpuFeatures, terrain: Terrain, optics: WaterOptics) -> (App, Entity) {
    let viewer = TerrainViewer { range: 2000.0, ..default() };
    let (mut app, camera) = app_without(missing, (), terrain, viewer, TerrainOrigin::default());
    stop_time(&mut app);
    app.world_mut().entity_mut(camera).insert(Tonemapping::None);
    // Neither glitter nor caustics.
    let mut lights = app.world_mut().query_filtered::<Entity, With<DirectionalLight>>();
    let light = lights.single(app.world()).unwrap();
    app.world_mut().despawn(light);
    draw(&mut app, camera, Transform::from_xyz(0.0, 30.0, 0.0), true);
    let mut materials = app.world_mut().resource_mut::<Assets<SeaMaterial>>();
    let ids: Vec<_> = materials.ids().collect();
    for id in ids {
        let mut material = materials.get_mut(id).unwrap();
        material.extension.steepness = 0.0;
        material.extension.optics = optics;
    }
    let mut materials = app.world_mut().resource_mut::<Assets<RiverMaterial>>();
    let look = materials.ids().next().unwrap();
    let mut material = materials.get_mut(look).unwrap();
    material.extension.steepness = 0.0;
    material.extension.optics = optics;
    drop(material);
    (app, camera)
}

const CLEAR: WaterOptics = WaterOptics { absorption: [0.05, 0.02, 0.01], deep: [0.0, 0.02, 0.04] };

/// From above, a board loses on each metre down to it and up again what the Beer-Lambert law says,
/// and it is not hidden by the ground far below it.
#[test]
fn boards_under_water_are_absorbed() {
    let Some(_turn) = turn() else { return };
    let (mut app, camera) = flat_sea(WgpuFeatures::empty(), deep(), CLEAR);
    let above = Transform::from_xyz(0.0, 20.0, 0.0).looking_to(Vec3::NEG_Y, Vec3::NEG_Z);
    for depth in [1.0, 10.0, 60.0f32] {
        let board = Board::at(&mut app, Transform::from_xyz(0.0, -depth - 2.0, 0.0));
        let left = left_of(&mut app, camera, &board, above);
        // The surface reflects two parts in a hundred.
        let expected = CLEAR.absorption.map(|a| 0.98 * (-2.0 * a * depth).exp());
        println!("{depth} m: {left:?}, expected {expected:?}");
        for k in 0..3 {
            assert!((left[k] - expected[k]).abs() < 0.01 + 0.01 * expected[k]);
        }
        app.world_mut().despawn(board.entity);
    }
}

/// A device that cannot blend by colour takes the mean.
#[test]
fn boards_under_water_are_absorbed_by_the_mean_of_colours() {
    let Some(_turn) = turn() else { return };
    let (mut app, camera) = flat_sea(WgpuFeatures::DUAL_SOURCE_BLENDING, deep(), CLEAR);
    let above = Transform::from_xyz(0.0, 20.0, 0.0).looking_to(Vec3::NEG_Y, Vec3::NEG_Z);
    let board = Board::at(&mut app, Transform::from_xyz(0.0, -12.0, 0.0));
    let left = left_of(&mut app, camera, &board, above);
    let expected = CLEAR.absorption.map(|a| 0.98 * (-20.0 * a).exp()).iter().sum::<f32>() / 3.0;
    println!("{left:?}, expected {expected:?}");
    assert!(left.iter().all(|part| (part - expected).abs() < 0.01 + 0.01 * expected));
}

/// A diver sees a board through the water between them, lit through the water above it; and the
/// game knows who is under water, in the sea and in a flood.
#[test]
fn divers_see_through_the_water_before_them() {
    let Some(_turn) = turn() else { return };
    let (mut app, camera) = flat_sea(WgpuFeatures::empty(), deep(), CLEAR);
    let board = Board::at(&mut app, Transform::from_xyz(0.0, -30.0, -32.0));
    let dive = |depth: f32| Transform::from_xyz(0.0, -depth, 0.0).looking_to(Vec3::NEG_Z, Vec3::Y);
    let left = left_of(&mut app, camera, &board, dive(30.0));
    let expected = CLEAR.absorption.map(|a| (-a * (30.0 + 30.0)).exp());
    println!("{left:?}, expected {expected:?}");
    for k in 0..3 {
        assert!((left[k] - expected[k]).abs() < 0.01 + 0.01 * expected[k]);
    }
    let diver = app.world().get::<Submerged>(camera).copied().expect("a diver");
    assert!(diver.is_sea && diver.surface == 0.0);
    // Out of the water nothing is left of it.
    let left = left_of(&mut app, camera, &board, Transform::from_xyz(0.0, 2.0, 0.0));
    assert!(left.iter().all(|part| part.abs() < 1e-3));
    assert!(app.world().get::<Submerged>(camera).is_none());

    // A flood above the sea.
    let mut terrains = app.world_mut().query::<&mut TerrainEdits>();
    let mut edits = terrains.single_mut(app.world_mut()).unwrap();
    let disc = Disc { center: [0.0; 2], radius: 300.0, falloff: 1.0 };
    edits.log.add(1, Flood { area: Area::Disc(disc), level: 10.0 }).unwrap();
    let left = left_of(&mut app, camera, &board, dive(30.0));
    let expected = CLEAR.absorption.map(|a| (-a * (40.0 + 30.0)).exp());
    println!("{left:?}, expected {expected:?}");
    for k in 0..3 {
        assert!((left[k] - expected[k]).abs() < 0.01 + 0.01 * expected[k]);
    }
    let diver = app.world().get::<Submerged>(camera).copied().expect("a diver");
    assert!(!diver.is_sea && diver.surface == 10.0);
}

/// A camera that views no terrain dives, too; and nothing is left of water that is gone.
#[test]
fn cameras_that_are_no_viewers_dive() {
    let Some(_turn) = turn() else { return };
    let (mut app, camera) = flat_sea(WgpuFeatures::empty(), deep(), CLEAR);
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
        assert_eq!(submerged(&mut app, height).is_some(), height < 0.0, "{height}");
    }
    let mut terrains = app.world_mut().query_filtered::<Entity, With<Terrain>>();
    let terrain = terrains.single(app.world()).unwrap();
    let below = Transform::from_xyz(500.0, -20.0, 0.0);
    let shown = draw(&mut app, camera, below, true);
    app.world_mut().entity_mut(terrain).insert(Visibility::Hidden);
    let hidden = draw(&mut app, camera, below, true);
    app.world_mut().despawn(terrain);
    assert_eq!(submerged(&mut app, -250.0), None);
    // Of a hidden terrain no water is left, either.
    assert!(hidden == draw(&mut app, camera, below, false) && hidden != shown);
}

/// From above, an orthographic camera looks straight down everywhere.
#[test]
fn maps_look_straight_down_into_water() {
    let Some(_turn) = turn() else { return };
    let (mut app, camera) = flat_sea(WgpuFeatures::empty(), deep(), CLEAR);
    let scaling_mode = ScalingMode::FixedVertical { viewport_height: 200.0 };
    let mut map = OrthographicProjection { scaling_mode, ..OrthographicProjection::default_3d() };
    // The middle of the picture is far from where the camera looks.
    map.viewport_origin = vec2(0.5, 0.1);
    app.world_mut().entity_mut(camera).insert(Projection::from(map));
    let above = Transform::from_xyz(0.0, 20.0, 0.0).looking_to(Vec3::NEG_Y, Vec3::NEG_Z);
    let board = Board::at(&mut app, Transform::from_xyz(0.0, -12.0, -80.0));
    let left = left_of(&mut app, camera, &board, above);
    let expected = CLEAR.absorption.map(|a| 0.98 * (-20.0 * a).exp());
    println!("{left:?}, expected {expected:?}");
    for k in 0..3 {
        assert!((left[k] - expected[k]).abs() < 0.01 + 0.01 * expected[k]);
    }
}

/// A game's own material of the ground, which knows nothing of water, is seen through the sea.
#[test]
fn a_material_of_the_game_is_seen_through_the_sea() {
    let Some(_turn) = turn() else { return };
    let viewer = TerrainViewer { range: 500.0, ..default() };
    let recipe = Recipe { sea_level: Some(0.0), ..Recipe::new(0, 1.0, Node::Constant(-12.0)) };
    let (mut app, camera) = app(Terrain::recipe(recipe), viewer, TerrainOrigin::default());
    stop_time(&mut app);
    let white = StandardMaterial { unlit: true, ..default() };
    let white = app.world_mut().resource_mut::<Assets<StandardMaterial>>().add(white);
    let mut terrains = app.world_mut().query_filtered::<Entity, With<Terrain>>();
    let terrain = terrains.single(app.world()).unwrap();
    app.world_mut().entity_mut(terrain).insert(MeshMaterial3d(white));
    let above = Transform::from_xyz(0.0, 20.0, 0.0).looking_to(Vec3::NEG_Y, Vec3::NEG_Z);
    let picture = draw(&mut app, camera, above, true);
    let middle = picture[(HEIGHT / 2 * WIDTH + WIDTH / 2) as usize];
    // At 12 m nothing is left of red, and a sixth of green.
    assert!(middle[0] < 60 && middle[1] > 80 && middle[2] > middle[1], "{middle:?}");
}

/// A second camera at the same place, such as one for the arms of the player, does not absorb what
/// the first one has drawn, whatever layers it sees.
#[test]
fn cameras_at_one_place_absorb_once() {
    let Some(_turn) = turn() else { return };
    let (mut app, camera) = flat_sea(WgpuFeatures::empty(), deep(), CLEAR);
    let board = Board::at(&mut app, Transform::from_xyz(0.0, -30.0, -32.0));
    let dive = Transform::from_xyz(0.0, -30.0, 0.0).looking_to(Vec3::NEG_Z, Vec3::Y);
    let alone = left_of(&mut app, camera, &board, dive);
    let target = app.world().get::<RenderTarget>(camera).unwrap().clone();
    let second = Camera { order: 1, clear_color: ClearColorConfig::None, ..default() };
    let second = (Camera3d::default(), second, Tonemapping::None, Msaa::Off, target, dive);
    let second = app.world_mut().spawn(second).id();
    for layers in [RenderLayers::layer(1), RenderLayers::layer(0)] {
        app.world_mut().entity_mut(second).insert(layers.clone());
        let both = left_of(&mut app, camera, &board, dive);
        println!("{alone:?} alone, {both:?} with another one of {layers:?}");
        assert!((0..3).all(|k| (both[k] - alone[k]).abs() < 0.01));
        assert!(app.world().get::<Submerged>(second).is_some());
    }
}
