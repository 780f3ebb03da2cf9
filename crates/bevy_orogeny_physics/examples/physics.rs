//! A character that throws crates, with Avian, which draws wireframes, or Rapier.
//!
//! `cargo run --release --example physics` uses Avian. For Rapier, add
//! `-p bevy_orogeny_physics --features rapier` and at the end `-- rapier`.

mod engine;

use bevy::prelude::*;
use bevy_orogeny::prelude::*;

use crate::engine::{Engine, Example};

/// (x, z) of a meadow, in metres.
const MEADOW: [f64; 2] = [1300.0, -1400.0];
const CRATE: f32 = 1.0;
/// Radius and length of the capsule.
const FIGURE: [f32; 2] = [0.4, 1.0];
const WALK: f32 = 6.0;
const THROW: f32 = 25.0;

fn main() {
    engine::run::<Meadow>();
}

struct Meadow;

impl Example for Meadow {
    const TITLE: &str = "physics: W S walk, A D turn, Space throws a crate";

    fn add<E: Engine>(app: &mut App, engine: E) {
        app.add_plugins(TerrainColliderPlugin::new(engine))
            .add_systems(Startup, setup::<E>)
            .add_systems(Update, (steer::<E>, follow).chain());
    }
}

/// The character, with its heading in radians.
#[derive(Component, Default)]
struct Figure(f32);

/// The mesh and the material of crates.
#[derive(Resource)]
struct Crate(Mesh3d, MeshMaterial3d<StandardMaterial>);

fn setup<E: Engine>(
    mut commands: Commands,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<StandardMaterial>>,
) {
    commands.spawn(Terrain::default());
    commands.spawn((
        DirectionalLight { shadow_maps_enabled: true, ..default() },
        Transform::default().looking_to(Vec3::new(-0.4, -0.6, -1.0), Vec3::Y),
    ));
    commands.spawn((Camera3d::default(), TerrainViewer::default()));
    let red = MeshMaterial3d(materials.add(Color::srgb(0.7, 0.1, 0.1)));
    let ([radius, length], half) = (FIGURE, FIGURE[0] + 0.5 * FIGURE[1]);
    commands.spawn((
        (Figure::default(), Mesh3d(meshes.add(Capsule3d::new(radius, length))), red),
        (E::upright(radius, length), TerrainColliderSource::new(half)),
        SpawnOnGround { offset: half + 0.1, ..SpawnOnGround::at(MEADOW) },
    ));
    let brown = materials.add(Color::srgb(0.45, 0.3, 0.15));
    let appearance = Crate(Mesh3d(meshes.add(Cuboid::from_length(CRATE))), MeshMaterial3d(brown));
    for k in 0..40 {
        let at =
            [MEADOW[0] + f64::from(k % 8) * 2.5 - 9.0, MEADOW[1] - f64::from(k / 8) * 2.5 - 4.0];
        let offset = CRATE + 0.3 * k as f32;
        let on_ground = SpawnOnGround { offset, ..SpawnOnGround::at(at) };
        commands.spawn((a_crate::<E>(&appearance), on_ground));
    }
    commands.insert_resource(appearance);
}

fn a_crate<E: Engine>(Crate(mesh, material): &Crate) -> impl Bundle + use<E> {
    (mesh.clone(), material.clone(), E::cuboid(CRATE), TerrainColliderSource::new(0.87 * CRATE))
}

fn steer<E: Engine>(
    mut commands: Commands,
    keys: Res<ButtonInput<KeyCode>>,
    time: Res<Time>,
    appearance: Res<Crate>,
    figure: Single<(&mut Figure, &Transform, &mut E::Velocity)>,
) {
    let pressed = |key| f32::from(u8::from(keys.pressed(key)));
    let (mut figure, transform, mut velocity) = figure.into_inner();
    figure.0 += 2.0 * time.delta_secs() * (pressed(KeyCode::KeyA) - pressed(KeyCode::KeyD));
    let ahead = Quat::from_rotation_y(figure.0) * Vec3::NEG_Z;
    let walk = WALK * (pressed(KeyCode::KeyW) - pressed(KeyCode::KeyS));
    let linear = (walk * ahead).with_y(E::linear(&velocity).y);
    E::set_linear(&mut velocity, linear);
    if keys.just_pressed(KeyCode::Space) {
        let mut velocity = E::Velocity::default();
        E::set_linear(&mut velocity, THROW * (ahead + 0.4 * Vec3::Y));
        let hand = transform.translation + 1.5 * Vec3::Y + ahead;
        commands.spawn((a_crate::<E>(&appearance), velocity, Transform::from_translation(hand)));
    }
}

/// Keeps the camera behind the character and above the ground.
fn follow(
    terrains: TerrainQuery,
    figure: Single<(&Figure, &Transform)>,
    mut camera: Single<&mut Transform, (With<Camera3d>, Without<Figure>)>,
) -> Result {
    let (Figure(yaw), figure) = *figure;
    let behind = figure.translation + Quat::from_rotation_y(*yaw) * Vec3::new(0.0, 3.0, 8.0);
    let lowest = terrains.single()?.surface([behind.x.into(), behind.z.into()])?.value + 1.0;
    **camera = Transform::from_translation(behind.with_y(behind.y.max(lowest)))
        .looking_at(figure.translation + Vec3::Y, Vec3::Y);
    Ok(())
}
