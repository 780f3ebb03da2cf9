//! Bodies far from the origin, and while the origin moves.

use bevy::prelude::*;
use bevy_orogeny::{
    GroundQuery, TerrainColliderSource, TerrainOrigin, TerrainViewer, WorldPosition,
};

use crate::support::{Engine, Shape, app, clearance, meadow, with_each_engine};

fn drop_far_away<E: Engine>() {
    for centre in [[1e12, -1e12], [-3.3e11, 17.0]] {
        let ground = GroundQuery::of(&meadow(1)).unwrap();
        let mut app = app::<E>();
        app.insert_resource(TerrainOrigin::at(centre));
        app.world_mut().spawn(meadow(1));
        let bodies: Vec<_> = (0..30)
            .map(|k| {
                let at = [centre[0] + 13.0 * f64::from(k), centre[1] - 7.0 * f64::from(k)];
                let height = f64::from(ground.surface(at).unwrap().value) + 3.0;
                let position =
                    app.world().resource::<TerrainOrigin>().translation([at[0], height, at[1]]);
                let body = (E::body(Shape::Ball, 0.5, Vec3::ZERO), E::sticky());
                let source = TerrainColliderSource::new(0.5);
                app.world_mut().spawn((body, source, Transform::from_translation(position))).id()
            })
            .collect();
        for frame in 0..240 {
            app.update();
            for &body in &bodies {
                let clear = clearance(&app, &ground, body);
                assert!(clear > 0.4, "{clear} m from the ground");
                assert!(frame < 180 || clear < 1.0, "{clear} m from the ground");
            }
        }
    }
}

#[test]
fn bodies_land_at_1e12_m() {
    with_each_engine!(E => drop_far_away::<E>());
}

/// The origin moves twice while bodies rest, once by itself and once when a game inserts another.
/// Both times they stay at rest.
fn rest_through_rebases<E: Engine>() {
    let ground = GroundQuery::of(&meadow(1)).unwrap();
    let mut app = app::<E>();
    app.insert_resource(TerrainOrigin::default().rebasing());
    app.world_mut().spawn(meadow(1));
    let bodies: Vec<_> = (0..20)
        .map(|k| {
            let [x, z] = [7000.0 + 9.0 * k as f32, -50.0];
            let surface = ground.surface([x.into(), z.into()]).unwrap();
            let at = Vec3::new(x, surface.value, z) + 0.5 * bevy_orogeny::advanced::normal(surface);
            let body =
                (E::body(Shape::Ball, 0.5, Vec3::ZERO), E::sticky(), WorldPosition::default());
            let source = TerrainColliderSource::new(0.5);
            app.world_mut().spawn((body, source, Transform::from_translation(at))).id()
        })
        .collect();
    let viewer = TerrainViewer { range: 200.0, ..default() };
    let viewer = app.world_mut().spawn((viewer, Transform::from_xyz(6000.0, 0.0, 0.0))).id();
    let mut rest = Vec::new();
    for frame in 0..300 {
        if frame == 150 {
            // The viewer walks on, and the origin follows.
            app.world_mut().get_mut::<Transform>(viewer).unwrap().translation.x = 6500.0;
        }
        if frame == 200 {
            app.insert_resource(TerrainOrigin::at([8192.0, 8192.0]));
        }
        app.update();
        let now: Vec<_> = bodies.iter().map(|&body| clearance(&app, &ground, body)).collect();
        if frame == 149 {
            rest.clone_from(&now);
        }
        for (k, clear) in now.iter().enumerate() {
            assert!((clear - 0.5).abs() < 0.06, "frame {frame}: {clear} m from the ground");
            let before = rest.get(k).unwrap_or(clear);
            assert!((clear - before).abs() < 0.02, "frame {frame}: from {before} to {clear}");
        }
    }
    assert_eq!(app.world().resource::<TerrainOrigin>().offset(), [8192.0, 8192.0]);
}

#[test]
fn bodies_rest_while_the_origin_moves() {
    with_each_engine!(E => rest_through_rebases::<E>());
}
