//! What the tests need of Rapier.

use bevy::ecs::system::RunSystemOnce;
use bevy::prelude::*;
use bevy_orogeny_physics::Rapier;
use bevy_rapier3d::prelude as rapier;

use crate::support::{Engine, RATE, Shape, Triangle, triangles};

impl Engine for Rapier {
    const ENGINE: Self = Rapier;

    fn add(app: &mut App) {
        app.add_plugins(rapier::RapierPhysicsPlugin::<()>::default())
            .insert_resource(rapier::TimestepMode::Fixed { dt: 1.0 / RATE, substeps: 1 });
    }

    fn body(shape: Shape, size: f32, velocity: Vec3) -> impl Bundle {
        let half = 0.5 * size;
        let collider = match shape {
            Shape::Ball => rapier::Collider::ball(size),
            Shape::Cuboid => rapier::Collider::cuboid(half, half, half),
            Shape::Capsule => rapier::Collider::capsule_y(half, half),
        };
        let groups = rapier::CollisionGroups::new(rapier::Group::GROUP_2, !rapier::Group::GROUP_2);
        (rapier::RigidBody::Dynamic, collider, groups, rapier::Velocity::linear(velocity))
    }

    fn slippery() -> impl Bundle {
        rapier::Friction { coefficient: 0.0, combine_rule: rapier::CoefficientCombineRule::Min }
    }

    fn sticky() -> impl Bundle {
        let damping = rapier::Damping { linear_damping: 0.0, angular_damping: 20.0 };
        (rapier::Friction::coefficient(2.0), damping)
    }

    fn loud() -> impl Bundle {
        rapier::ActiveEvents::COLLISION_EVENTS
    }

    fn starts(world: &mut World) -> Vec<Entity> {
        let mut messages = world.resource_mut::<Messages<rapier::CollisionEvent>>();
        let starts = messages.drain().filter_map(|event| match event {
            rapier::CollisionEvent::Started(a, b, _) => Some([a, b]),
            rapier::CollisionEvent::Stopped(..) => None,
        });
        starts.flatten().collect()
    }

    fn mesh(vertices: Vec<Vec3>, triangles: Vec<[u32; 3]>) -> impl Bundle {
        let flags = rapier::TriMeshFlags::FIX_INTERNAL_EDGES;
        rapier::Collider::trimesh_with_flags(vertices, triangles, flags).expect("triangles")
    }

    fn triangles(world: &World, entity: Entity) -> Vec<Triangle> {
        fn shape(collider: &rapier::Collider) -> &bevy_rapier3d::parry::shape::SharedShape {
            &collider.raw
        }
        triangles!(rapier::Collider, world, entity)
    }

    fn ray(world: &mut World, from: Vec3, toward: Dir3, range: f32) -> Option<(Entity, f32)> {
        let cast = move |context: rapier::ReadRapierContext| {
            let context = context.single().unwrap();
            context.cast_ray(from, toward.into(), range, true, default())
        };
        world.run_system_once(cast).unwrap()
    }
}
