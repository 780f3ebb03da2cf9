//! The player, and the camera behind it.

use bevy::input::mouse::AccumulatedMouseMotion;
use bevy::prelude::*;
use bevy_orogeny::prelude::*;

use crate::picture;

/// Speeds in metres per second.
const WALK: f32 = 3.0;
const RUN: f32 = 7.0;
/// The height of the player, and its origin above its feet, in metres.
const HEIGHT: f32 = 1.8;
const MIDDLE: f32 = 0.5 * HEIGHT;
/// The distance of the camera from the player, and the least from the ground, in metres.
const BEHIND: f32 = 6.0;
const ABOVE: f32 = 0.4;

/// Who is played.
#[derive(Component)]
pub struct Player;

/// The camera that follows: its direction as two angles in radians.
#[derive(Component)]
pub struct Follows {
    yaw: f32,
    pitch: f32,
}

pub fn plugin(app: &mut App) {
    app.add_systems(Update, (look, steer, walk, follow).chain());
}

/// Spawns the player where it was, or on the ground of a new world, and a camera behind it.
pub fn spawn(
    commands: &mut Commands,
    meshes: &mut Assets<Mesh>,
    materials: &mut Assets<StandardMaterial>,
    saved: Option<[f64; 3]>,
) {
    let walker = TerrainWalker { height: MIDDLE, ..default() };
    let mut player = commands.spawn((
        Player,
        BendsPlants { radius: 0.7, below: MIDDLE },
        Mesh3d(meshes.add(Capsule3d::new(0.3, HEIGHT - 0.6))),
        MeshMaterial3d(materials.add(Color::srgb(0.75, 0.25, 0.15))),
    ));
    match saved {
        // It may have been in the sea or on a cliff. A walker that falls stands still until there
        // is ground, and then it swims or lands.
        Some(position) => player.insert((
            WorldPosition::at(position),
            TerrainWalker { motion: WalkerMotion::Falls { speed: 0.0 }, ..walker },
        )),
        None => {
            player.insert((walker, SpawnOnGround { search: 500.0, steepest: 0.5, ..default() }))
        }
    };
    commands.spawn((
        Camera3d::default(),
        picture::Taken,
        TerrainViewer::default(),
        Follows { yaw: 2.5, pitch: -0.2 },
    ));
}

fn look(
    buttons: Res<ButtonInput<MouseButton>>,
    mouse: Res<AccumulatedMouseMotion>,
    mut camera: Single<&mut Follows>,
) {
    if buttons.pressed(MouseButton::Right) {
        camera.yaw -= 0.004 * mouse.delta.x;
        camera.pitch = (camera.pitch - 0.004 * mouse.delta.y).clamp(-1.4, 0.6);
    }
}

fn steer(
    keys: Res<ButtonInput<KeyCode>>,
    camera: Single<&Follows>,
    player: Single<(&mut TerrainWalker, &mut Transform), With<Player>>,
) {
    let pressed = |key| f32::from(u8::from(keys.pressed(key)));
    let ahead = pressed(KeyCode::KeyW) - pressed(KeyCode::KeyS);
    let aside = pressed(KeyCode::KeyD) - pressed(KeyCode::KeyA);
    let turn = Quat::from_rotation_y(camera.yaw);
    let way = (turn * Vec3::new(aside, 0.0, -ahead)).normalize_or_zero();
    let speed = if keys.pressed(KeyCode::ShiftLeft) { RUN } else { WALK };
    let (mut walker, mut transform) = player.into_inner();
    walker.velocity = speed * way.xz();
    walker.jump = keys.just_pressed(KeyCode::Space);
    if way != Vec3::ZERO {
        transform.look_to(way, Vec3::Y);
    }
}

/// Keeps the camera behind the player, and out of the ground.
fn follow(
    terrains: TerrainQuery,
    player: Single<&Transform, With<Player>>,
    camera: Single<(&Follows, &mut Transform), Without<Player>>,
) {
    let (follows, mut transform) = camera.into_inner();
    let head = player.translation + Vec3::Y * (0.4 * HEIGHT);
    let turn = Quat::from_euler(EulerRot::YXZ, follows.yaw, follows.pitch, 0.0);
    let mut eye = head + turn * Vec3::Z * BEHIND;
    if let Ok(ground) = terrains.single() {
        let [x, _, z] = ground.position(eye);
        if let Ok(surface) = ground.surface([x, z]) {
            eye.y = eye.y.max(surface.value + ABOVE);
        }
    }
    *transform = Transform::from_translation(eye).looking_at(head, Vec3::Y);
}
