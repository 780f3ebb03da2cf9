//! The camera behind the player. It comes closer where ground, a trunk or a house is in between.

use bevy::input::mouse::AccumulatedMouseMotion;
use bevy::prelude::*;
use bevy_orogeny::orogeny::scatter::Instance;
use bevy_orogeny::prelude::*;

use crate::houses::{self, House};
use crate::picture;
use crate::player::{EYES, LOOK, Player};

/// The colour of the sky and of haze, and how far one sees in it, in metres.
pub const SKY: Color = Color::srgb(0.62, 0.75, 0.88);
const VISIBILITY: f32 = 25_000.0;

/// The distance of the camera from the player's head in open country, and at least, in metres.
const FAR: f32 = 6.0;
const NEAR: f32 = 0.8;
/// The distance that the camera keeps from the ground, from trunks and from houses, in metres.
const CLEARANCE: f32 = 0.4;
/// How fast the camera moves back where there is room again, in metres per second.
const BACK: f32 = 4.0;
/// The distance between the points that are tried, in metres.
const STEP: f32 = 0.2;

/// The camera that follows the player.
#[derive(Component)]
pub struct Follows {
    /// Its direction, in radians.
    pub yaw: f32,
    pitch: f32,
    /// Its distance from the head, in metres.
    distance: f32,
}

pub fn plugin(app: &mut App) {
    // After the origin has moved, if it does, and before anything is drawn.
    app.add_systems(Startup, spawn).add_systems(Update, look);
}

fn spawn(mut commands: Commands) {
    let follows = Follows { yaw: LOOK, pitch: -0.12, distance: FAR };
    let haze = DistanceFog {
        color: SKY,
        falloff: FogFalloff::from_visibility_color(VISIBILITY, SKY),
        ..default()
    };
    commands.spawn((Camera3d::default(), picture::Taken, TerrainViewer::default(), haze, follows));
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

/// Puts the camera behind the player's head, as far as there is room.
pub fn follow(
    terrains: TerrainQuery,
    time: Res<Time>,
    player: Single<&Transform, With<Player>>,
    houses: Query<&Transform, (With<House>, Without<Player>, Without<Follows>)>,
    camera: Single<(&mut Follows, &mut Transform), Without<Player>>,
) {
    let (mut follows, mut transform) = camera.into_inner();
    let head = player.translation + Vec3::Y * EYES;
    let turn = Quat::from_euler(EulerRot::YXZ, follows.yaw, follows.pitch, 0.0);
    let back = turn * Vec3::Z;
    let room = match terrains.shown().single() {
        Ok(ground) => {
            let near = obstacles(&ground, head, &houses);
            room(|point| near.contain(&ground, point), head, back)
        }
        Err(_) => FAR,
    };
    // It comes closer at once, and moves back slowly.
    follows.distance = room.min(follows.distance + BACK * time.delta_secs());
    let eye = head + follows.distance * back;
    *transform = Transform::from_translation(eye).looking_at(head, Vec3::Y);
}

/// How far one can go back from the head before a point is blocked.
fn room(is_blocked: impl Fn(Vec3) -> bool, head: Vec3, back: Vec3) -> f32 {
    let steps = (FAR / STEP).round() as u32;
    let free = |i: &u32| !is_blocked(head + *i as f32 * STEP * back);
    let steps = (1..=steps).take_while(free).count();
    (steps as f32 * STEP).max(NEAR)
}

/// A trunk or a rock: an upright cylinder.
struct Trunk {
    bottom: Vec3,
    radius: f32,
    height: f32,
}

/// What may be between the player and the camera.
struct Obstacles<'a> {
    trunks: Vec<Trunk>,
    houses: Vec<&'a Transform>,
}

fn obstacles<'a>(
    ground: &TerrainGround,
    head: Vec3,
    houses: &'a Query<&Transform, (With<House>, Without<Player>, Without<Follows>)>,
) -> Obstacles<'a> {
    let is_near = |house: &&Transform| house.translation.distance(head) < FAR + 10.0;
    let houses = houses.iter().filter(is_near).collect();
    let mut trunks = Vec::new();
    let placement = ground.query().placement();
    let add = |tree: Instance| {
        let Some(kind) = placement.kind(tree.kind) else { return };
        let [radius, height] = [kind.solid_radius, kind.solid_height].map(|m| m * tree.size);
        let [x, z] = tree.position;
        let [dx, dy, dz] = ground.offset();
        let y = f64::from(placement.standing(&tree).value);
        let bottom = ground.translation([x + dx, y + dy, z + dz]);
        trunks.push(Trunk { bottom, radius, height });
    };
    let [x, _, z] = ground.position(head);
    let [dx, _, dz] = ground.offset();
    // Beyond the limits of positions nothing grows.
    let _ = placement.each_solid_near([x - dx, z - dz], f64::from(FAR), add);
    Obstacles { trunks, houses }
}

impl Obstacles<'_> {
    fn contain(&self, ground: &TerrainGround, point: Vec3) -> bool {
        let [x, _, z] = ground.position(point);
        let surface = ground.surface([x, z]).map_or(f32::NEG_INFINITY, |surface| surface.value);
        let is_in_trunk = |trunk: &Trunk| {
            let Trunk { bottom, radius, height } = trunk;
            bottom.xz().distance(point.xz()) < radius + CLEARANCE
                && point.y < bottom.y + height + CLEARANCE
        };
        let is_in_house = |house: &&Transform| {
            let local = (house.translation - point).abs() - houses::HALF;
            local.max_element() < CLEARANCE
        };
        // The surface is a height in the world, which the origin may have left far below.
        let [_, height, _] = ground.position(point);
        (height as f32) < surface + CLEARANCE
            || self.trunks.iter().any(is_in_trunk)
            || self.houses.iter().any(is_in_house)
    }
}
