//! Holes in the ground: bodies fall through them, and nowhere else.

use bevy::prelude::*;
use bevy_orogeny::orogeny::edits::{Area, Disc, Hole};
use bevy_orogeny::{GroundQuery, SpawnOnGround, TerrainColliderSource, TerrainEdits};

use crate::support::{Engine, Shape, app, height_above, meadow, with_each_engine};

const RADIUS: f64 = 12.0;

/// Balls fall on level ground and into a hole. Then the hole opens under a ball that rests.
fn fall<E: Engine>() {
    let mut app = app::<E>();
    let ground = meadow(1);
    let query = GroundQuery::of(&ground).unwrap();
    let terrain = app.world_mut().spawn(ground).id();
    let hole = |center: [f64; 2]| Hole {
        area: Area::Disc(Disc { center, radius: RADIUS, falloff: 0.01 }),
    };
    let add = |app: &mut App, center| {
        let mut edits = app.world_mut().get_mut::<TerrainEdits>(terrain).unwrap();
        edits.log.add(1, hole(center)).unwrap();
        query.with_edits(edits.log.edits())
    };
    let query = &add(&mut app, [0.0, 0.0]);
    let balls: Vec<_> = (0..60)
        .map(|k| {
            let position = [5.0 * f64::from(k % 12) - 30.0, 15.0 * f64::from(k / 12) - 30.0];
            let surface = GroundQuery::of(&meadow(1)).unwrap().surface(position).unwrap();
            let body = (E::body(Shape::Ball, 0.5, Vec3::ZERO), E::sticky());
            let [x, z] = position.map(|x| x as f32);
            let transform = Transform::from_xyz(x, surface.value + 1.0, z);
            let ball = app.world_mut().spawn((body, TerrainColliderSource::new(0.5), transform));
            (ball.id(), position)
        })
        .collect();
    let check = |app: &App, query: &GroundQuery, centers: &[[f64; 2]]| {
        let [mut fallen, mut resting] = [0; 2];
        for &(ball, [x, z]) in &balls {
            let distance = |[cx, cz]: [f64; 2]| (x - cx).hypot(z - cz);
            let rim = centers.iter().map(|&c| distance(c) - RADIUS).fold(f64::INFINITY, f64::min);
            let y = app.world().get::<Transform>(ball).unwrap().translation.y;
            if rim < -2.0 {
                fallen += 1;
                assert!(y < -20.0, "{y} {rim}");
            } else if rim > 3.0 {
                resting += 1;
                let above = height_above(app, query, ball);
                assert!((0.3..0.8).contains(&above), "{above} {rim}");
            }
        }
        [fallen, resting]
    };
    for _ in 0..300 {
        app.update();
    }
    let [fallen, resting] = check(&app, query, &[[0.0; 2]]);
    assert!(fallen >= 3 && resting > 30, "{fallen} {resting}");
    let query = &add(&mut app, [-30.0, -30.0]);
    for _ in 0..300 {
        app.update();
    }
    let [more, resting] = check(&app, query, &[[0.0; 2], [-30.0; 2]]);
    assert!(more > fallen && resting > 25, "{more} {resting}");
    // Nothing is put on the ground in a hole, but beside it.
    let beside = SpawnOnGround { search: 40.0, ..SpawnOnGround::at([0.0, 0.0]) };
    let [lost, found] =
        [SpawnOnGround::at([0.0, 0.0]), beside].map(|spawn| app.world_mut().spawn(spawn).id());
    app.update();
    assert!(app.world().get::<SpawnOnGround>(lost).is_some());
    assert!(app.world().get::<SpawnOnGround>(found).is_none());
    let Vec3 { x, z, .. } = app.world().get::<Transform>(found).unwrap().translation;
    assert!((11.0..20.0).contains(&x.hypot(z)), "{x} {z}");
}

#[test]
fn bodies_fall_through_holes() {
    with_each_engine!(E => fall::<E>());
}
