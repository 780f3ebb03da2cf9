//! What the examples need of Rapier.

use bevy::prelude::*;
use bevy_orogeny_physics::Rapier;
use bevy_rapier3d::prelude::*;

use super::Engine;

impl Engine for Rapier {
    fn add(app: &mut App) {
        app.add_plugins(RapierPhysicsPlugin::<()>::default());
    }

    fn cuboid(size: f32) -> impl Bundle {
        let half = 0.5 * size;
        (RigidBody::Dynamic, Collider::cuboid(half, half, half))
    }

    fn upright(radius: f32, length: f32) -> impl Bundle {
        let capsule = Collider::capsule_y(0.5 * length, radius);
        (RigidBody::Dynamic, capsule, LockedAxes::ROTATION_LOCKED)
    }
}
