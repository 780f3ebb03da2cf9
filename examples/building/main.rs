//! A road, a house on a pad, craters, a canyon and a cave in mountains, as edits of the terrain.
//!
//! `cargo run --release --example building`, or with `-- picture.png` to draw a picture without a
//! window.

#[path = "../shared/picture.rs"]
mod picture;
mod site;

use bevy::camera_controller::free_camera::{FreeCamera, FreeCameraPlugin};
use bevy::light::{CascadeShadowConfigBuilder, NotShadowCaster};
use bevy::prelude::*;
use bevy::render::render_resource::Face;
use bevy_orogeny::orogeny::Recipe;
use bevy_orogeny::prelude::*;

const KEYS: &str =
    "building: W A S D to move, Q and E for down and up, Shift for speed, right mouse to look";
const MOUNTAINS: &str = include_str!("../../assets/presets/alpine.terrain.ron");
/// Where the camera is, relative to the house, and what it looks at.
const EYE: Vec3 = Vec3::new(-80.0, 70.0, -165.0);
const AIM: Vec3 = Vec3::new(-5.0, 5.0, 30.0);
/// How far one sees, in metres.
const VISIBILITY: f32 = 25_000.0;
const SKY: Color = Color::srgb(0.55, 0.7, 0.86);

fn main() -> AppExit {
    let mut app = App::new();
    picture::open(&mut app, KEYS);
    app.add_plugins((FreeCameraPlugin, TerrainPlugins))
        .insert_resource(ClearColor(SKY))
        .insert_resource(GlobalAmbientLight { brightness: 800.0, ..default() })
        .add_systems(Startup, setup)
        .run()
}

fn setup(
    mut commands: Commands,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<StandardMaterial>>,
) -> Result {
    let terrain = Terrain::recipe(Recipe::from_ron(MOUNTAINS)?);
    let ground = GroundQuery::of(&terrain)?;
    let log = site::build(&ground)?;
    let edited = ground.with_edits(log.edits());
    commands.spawn((terrain, TerrainEdits { log }));

    let at = |[x, z]: [f64; 2], above: f32| -> Result<Vec3> {
        let height = ground.field([x, z])?.value;
        Ok(Vec3::new(x as f32, height + above, z as f32))
    };
    let [length, height, width] = site::HOUSE_SIZE.map(|side| side as f32);
    let house = at(site::HOUSE, 0.0)?;
    let mut plaster = |color| materials.add(StandardMaterial { base_color: color, ..default() });
    let (walls, tiles) =
        (plaster(Color::srgb(0.8, 0.76, 0.68)), plaster(Color::srgb(0.35, 0.15, 0.1)));
    commands.spawn((
        Mesh3d(meshes.add(Cuboid::new(length, height, width))),
        MeshMaterial3d(walls),
        Transform::from_translation(house + 0.5 * height * Vec3::Y),
    ));
    // A prism on the side.
    let roof = Extrusion::new(
        Triangle2d::new(
            Vec2::new(-0.6 * width, 0.0),
            Vec2::new(0.6 * width, 0.0),
            Vec2::new(0.0, 0.45 * width),
        ),
        length + 1.0,
    );
    commands.spawn((
        Mesh3d(meshes.add(roof)),
        MeshMaterial3d(tiles),
        Transform::from_translation(house + height * Vec3::Y)
            .with_rotation(Quat::from_rotation_y(std::f32::consts::FRAC_PI_2)),
    ));

    // The cave: an ellipsoid around the hole, deep into the slope, of which the inside is seen.
    let slope = ground.field(site::CAVE)?.gradient;
    let inwards = Vec3::new(slope[0], 0.0, slope[1]).normalize();
    let radius = site::CAVE_RADIUS as f32;
    let rock = materials.add(StandardMaterial {
        base_color: Color::srgb(0.1, 0.095, 0.09),
        perceptual_roughness: 1.0,
        cull_mode: Some(Face::Front),
        ..default()
    });
    commands.spawn((
        Mesh3d(meshes.add(Sphere::new(1.5 * radius))),
        MeshMaterial3d(rock),
        Transform::from_translation(at(site::CAVE, 0.0)? + 0.9 * radius * inwards)
            .looking_to(inwards, Vec3::Y)
            .with_scale(Vec3::new(1.0, 1.0, 2.0)),
        NotShadowCaster,
    ));

    let eye = house + EYE;
    let lowest = edited.field([eye.x.into(), eye.z.into()])?.value + 10.0;
    commands.spawn((
        Camera3d::default(),
        TerrainViewer::default(),
        Transform::from_translation(eye.with_y(eye.y.max(lowest))).looking_at(house + AIM, Vec3::Y),
        FreeCamera { walk_speed: 30.0, run_speed: 300.0, ..default() },
        DistanceFog { color: SKY, falloff: FogFalloff::from_visibility(VISIBILITY), ..default() },
        picture::Taken,
    ));
    commands.spawn((
        DirectionalLight { shadow_maps_enabled: true, ..default() },
        CascadeShadowConfigBuilder { maximum_distance: 1000.0, ..default() }.build(),
        Transform::default().looking_to(Vec3::new(-0.45, -0.7, 0.5), Vec3::Y),
    ));
    Ok(())
}
