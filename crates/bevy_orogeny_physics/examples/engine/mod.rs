//! The differences between the engines.

use avian3d::prelude as avian;
use bevy::prelude::*;
use bevy_orogeny::PhysicsEngine;
use bevy_orogeny_physics::{Avian, Rapier};
use bevy_rapier3d::prelude as rapier;

/// What all examples need of an engine.
pub trait Engine: PhysicsEngine {
    fn cuboid(size: f32) -> impl Bundle;
}

impl Engine for Avian {
    fn cuboid(size: f32) -> impl Bundle {
        (avian::RigidBody::Dynamic, avian::Collider::cuboid(size, size, size))
    }
}

impl Engine for Rapier {
    fn cuboid(size: f32) -> impl Bundle {
        let half = 0.5 * size;
        (rapier::RigidBody::Dynamic, rapier::Collider::cuboid(half, half, half))
    }
}

/// Adds the engine that the command line names, Avian by default, and calls one of two functions.
pub fn add(app: &mut App, with_avian: fn(&mut App, Avian), with_rapier: fn(&mut App, Rapier)) {
    if std::env::args().any(|argument| argument == "rapier") {
        app.add_plugins(rapier::RapierPhysicsPlugin::<()>::default())
            .add_plugins(rapier::RapierDebugRenderPlugin::default());
        with_rapier(app, Rapier);
    } else {
        app.add_plugins((avian::PhysicsPlugins::default(), avian::PhysicsDebugPlugin));
        with_avian(app, Avian);
    }
}
