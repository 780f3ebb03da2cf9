//! Crates that float down a river, with Avian or Rapier.
//!
//! `cargo run --release --example floating` uses Avian. For Rapier, add
//! `-p bevy_orogeny_physics --features rapier` and at the end `-- rapier`.

mod engine;

use bevy::prelude::*;
use bevy_orogeny::orogeny::drainage::{Drainage, RiverReach};
use bevy_orogeny::orogeny::{Fractal, GradientNoise, Recipe, Region};
use bevy_orogeny::prelude::*;

use crate::engine::{Engine, Example};

const CRATE: f32 = 1.0;
/// The density of crates over that of water.
const DENSITY: f32 = 0.5;
/// How quickly crates take on the velocity of the water, for each second.
const DRAG: f32 = 2.0;
const GRAVITY: f32 = 9.81;

fn main() {
    engine::run::<River>();
}

struct River;

impl Example for River {
    const TITLE: &str = "floating: Space drops crates into the river, A D turn the camera";

    fn add<E: Engine>(app: &mut App, engine: E) {
        app.add_plugins(TerrainColliderPlugin::new(engine))
            .add_systems(Startup, setup)
            .add_systems(FixedUpdate, float::<E>)
            .add_systems(Update, (drop_crates::<E>, follow));
    }
}

/// Hills of 300 m with rivers.
fn recipe() -> Recipe {
    let hills = Fractal { frequency: 2e-5, ..Fractal::fbm(3.0, GradientNoise::seeded(2)) };
    let rivers = Drainage { steepness: 0.4, plain: 4.0, ..Drainage::default() };
    Recipe { rivers: Some(rivers), sea_level: Some(-250.0), ..Recipe::new(1, 300.0, hills) }
}

/// The part of the largest river within 5 km.
fn largest(recipe: &Recipe) -> Result<RiverReach> {
    let land = recipe.build()?;
    let rivers = land.rivers().ok_or("the recipe has no rivers")?;
    let parts = rivers.reaches(Region::around([0.0; 2], [5e3; 2]))?.into_iter();
    // Lakes hardly flow.
    let flowing = parts.filter(|part| part.speed[0] > 0.1 && part.surface[0] > -240.0);
    let largest = flowing.max_by(|a, b| a.discharge.total_cmp(&b.discharge));
    Ok(largest.ok_or("there is no river")?)
}

/// A crate.
#[derive(Component)]
struct Floating;

/// The direction in which the camera looks, in radians.
#[derive(Component)]
struct Heading(f32);

/// Where crates are dropped, (x, z), and the direction of the river there.
#[derive(Resource)]
struct Bridge([f64; 2], Vec2);

/// The mesh and the material of crates.
#[derive(Resource, Clone)]
struct Crate(Mesh3d, MeshMaterial3d<StandardMaterial>);

fn setup(
    mut commands: Commands,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<StandardMaterial>>,
) -> Result {
    let recipe = recipe();
    let part = largest(&recipe)?;
    let [x, z] = part.directions[0].map(|x| x as f32);
    commands.insert_resource(Bridge(part.ends[0], Vec2::new(x, z)));
    commands.spawn(Terrain::recipe(recipe));
    commands.spawn((
        DirectionalLight { shadow_maps_enabled: true, ..default() },
        Transform::default().looking_to(Vec3::new(-0.4, -0.6, -1.0), Vec3::Y),
    ));
    commands.spawn((Camera3d::default(), TerrainViewer::default(), Heading(z.atan2(x))));
    let brown = materials.add(Color::srgb(0.45, 0.3, 0.15));
    let mesh = Mesh3d(meshes.add(Cuboid::from_length(CRATE)));
    commands.insert_resource(Crate(mesh, MeshMaterial3d(brown)));
    Ok(())
}

/// Drops crates at the start, and whenever Space is pressed.
fn drop_crates<E: Engine>(
    mut commands: Commands,
    terrains: TerrainQuery,
    keys: Res<ButtonInput<KeyCode>>,
    bridge: Res<Bridge>,
    appearance: Res<Crate>,
    mut has_begun: Local<bool>,
) -> Result {
    if *has_begun && !keys.just_pressed(KeyCode::Space) {
        return Ok(());
    }
    let Bridge(place, along) = *bridge;
    let Some(water) = terrains.single()?.water(place)? else { return Ok(()) };
    *has_begun = true;
    let across = along.perp();
    for k in 0..9u8 {
        let [row, column] = [k / 3, k % 3].map(|i| 1.6 * (f32::from(i) - 1.0));
        let [x, z] = place.map(|x| x as f32);
        let at = Vec2::new(x, z) + row * along + column * across;
        let height = water.surface as f32 + 2.0 + 0.3 * f32::from(k);
        let Crate(mesh, material) = appearance.clone();
        commands.spawn((
            (Floating, mesh, material, E::cuboid(CRATE), TerrainColliderSource::new(0.87 * CRATE)),
            Transform::from_xyz(at.x, height, at.y),
        ));
    }
    Ok(())
}

/// Lets crates float: the buoyancy of the part that is under water, and drag towards its velocity.
fn float<E: Engine>(
    terrains: TerrainQuery,
    time: Res<Time>,
    mut crates: Query<(&Transform, &mut E::Velocity), With<Floating>>,
) -> Result {
    let ground = terrains.single()?;
    for (Transform { translation, .. }, mut velocity) in &mut crates {
        let position = [translation.x, translation.z].map(f64::from);
        let Some(water) = ground.water(position)? else { continue };
        let below = (water.surface as f32 - translation.y) / CRATE + 0.5;
        let wet = below.clamp(0.0, 1.0);
        if wet > 0.0 {
            let [x, z] = water.flow.map(|x| x as f32);
            let linear = E::linear(&velocity);
            let buoyancy = GRAVITY * wet / DENSITY * Vec3::Y;
            let drag = DRAG * wet * (Vec3::new(x, 0.0, z) - linear);
            E::set_linear(&mut velocity, linear + time.delta_secs() * (buoyancy + drag));
        }
    }
    Ok(())
}

/// Keeps the camera behind one crate and above the ground.
fn follow(
    terrains: TerrainQuery,
    keys: Res<ButtonInput<KeyCode>>,
    time: Res<Time>,
    crates: Query<&Transform, With<Floating>>,
    camera: Single<(&mut Transform, &mut Heading), Without<Floating>>,
) -> Result {
    let Some(first) = crates.iter().next() else { return Ok(()) };
    let (mut camera, mut heading) = camera.into_inner();
    let pressed = |key| f32::from(u8::from(keys.pressed(key)));
    heading.0 += time.delta_secs() * (pressed(KeyCode::KeyD) - pressed(KeyCode::KeyA));
    let (z, x) = heading.0.sin_cos();
    let behind = first.translation + Vec3::new(-14.0 * x, 6.0, -14.0 * z);
    let ground = terrains.single()?;
    let at = [behind.x, behind.z].map(f64::from);
    let lowest = ground.surface(at)?.value + 1.5;
    *camera = Transform::from_translation(behind.with_y(behind.y.max(lowest)))
        .looking_at(first.translation, Vec3::Y);
    Ok(())
}
