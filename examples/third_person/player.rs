//! The player: its keys, and how it moves.

use bevy::prelude::*;
use bevy_orogeny::prelude::*;

use crate::camera::{self, Follows};
use crate::character::{self, Character};
use crate::saving::Start;
use crate::start::is_playing;

/// Speeds in metres per second.
const WALK: f32 = 3.0;
const RUN: f32 = 7.0;
/// The height of the player, of its origin above its feet, and of its eyes above its origin, in
/// metres.
pub const HEIGHT: f32 = 1.8;
pub const MIDDLE: f32 = 0.5 * HEIGHT;
pub const EYES: f32 = 0.4 * HEIGHT;

/// Where a new world begins: on a meadow at a river, before a wood and mountains.
const START: [f64; 2] = [424.0, 2473.0];
/// The direction of the first look, in radians.
pub const LOOK: f32 = -1.31;

/// Who is played.
#[derive(Component)]
pub struct Player;

pub fn plugin(app: &mut App) {
    let play = (steer, walk, character::swing).chain().run_if(is_playing);
    app.add_systems(Update, (play, camera::follow).chain());
}

/// Spawns the player where it was, or on the ground of a new world.
pub fn spawn(mut commands: Commands, start: Res<Start>, character: Character) {
    let walker = TerrainWalker { height: MIDDLE, ..default() };
    let mut player = commands.spawn((
        Player,
        BendsPlants { radius: 0.7, below: MIDDLE },
        StirsWater { radius: MIDDLE, below: 0.0 },
        Transform::from_rotation(Quat::from_rotation_y(LOOK)),
    ));
    character.add_to(&mut player);
    match start.player {
        // It may have been in the sea or on a cliff. A walker that falls stands still until there
        // is ground, and then it swims or lands.
        Some(position) => player.insert((
            WorldPosition::at(position),
            TerrainWalker { motion: WalkerMotion::Falls { speed: 0.0 }, ..walker },
        )),
        None => {
            let ground = SpawnOnGround { search: 500.0, steepest: 0.3, ..SpawnOnGround::at(START) };
            player.insert((walker, ground))
        }
    };
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
