//! The ground changes under bodies that rest on it.

use bevy::prelude::*;
use bevy_orogeny::advanced::ColliderTile;
use bevy_orogeny::orogeny::edits::{Area, Crater, Disc, Edit, Flatten, Raise};
use bevy_orogeny::{GroundQuery, Terrain, TerrainColliderSource, TerrainEdits};

use crate::support::{Engine, Shape, app, height_above, meadow, recipe, terrain, with_each_engine};

fn bodies_follow_changed_ground<E: Engine>() {
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
            // A changed ground still lifts the body; only the check of every step is off.
            let source =
                TerrainColliderSource { keep_above: false, ..TerrainColliderSource::new(0.8) };
            app.world_mut().spawn((body, source, Transform::from_xyz(x, y, z))).id()
        })
        .collect();
    // Long enough for most of them to fall asleep.
    for _ in 0..400 {
        app.update();
    }
    // The hills grow and shrink.
    for (change, height) in [(2, 150.0), (3, 40.0), (4, 300.0)] {
        let recipe = bevy_orogeny::orogeny::Recipe { height, ..recipe(change) };
        *app.world_mut().get_mut::<Terrain>(terrain).unwrap() = Terrain::recipe(recipe);
        let now = GroundQuery::of(app.world().get::<Terrain>(terrain).unwrap()).unwrap();
        for frame in 0..400 {
            app.update();
            // Rapier steps after the change is applied, Avian in the next frame.
            if frame == 0 {
                continue;
            }
            for &body in &bodies {
                let above = height_above(&app, &now, body);
                assert!(above > -0.08, "change {change}, frame {frame}: {above}");
            }
        }
        // No body hovers. On such steep slopes some may still be tumbling.
        for &body in &bodies {
            let speed = E::linear(app.world().get::<E::Velocity>(body).unwrap()).length();
            let above = height_above(&app, &now, body);
            assert!(above < 2.0 || speed > 1.0, "{above} m above the ground at {speed} m/s");
        }
    }
}

#[test]
fn a_changed_ground_carries_what_rests_on_it() {
    with_each_engine!(E => bodies_follow_changed_ground::<E>());
}

/// Bodies that rest on a terrain follow it up and down. Another terrain far above has no effect,
/// nor have sources with invalid radii.
fn moved<E: Engine>() {
    let mut app = app::<E>();
    let ground = meadow(1);
    let query = GroundQuery::of(&ground).unwrap();
    let above = app.world_mut().spawn((terrain(7), Transform::from_xyz(0.0, 5000.0, 0.0))).id();
    let terrain = app.world_mut().spawn(ground.clone()).id();
    let bodies: Vec<_> = (0..20)
        .map(|k| {
            let position = [23.0 * f64::from(k), -9.0 * f64::from(k)];
            let y = query.surface(position).unwrap().value + 0.6;
            let body = (E::body(Shape::Ball, 0.5, Vec3::ZERO), E::sticky());
            let transform = Transform::from_xyz(position[0] as f32, y, position[1] as f32);
            app.world_mut().spawn((body, TerrainColliderSource::new(0.5), transform)).id()
        })
        .collect();
    for radius in [f32::NAN, f32::INFINITY, f32::MAX, 100.0, 0.0, -5.0] {
        app.world_mut()
            .spawn((TerrainColliderSource::new(radius), Transform::from_xyz(0.0, -9.0, 0.0)));
    }
    for height in [0.0, 20.0, -15.0] {
        app.world_mut().get_mut::<Transform>(terrain).unwrap().translation.y = height;
        for frame in 0..400 {
            app.update();
            for &body in bodies.iter().filter(|_| frame > 0) {
                let clear = height_above(&app, &query, body) - height;
                assert!(clear > 0.4, "to {height}, frame {frame}: {clear} m above the ground");
                assert!(frame < 300 || clear < 0.8, "to {height}: {clear} m above the ground");
            }
        }
    }
    // The terrain gets another spacing, and the terrain above changes.
    *app.world_mut().get_mut::<Terrain>(terrain).unwrap() = Terrain { spacing: 4.0, ..ground };
    let coarse = GroundQuery::of(app.world().get::<Terrain>(terrain).unwrap()).unwrap();
    *app.world_mut().get_mut::<Terrain>(above).unwrap() = meadow(9);
    for frame in 0..200 {
        app.update();
        for &body in bodies.iter().filter(|_| frame > 0) {
            let clear = height_above(&app, &coarse, body) + 15.0;
            assert!(clear > 0.4 && clear < 2.0, "frame {frame}: {clear} m above the ground");
        }
    }
}

#[test]
fn a_moved_ground_carries_what_rests_on_it() {
    with_each_engine!(E => moved::<E>());
}

/// Pads, hills and craters under resting bodies carry them, and tiles that no edit touches stay.
fn edited<E: Engine>() {
    let mut app = app::<E>();
    let ground = meadow(1);
    let query = GroundQuery::of(&ground).unwrap();
    let terrain = app.world_mut().spawn(ground).id();
    let place = |k: usize| [40.0 * (k % 8) as f64, 40.0 * (k / 8) as f64];
    let bodies: Vec<_> = (0..40)
        .map(|k| {
            let position = place(k);
            let y = query.surface(position).unwrap().value + 0.6;
            let body = (E::body(Shape::Ball, 0.5, Vec3::ZERO), E::sticky());
            let transform = Transform::from_xyz(position[0] as f32, y, position[1] as f32);
            app.world_mut().spawn((body, TerrainColliderSource::new(0.5), transform)).id()
        })
        .collect();
    for _ in 0..200 {
        app.update();
    }
    for round in 0..60 {
        let near = place((7 * round) % 40);
        let (before, level) = (tiles(&mut app), query.surface(near).unwrap().value);
        let stood: Vec<Vec3> = bodies.iter().map(|&body| translation(&app, body)).collect();
        let mut edits = app.world_mut().get_mut::<TerrainEdits>(terrain).unwrap();
        let area = Area::Disc(Disc { center: near, radius: 6.0, falloff: 5.0 });
        let edit: Edit = match round % 3 {
            0 => Raise { area, height: 3.0 }.into(),
            1 => Flatten { area, height: level, ..Flatten::default() }.into(),
            _ => Crater { center: near, radius: 8.0, ..Crater::default() }.into(),
        };
        let region = edit.region().unwrap();
        edits.log.add(1, edit).unwrap();
        let now = query.with_edits(edits.log.edits());
        for frame in 0..10 {
            app.update();
            for &body in bodies.iter().filter(|_| frame > 0) {
                let above = height_above(&app, &now, body);
                assert!(above > 0.3, "round {round}, frame {frame}: {above} m above the ground");
            }
        }
        let after = tiles(&mut app);
        // Tiles are 8 m wide.
        let far = |x: f64, k: usize| x + 8.0 < region.min[k] || x > region.max[k];
        // Bodies that roll leave tiles behind.
        let rolls: Vec<Vec3> = core::iter::zip(&bodies, stood)
            .filter(|(body, from)| translation(&app, **body).distance(*from) > 0.05)
            .map(|(_, from)| from)
            .collect();
        let is_left = |[x, z]: [f64; 2]| {
            let near = |a: f32, corner: f64| (f64::from(a) - corner - 4.0).abs() < 16.0;
            rolls.iter().any(|from| near(from.x, x) && near(from.z, z))
        };
        let untouched = before
            .iter()
            .filter(|(_, [x, z])| far(*x, 0) || far(*z, 1))
            .filter(|(_, corner)| !is_left(*corner));
        let kept = untouched.clone().filter(|tile| after.contains(tile)).count();
        assert!(kept > 0 && kept == untouched.count(), "round {round}: {kept} tiles kept");
    }
}

fn translation(app: &App, body: Entity) -> Vec3 {
    app.world().get::<Transform>(body).unwrap().translation
}

/// All tiles with their corners.
fn tiles(app: &mut App) -> Vec<(Entity, [f64; 2])> {
    let mut tiles = app.world_mut().query::<(Entity, &ColliderTile)>();
    let corner = |x: i64| 8.0 * x as f64;
    let tiles = tiles.iter(app.world()).map(|(entity, tile)| (entity, tile.key));
    tiles.map(|(entity, key)| (entity, [corner(key.x), corner(key.z)])).collect()
}

#[test]
fn an_edited_ground_carries_what_rests_on_it() {
    with_each_engine!(E => edited::<E>());
}
