//! What the player looks like: somebody with a face, whose limbs swing. A game would load a scene.

use bevy::ecs::system::SystemParam;
use bevy::prelude::*;
use bevy_orogeny::prelude::*;

use crate::player::{MIDDLE, Player};

const SKIN: Color = Color::srgb(0.85, 0.62, 0.48);
const COAT: Color = Color::srgb(0.72, 0.2, 0.13);
const TROUSERS: Color = Color::srgb(0.16, 0.19, 0.28);
const DARK: Color = Color::srgb(0.08, 0.06, 0.05);

/// The length of a stride in metres, and how far limbs swing, in radians.
const STRIDE: f32 = 1.5;
const SWING: f32 = 0.6;

/// A limb that swings around its upper end: forwards (1) or backwards (-1) first.
#[derive(Component)]
pub struct Limb(f32);

type Part = (Mesh3d, MeshMaterial3d<StandardMaterial>, Transform);

/// Makes the meshes of the character.
#[derive(SystemParam)]
pub struct Character<'w> {
    meshes: ResMut<'w, Assets<Mesh>>,
    materials: ResMut<'w, Assets<StandardMaterial>>,
}

impl Character<'_> {
    /// Adds the parts to an entity whose origin is [`MIDDLE`] above the feet, and which looks
    /// along -z.
    pub fn add_to(mut self, player: &mut EntityCommands) {
        player.insert(Visibility::default());
        let mut ball = |radius: f32, color, at: [f32; 3]| {
            self.part(Sphere::new(radius).mesh().uv(24, 16), color, at)
        };
        // A head with hair, eyes and a nose.
        let head = [
            ball(0.14, SKIN, [0.0, 1.62, 0.0]),
            ball(0.143, DARK, [0.0, 1.645, 0.025]),
            ball(0.022, DARK, [-0.05, 1.63, -0.125]),
            ball(0.022, DARK, [0.05, 1.63, -0.125]),
            ball(0.025, SKIN, [0.0, 1.59, -0.145]),
        ];
        head.into_iter().for_each(|part| {
            player.with_child(part);
        });
        let body = Capsule3d::new(0.19, 0.34).mesh().build();
        player.with_child(self.part(body, COAT, [0.0, 1.12, 0.0]));
        for (x, first) in [(-1.0, 1.0), (1.0, -1.0)] {
            let arm = Capsule3d::new(0.055, 0.5).mesh().build().translated_by(-0.25 * Vec3::Y);
            let arm = self.part(arm, COAT, [0.24 * x, 1.36, 0.0]);
            player.with_child((Limb(-first), arm));
            let leg = Capsule3d::new(0.085, 0.68).mesh().build().translated_by(-0.36 * Vec3::Y);
            let leg = self.part(leg, TROUSERS, [0.1 * x, 0.81, 0.0]);
            player.with_child((Limb(first), leg));
        }
    }

    /// A part at a height above the feet.
    fn part(&mut self, mesh: impl Into<Mesh>, color: Color, [x, y, z]: [f32; 3]) -> Part {
        (
            Mesh3d(self.meshes.add(mesh)),
            MeshMaterial3d(self.materials.add(color)),
            Transform::from_xyz(x, y - MIDDLE, z),
        )
    }
}

/// Swings the limbs with the way that the player goes.
pub fn swing(
    time: Res<Time>,
    player: Single<(&TerrainWalker, &Children), With<Player>>,
    mut limbs: Query<(&Limb, &mut Transform)>,
    mut way: Local<f32>,
) {
    let (walker, children) = player.into_inner();
    let speed = walker.velocity.length();
    *way = (*way + speed * time.delta_secs()) % STRIDE;
    let angle =
        if speed == 0.0 { 0.0 } else { SWING * (*way / STRIDE * std::f32::consts::TAU).sin() };
    for child in children.iter() {
        if let Ok((limb, mut transform)) = limbs.get_mut(child) {
            transform.rotation = Quat::from_rotation_x(limb.0 * angle);
        }
    }
}
