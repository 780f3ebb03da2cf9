//! What the examples need of Avian.

use avian3d::prelude::*;
use bevy::prelude::*;
use bevy_orogeny_physics::Avian;

use super::Engine;

impl Engine for Avian {
    fn add(app: &mut App) {
        app.add_plugins((PhysicsPlugins::default(), PhysicsDebugPlugin));
    }

    fn cuboid(size: f32) -> impl Bundle {
        (RigidBody::Dynamic, Collider::cuboid(size, size, size))
    }

    fn upright(radius: f32, length: f32) -> impl Bundle {
        (RigidBody::Dynamic, Collider::capsule(radius, length), LockedAxes::ROTATION_LOCKED)
    }
}
