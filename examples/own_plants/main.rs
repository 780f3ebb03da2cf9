//! A game's own trees, drawn as the plugin's: with levels of detail, shadows and wind, by the
//! thousand. The tree is a glTF file that is made by code, so that there is nothing to download.
//!
//! `cargo run --release --example own_plants`, or with `-- picture.png` to draw a picture without a
//! window.

mod glb;
mod images;
mod numbers;
#[path = "../shared/picture.rs"]
mod picture;
mod surface;
mod tree;

use std::path::Path;

use bevy::asset::io::AssetSourceBuilder;
use bevy::asset::io::memory::{Dir, MemoryAssetReader};
use bevy::camera_controller::free_camera::{FreeCamera, FreeCameraPlugin};
use bevy::light::CascadeShadowConfigBuilder;
use bevy::prelude::*;
use bevy_orogeny::orogeny::cover::{CoverKind, CoverLayer};
use bevy_orogeny::orogeny::scatter::{Model, Scatter, ScatterKind};
use bevy_orogeny::orogeny::{Cover, Fractal, GradientNoise, Recipe};
use bevy_orogeny::prelude::*;

const KEYS: &str = "own_plants: W A S D to move, Q and E for down and up, right mouse to look; \
                    T fells the nearest tree, Y turns the wind";
const SKY: Color = Color::srgb(0.62, 0.75, 0.88);

fn main() -> AppExit {
    // A game has the file in its folder of assets, and needs none of this.
    let folder = Dir::default();
    folder.insert_asset(Path::new("tree.glb"), tree::tree());
    let reader = move || Box::new(MemoryAssetReader { root: folder.clone() }) as Box<_>;
    let mut app = App::new();
    app.register_asset_source("made", AssetSourceBuilder::new(reader));
    picture::open(&mut app, KEYS);
    app.add_plugins((FreeCameraPlugin, TerrainPlugins))
        .insert_resource(ClearColor(SKY))
        .insert_resource(GlobalAmbientLight { brightness: 700.0, ..default() })
        .add_systems(Startup, setup)
        .add_systems(Update, (fell, turn_wind))
        .run()
}

fn setup(
    mut commands: Commands,
    assets: Res<AssetServer>,
    mut models: ResMut<PlantModels>,
) -> Result {
    let tree = PlantModel::scene(assets.load("made://tree.glb#Scene0"));
    models.insert("tree", tree.with_sway(PlantSway::VertexColor));
    let kind = |model, seed| ScatterKind { model, seed, grass: 1.0, ..ScatterKind::default() };
    let trees = ScatterKind {
        radius: 6.5,
        coverage: 0.6,
        cluster_size: 120.0,
        solid_radius: 0.25,
        solid_height: 5.0,
        ..kind(Model::Custom("tree".into()), 1)
    };
    // The plugin's own grass, between them.
    let grass = ScatterKind { radius: 0.45, ..kind(Model::Grass, 2) };
    let scatter = Scatter { kinds: vec![trees, grass], ..Scatter::default() };

    let cover = Cover { layers: vec![CoverLayer::of(CoverKind::Grass)] };
    let hills = Fractal { frequency: 0.003, ..Fractal::fbm(6.0, GradientNoise::seeded(11)) };
    let recipe = Recipe { scatter, ..Recipe::new(1, 40.0, hills) };
    let terrain = Terrain::recipe(recipe).covered(cover);
    let height = terrain.height([0.0, 0.0])?.value;
    commands.spawn(terrain);
    commands.spawn((
        Camera3d::default(),
        picture::Taken,
        TerrainViewer::default(),
        FreeCamera { walk_speed: 10.0, run_speed: 100.0, ..default() },
        Transform::from_xyz(0.0, height + 3.0, 0.0).looking_to(Vec3::new(-1.0, -0.1, 0.8), Vec3::Y),
    ));
    let shadows = CascadeShadowConfigBuilder { maximum_distance: 300.0, ..default() };
    commands.spawn((
        DirectionalLight { shadow_maps_enabled: true, ..default() },
        shadows.build(),
        Transform::default().looking_to(Vec3::new(-0.7, -0.6, -0.5), Vec3::Y),
    ));
    Ok(())
}

/// Fells the tree that is nearest to the camera: an edit, which could be undone and saved.
fn fell(
    keys: Res<ButtonInput<KeyCode>>,
    ground: TerrainQuery,
    origin: Res<TerrainOrigin>,
    camera: Single<&Transform, With<TerrainViewer>>,
    mut terrain: Single<&mut TerrainEdits>,
) {
    if !keys.just_pressed(KeyCode::KeyT) {
        return;
    }
    let [x, _, z] = origin.position(camera.translation);
    let Ok(ground) = ground.single() else { return };
    let nearest = ground.query().placement().nearest([x, z], 50.0, |kind| kind.seed == 1);
    if let Ok(Some(tree)) = nearest
        && let Err(error) = terrain.log.add(1, tree.felling())
    {
        warn!("the tree was not felled: {error}");
    }
}

fn turn_wind(keys: Res<ButtonInput<KeyCode>>, mut wind: ResMut<TerrainWind>) {
    if keys.just_pressed(KeyCode::KeyY) {
        wind.heading += 0.8;
        wind.strength = if wind.strength < 1.5 { wind.strength + 0.5 } else { 0.0 };
    }
}
