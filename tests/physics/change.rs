//! The ground changes under what rests on it.

use bevy::prelude::*;
use bevy_orogeny::{Avian, GroundQuery, Rapier, Terrain, TerrainColliderSource};

use crate::support::{Engine, Shape, app, height_above, recipe, terrain};

fn carried<E: Engine>() {
    let mut app = app::<E>();
    let ground = terrain(1);
    let query = GroundQuery::of(&ground).unwrap();
    let terrain = app.world_mut().spawn(ground).id();
    let bodies: Vec<_> = (0..60)
        .map(|k| {
            let [x, z] = [37.3 * k as f32 - 900.0, 11.9 * k as f32];
            let y = query.surface([x.into(), z.into()]).unwrap().value + 1.5;
            let shape = [Shape::Ball, Shape::Cuboid, Shape::Capsule][k % 3];
            let body = (E::body(shape, 0.8, Vec3::ZERO), E::sticky());
            let source = TerrainColliderSource::new(0.8);
            app.world_mut().spawn((body, source, Transform::from_xyz(x, y, z))).id()
        })
        .collect();
    // Long enough that most of them sleep.
    for _ in 0..400 {
        app.update();
    }
    // Hills rise and sink, and in the end the ground falls by 50 m.
    for (change, height) in [(2, 150.0), (3, 40.0), (4, 300.0)] {
        let recipe = bevy_orogeny::orogeny::Recipe { height, ..recipe(change) };
        *app.world_mut().get_mut::<Terrain>(terrain).unwrap() = Terrain::recipe(recipe);
        let now = GroundQuery::of(app.world().get::<Terrain>(terrain).unwrap()).unwrap();
        for frame in 0..600 {
            app.update();
            // Rapier steps after the change was taken over, Avian in the next frame.
            if frame == 0 {
                continue;
            }
            for &body in &bodies {
                let above = height_above(&app, &now, body);
                assert!(above > -0.08, "change {change}, frame {frame}: {above}");
            }
        }
        // Nothing hovers; on such slopes one may still tumble.
        for &body in &bodies {
            let speed = E::linear(app.world().get::<E::Velocity>(body).unwrap()).length();
            let above = height_above(&app, &now, body);
            assert!(above < 2.0 || speed > 1.0, "{above} m above the ground at {speed} m/s");
        }
    }
}

#[test]
fn a_changed_ground_carries_what_rests_on_it() {
    carried::<Avian>();
    carried::<Rapier>();
}
