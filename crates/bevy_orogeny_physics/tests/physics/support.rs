//! An app with a physics engine, and a common interface to both engines.

use std::time::Duration;

use avian3d::prelude as avian;
use bevy::ecs::system::RunSystemOnce;
use bevy::mesh::MeshPlugin;
use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy_orogeny::advanced::{ColliderTile, PhysicsEngine, TerrainColliderPlugin, Tile, normal};
use bevy_orogeny::orogeny::{Fractal, GradientNoise, Recipe};
use bevy_orogeny::{GroundQuery, Terrain, TerrainOrigin, TerrainPlugins};
use bevy_orogeny_physics::Avian;

/// Steps per second.
pub const RATE: f32 = 60.0;

/// The shapes of bodies. At size 1, all lie within a ball of radius 1 around their origin.
#[derive(Clone, Copy, Debug)]
pub enum Shape {
    Ball,
    Cuboid,
    Capsule,
}

pub type Triangle = [[f32; 3]; 3];

/// The operations on an engine that the tests need.
pub trait Engine: PhysicsEngine + Sized {
    const ENGINE: Self;
    fn add(app: &mut App);
    /// A body that collides with the ground but with no other body.
    fn body(shape: Shape, size: f32, velocity: Vec3) -> impl Bundle;
    /// Without friction.
    fn slippery() -> impl Bundle;
    /// With high friction, and angular damping that stops rolling.
    fn sticky() -> impl Bundle;
    /// Reports the collisions of the body, see [`starts`](Self::starts).
    fn loud() -> impl Bundle;
    /// The colliders of all collisions that have started since the last call.
    fn starts(world: &mut World) -> Vec<Entity>;
    /// A static collider of triangles, as one mesh.
    fn mesh(vertices: Vec<Vec3>, triangles: Vec<[u32; 3]>) -> impl Bundle;
    /// The triangles of an entity's collider, as the engine stores them.
    fn triangles(world: &World, entity: Entity) -> Vec<Triangle>;
    /// The first collider that a ray hits, and its distance in metres.
    fn ray(world: &mut World, from: Vec3, toward: Dir3, range: f32) -> Option<(Entity, f32)>;
}

/// Calls a generic function with each engine that is compiled.
macro_rules! with_each_engine {
    ($engine:ident => $check:expr) => {
        let with_avian = || {
            type $engine = bevy_orogeny_physics::Avian;
            $check;
        };
        with_avian();
        #[cfg(feature = "rapier")]
        {
            type $engine = bevy_orogeny_physics::Rapier;
            $check;
        }
    };
}
pub(crate) use with_each_engine;

macro_rules! triangles {
    ($collider:ty, $world:expr, $entity:expr) => {{
        let collider = $world.get::<$collider>($entity).expect("a collider");
        let mesh = shape(collider).as_trimesh().expect("a triangle mesh");
        mesh.triangles().map(|t| [t.a, t.b, t.c].map(|p| [p.x, p.y, p.z])).collect()
    }};
}
#[cfg(feature = "rapier")]
pub(crate) use triangles;

impl Engine for Avian {
    const ENGINE: Self = Avian;

    fn add(app: &mut App) {
        app.add_plugins(avian::PhysicsPlugins::default());
    }

    fn body(shape: Shape, size: f32, velocity: Vec3) -> impl Bundle {
        let collider = match shape {
            Shape::Ball => avian::Collider::sphere(size),
            Shape::Cuboid => avian::Collider::cuboid(size, size, size),
            Shape::Capsule => avian::Collider::capsule(0.5 * size, size),
        };
        // Bodies are in the second layer, the ground in the first.
        let layers = avian::CollisionLayers::from_bits(0b10, 0b01);
        (avian::RigidBody::Dynamic, collider, layers, avian::LinearVelocity(velocity))
    }

    fn slippery() -> impl Bundle {
        avian::Friction::new(0.0).with_combine_rule(avian::CoefficientCombine::Min)
    }

    fn sticky() -> impl Bundle {
        (avian::Friction::new(2.0), avian::AngularDamping(20.0))
    }

    fn loud() -> impl Bundle {
        avian::CollisionEventsEnabled
    }

    fn starts(world: &mut World) -> Vec<Entity> {
        let mut messages = world.resource_mut::<Messages<avian::CollisionStart>>();
        messages.drain().flat_map(|start| [start.collider1, start.collider2]).collect()
    }

    fn mesh(vertices: Vec<Vec3>, triangles: Vec<[u32; 3]>) -> impl Bundle {
        let flags = avian::TrimeshFlags::FIX_INTERNAL_EDGES;
        let mesh = avian::Collider::trimesh_with_config(vertices, triangles, flags);
        (avian::RigidBody::Static, mesh)
    }

    fn triangles(world: &World, entity: Entity) -> Vec<Triangle> {
        fn shape(collider: &avian::Collider) -> &avian3d::parry::shape::SharedShape {
            collider.shape()
        }
        triangles!(avian::Collider, world, entity)
    }

    fn ray(world: &mut World, from: Vec3, toward: Dir3, range: f32) -> Option<(Entity, f32)> {
        let cast = move |query: avian::SpatialQuery| {
            let hit = query.cast_ray(from, toward, range, true, &default());
            hit.map(|hit| (hit.entity, hit.distance))
        };
        world.run_system_once(cast).unwrap()
    }
}

/// A headless app with terrain and without physics.
pub fn plain() -> App {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, TransformPlugin, AssetPlugin::default(), TerrainPlugins));
    app
}

/// A headless app with terrain and physics. Each frame is one step.
pub fn app<E: Engine>() -> App {
    let mut app = plain();
    app.add_plugins(MeshPlugin);
    E::add(&mut app);
    app.add_plugins(TerrainColliderPlugin::new(E::ENGINE))
        .insert_resource(Time::<Fixed>::from_hz(RATE.into()))
        .insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_secs_f32(1.0 / RATE)));
    app.finish();
    app.cleanup();
    // No time passes in the first frame.
    app.update();
    app
}

pub fn recipe(seed: u64) -> Recipe {
    let fbm = Fractal::fbm(9.0, GradientNoise::seeded(0));
    Recipe::new(seed, 150.0, Fractal { frequency: 0.003, ..fbm })
}

/// Rough, steep terrain.
pub fn terrain(seed: u64) -> Terrain {
    Terrain::recipe(recipe(seed))
}

/// Terrain so smooth that triangle edges hardly affect a ball with a radius of half a metre.
pub fn meadow(seed: u64) -> Terrain {
    let fbm = Fractal::fbm(2.0, GradientNoise::seeded(0));
    let field = Fractal { frequency: 0.003, ..fbm };
    Terrain::recipe(Recipe::new(seed, 60.0, field))
}

pub fn tiles(app: &mut App) -> usize {
    app.world_mut().query::<&ColliderTile>().iter(app.world()).count()
}

/// The triangles of the collider that an engine builds for a tile.
pub fn collider_triangles<E: Engine>(tile: &Tile) -> Vec<Triangle> {
    let mut world = World::new();
    let entity = world.spawn(E::collider(tile).unwrap()).id();
    E::triangles(&world, entity)
}

/// The distance of a body's origin from the plane of the triangle below it, in metres. Works with
/// any [`TerrainOrigin`].
pub fn clearance(app: &App, ground: &GroundQuery, body: Entity) -> f32 {
    let translation = app.world().get::<Transform>(body).unwrap().translation;
    let [x, y, z] = app.world().resource::<TerrainOrigin>().position(translation);
    let surface = ground.surface([x, z]).unwrap();
    (y - f64::from(surface.value)) as f32 * normal(surface).y
}

/// The height of a body's origin above the triangle below it, in metres. Only works with the
/// terrain origin at 0.
pub fn height_above(app: &App, ground: &GroundQuery, body: Entity) -> f32 {
    let Vec3 { x, y, z } = app.world().get::<Transform>(body).unwrap().translation;
    y - ground.surface([x.into(), z.into()]).unwrap().value
}
