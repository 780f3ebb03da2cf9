//! A game's own textures on the ground: paving instead of grass, and a kind of ground of its own.
//! The images are made by code, so that there is nothing to download.
//!
//! `cargo run --release --example own_textures`, or with `-- picture.png` to draw a picture without
//! a window.

mod paving;
#[path = "../shared/picture.rs"]
mod picture;

use bevy::camera_controller::free_camera::{FreeCamera, FreeCameraPlugin};
use bevy::prelude::*;
use bevy_orogeny::orogeny::cover::{CoverKind, CoverLayer};
use bevy_orogeny::orogeny::{Cover, Fractal, GradientNoise, Recipe};
use bevy_orogeny::prelude::*;

const KEYS: &str = "own_textures: W A S D to move, Q and E for down and up, right mouse to look; \
                    T removes or restores the textures";
const SKY: Color = Color::srgb(0.55, 0.7, 0.86);

fn main() -> AppExit {
    let mut app = App::new();
    picture::open(&mut app, KEYS);
    app.add_plugins((FreeCameraPlugin, TerrainPlugins))
        .insert_resource(ClearColor(SKY))
        .insert_resource(GlobalAmbientLight { brightness: 600.0, ..default() })
        .init_resource::<Other>()
        .add_systems(Startup, setup)
        .add_systems(Update, toggle)
        .run()
}

/// What T swaps with the textures of the terrain: none at first.
#[derive(Resource, Default)]
struct Other(GroundTextures);

fn setup(
    mut commands: Commands,
    mut images: ResMut<Assets<Image>>,
    mut materials: ResMut<Assets<GroundMaterial>>,
) -> Result {
    // Three kinds of ground: grass, which is paved here, lava on slopes, and the plugin's snow.
    let layer = CoverLayer::of;
    let cover = Cover {
        layers: vec![
            layer(CoverKind::Grass),
            CoverLayer { slope: CoverLayer::SLOPE.above(0.45).soft(0.1), ..layer(lava()) },
            CoverLayer {
                height: CoverLayer::HEIGHT.above(28.0).soft(10.0),
                ..layer(CoverKind::Snow)
            },
        ],
    };
    let hills = Fractal { frequency: 0.004, ..Fractal::fbm(7.0, GradientNoise::seeded(5)) };
    let terrain = Terrain::recipe(Recipe::new(1, 45.0, hills)).covered(cover);

    let paving = paving::images(256);
    let paved = GroundMaterial {
        base_color_texture: Some(images.add(paving.colour)),
        normal_map_texture: Some(images.add(paving.normal)),
        depth_map: Some(images.add(paving.height)),
        width: 2.0,
        ..default()
    };
    // A single colour is enough.
    let glowing = GroundMaterial { tint: Color::srgb(0.55, 0.09, 0.04), ..default() };
    let textures = GroundTextures::default()
        .with(CoverKind::Grass, materials.add(paved))
        .with(lava(), materials.add(glowing));

    let height = terrain.height([0.0, 0.0])?.value;
    commands.spawn((terrain, textures));
    commands.spawn((
        Camera3d::default(),
        picture::Taken,
        TerrainViewer::default(),
        FreeCamera { walk_speed: 10.0, run_speed: 100.0, ..default() },
        Transform::from_xyz(0.0, height + 4.0, 0.0).looking_to(Vec3::new(-1.0, -0.2, 0.8), Vec3::Y),
    ));
    commands.spawn((
        DirectionalLight::default(),
        Transform::default().looking_to(Vec3::new(-0.7, -0.6, -0.5), Vec3::Y),
    ));
    Ok(())
}

/// A kind of ground that only this game has.
fn lava() -> CoverKind {
    CoverKind::Custom("lava".into())
}

fn toggle(
    keys: Res<ButtonInput<KeyCode>>,
    terrain: Single<&mut GroundTextures>,
    mut other: ResMut<Other>,
) {
    if keys.just_pressed(KeyCode::KeyT) {
        core::mem::swap(&mut *terrain.into_inner(), &mut other.0);
    }
}
