//! Dropped bodies do not fall through the ground, also while it is edited.

use bevy::prelude::*;
use bevy_orogeny::orogeny::edits::{Area, Crater, Disc, Edit, Flatten, Raise};
use bevy_orogeny::{GroundQuery, TerrainColliderSource, TerrainEdits};
use bevy_orogeny_physics::Avian;
use rand::prelude::*;

use crate::support::{Engine, Shape, app, height_above, terrain, tiles};

/// The number of bodies in a round.
const BODIES: usize = 1000;
/// Each takes half a minute in either engine: Bevy is not optimised.
const ROUNDS: u64 = 2;
const SECONDS: f32 = 1.5;
const FASTEST: f32 = 300.0;
/// How often the ground is edited, in frames, and in how many places at once.
const PERIOD: usize = 6;
const EDITS: usize = 60;

/// Drops bodies of all shapes at random positions, most of them slowly, some as fast as
/// projectiles. In every other round the ground is edited under them. Checks after every step that
/// none is under the ground. In an extra round `keep_above` is off: then the engine may let at most
/// the fraction `lost` of them through.
fn drop_bodies<E: Engine>(lost: f64) {
    let terrain = terrain(3);
    let ground = GroundQuery::of(&terrain).unwrap();
    for round in 0..=ROUNDS {
        let keep_above = round < ROUNDS;
        let mut random = StdRng::seed_from_u64(round);
        let mut app = app::<E>();
        let edited = app.world_mut().spawn(terrain.clone()).id();
        let mut ground = ground.clone();
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
        for step in 0..(SECONDS * crate::support::RATE) as usize {
            let edit = round % 2 == 1 && step % PERIOD == 0;
            if edit {
                for (body, _) in bodies.choose_multiple(&mut random, EDITS) {
                    edit_below(&mut app, edited, &ground, *body, &mut random);
                }
                let edits = app.world().get::<TerrainEdits>(edited).unwrap();
                ground = ground.with_edits(edits.log.edits());
            }
            app.update();
            // Bodies are lifted in the step after an edit.
            if edit {
                continue;
            }
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

/// Raises, lowers or flattens the ground below a body.
fn edit_below(
    app: &mut App,
    terrain: Entity,
    ground: &GroundQuery,
    body: Entity,
    random: &mut StdRng,
) {
    let Vec3 { x, z, .. } = app.world().get::<Transform>(body).unwrap().translation;
    let center = [x, z].map(|x| f64::from(x + random.random_range(-4.0..4.0)));
    let radius = random.random_range(1.0..8.0);
    let area = Area::Disc(Disc { center, radius, falloff: random.random_range(2.0..8.0) });
    let edit: Edit = match random.random_range(0..3) {
        0 => Raise { area, height: random.random_range(-3.0..3.0) }.into(),
        1 => {
            let height = ground.field(center).unwrap().value;
            Flatten { area, height, ..Flatten::default() }.into()
        }
        _ => Crater { center, radius, ..Crater::default() }.into(),
    };
    app.world_mut().get_mut::<TerrainEdits>(terrain).unwrap().log.add(1, edit).unwrap();
}

#[test]
fn nothing_falls_through_in_avian() {
    // Avian's speculative contacts miss some of the fastest.
    drop_bodies::<Avian>(0.03);
}

#[cfg(feature = "rapier")]
#[test]
fn nothing_falls_through_in_rapier() {
    drop_bodies::<bevy_orogeny_physics::Rapier>(0.005);
}
