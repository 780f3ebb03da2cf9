//! Dropped bodies do not fall through the ground.

use bevy::prelude::*;
use bevy_orogeny::{GroundQuery, TerrainColliderSource};
use bevy_orogeny_physics::{Avian, Rapier};
use rand::prelude::*;

use crate::support::{Engine, Shape, app, height_above, terrain, tiles};

/// The number of bodies in a round.
const BODIES: usize = 1000;
const ROUNDS: u64 = 10;
const SECONDS: f32 = 1.5;
const FASTEST: f32 = 300.0;

/// Drops bodies of all shapes at random positions, most of them slowly, some as fast as
/// projectiles. Checks after every step that none is under the ground. In an extra round
/// `keep_above` is off: then the engine may let at most the fraction `lost` of them through.
fn drop_bodies<E: Engine>(lost: f64) {
    let terrain = terrain(3);
    let ground = GroundQuery::of(&terrain).unwrap();
    for round in 0..=ROUNDS {
        let keep_above = round < ROUNDS;
        let mut random = StdRng::seed_from_u64(round);
        let mut app = app::<E>();
        app.world_mut().spawn(terrain.clone());
        let mut uniform = |from: f32, to: f32| random.random_range(from..to);
        let bodies: Vec<_> = (0..BODIES)
            .map(|k| {
                let [x, z] = [0, 1].map(|_| uniform(-3000.0, 3000.0));
                let size = uniform(0.2, 1.0);
                let speed = FASTEST * uniform(0.0, 1.0).powi(3);
                let way = Vec3::new(uniform(-1.0, 1.0), uniform(-1.0, 0.2), uniform(-1.0, 1.0));
                let surface = ground.surface([x.into(), z.into()]).unwrap().value;
                let position = Vec3::new(x, surface + uniform(1.5, 8.0), z);
                let shape = [Shape::Ball, Shape::Cuboid, Shape::Capsule][k % 3];
                let body = E::body(shape, size, speed * way.normalize());
                let source =
                    TerrainColliderSource { keep_above, ..TerrainColliderSource::new(size) };
                (
                    app.world_mut()
                        .spawn((body, source, Transform::from_translation(position)))
                        .id(),
                    size,
                )
            })
            .collect();
        let mut last = 0;
        for _ in 0..(SECONDS * crate::support::RATE) as usize {
            app.update();
            let deep =
                |&&(body, size): &&(Entity, f32)| height_above(&app, &ground, body) < -0.1 * size;
            let deep = bodies.iter().filter(deep).count();
            let allowed = if keep_above { 0.0 } else { lost * BODIES as f64 };
            assert!(deep as f64 <= allowed, "round {round}: {deep} bodies are under the ground");
            last = deep;
        }
        assert!(tiles(&mut app) > BODIES);
        for (body, _) in bodies {
            app.world_mut().despawn(body);
        }
        app.update();
        assert_eq!(tiles(&mut app), 0);
        if !keep_above {
            println!("{}: {last} of {BODIES} let through", std::any::type_name::<E>());
        }
    }
}

#[test]
fn nothing_falls_through_in_avian() {
    // Avian's speculative contacts miss some of the fastest.
    drop_bodies::<Avian>(0.03);
}

#[test]
fn nothing_falls_through_in_rapier() {
    drop_bodies::<Rapier>(0.005);
}
