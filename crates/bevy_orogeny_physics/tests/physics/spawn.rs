//! `SpawnOnGround`, with and without an engine.

use std::thread::sleep;
use std::time::{Duration, Instant};

use bevy::prelude::*;
use bevy_orogeny::advanced::{SpawnOnGroundError, TerrainProblem, normal};
use bevy_orogeny::orogeny::edits::{Area, Disc, Flatten};
use bevy_orogeny::{
    GroundQuery, GroundReady, SpawnOnGround, TerrainColliderSource, TerrainEdits, TerrainOrigin,
    TerrainProblems,
};

use crate::support::{Engine, Shape, app, clearance, meadow, plain, terrain, with_each_engine};

#[derive(Resource, Default)]
struct Ready(Vec<Entity>);

fn listen(app: &mut App) {
    app.init_resource::<Ready>()
        .add_observer(|ready: On<GroundReady>, mut seen: ResMut<Ready>| seen.0.push(ready.entity));
}

fn problem(app: &App) -> Option<SpawnOnGroundError> {
    app.world().resource::<TerrainProblems>().iter().find_map(|(_, problem)| match problem {
        TerrainProblem::SpawnOnGround(error) => Some(error.clone()),
        _ => None,
    })
}

/// Updates until an entity is on the ground.
fn place(app: &mut App, entity: Entity) {
    let start = Instant::now();
    while app.world().get::<SpawnOnGround>(entity).is_some() {
        assert!(start.elapsed() < Duration::from_secs(60), "{:?}", problem(app));
        app.update();
        sleep(Duration::from_micros(100));
    }
}

/// Bodies are spawned before, with and after a terrain. None falls before it is put on the ground.
fn bodies_are_placed<E: Engine>() {
    let ground = GroundQuery::of(&meadow(5)).unwrap();
    let mut app = app::<E>();
    listen(&mut app);
    let spawn = |app: &mut App, k: f64| {
        let on_ground = SpawnOnGround { offset: 0.6, ..SpawnOnGround::at([31.0 * k, -17.0 * k]) };
        let body = (E::body(Shape::Ball, 0.5, Vec3::ZERO), E::sticky());
        app.world_mut().spawn((body, on_ground, TerrainColliderSource::new(0.5))).id()
    };
    let early = spawn(&mut app, 1.0);
    for _ in 0..60 {
        app.update();
        let velocity = E::linear(app.world().get::<E::Velocity>(early).unwrap());
        assert!(velocity.length() < 0.5, "it falls before it is placed: {velocity}");
    }
    app.world_mut().spawn(meadow(5));
    let bodies = [early, spawn(&mut app, 2.0)];
    app.update();
    let late = spawn(&mut app, 3.0);
    for frame in 0..120 {
        app.update();
        for body in [bodies[0], bodies[1], late] {
            let clear = clearance(&app, &ground, body);
            assert!(clear > 0.4 && clear < 0.7, "frame {frame}: {clear} m from the ground");
        }
    }
    let mut ready = app.world().resource::<Ready>().0.clone();
    ready.sort_unstable();
    let mut placed = [bodies[0], bodies[1], late];
    placed.sort_unstable();
    assert_eq!(ready, placed);
    // Putting it on the ground again sends `GroundReady` again.
    app.world_mut().entity_mut(late).insert(SpawnOnGround { offset: 0.6, ..default() });
    app.update();
    assert_eq!(app.world().resource::<Ready>().0.len(), 4);
}

#[test]
fn bodies_are_placed_before_they_fall() {
    with_each_engine!(E => bodies_are_placed::<E>());
}

#[test]
fn ground_is_as_requested() {
    let mut app = plain();
    listen(&mut app);
    let far = [1e12, -7e11];
    app.insert_resource(TerrainOrigin::at(far));
    app.world_mut().spawn(terrain(5));
    let ground = GroundQuery::of(&terrain(5)).unwrap();
    let (water, mut at_once) = (20.0, 0);
    for k in 0..200 {
        // Not on an edge, where a rounded position may be on either triangle.
        let position = [far[0] + 61.0 * f64::from(k) + 0.3, far[1] + 23.5 * f64::from(k) + 0.15];
        let on_ground = SpawnOnGround {
            position,
            offset: 2.0,
            align: true,
            steepest: 0.5,
            lowest: Some(water),
            search: 2000.0,
            ..default()
        };
        let rotated = Transform::from_rotation(Quat::from_euler(EulerRot::XYZ, 0.2, 0.3, -0.5));
        let tree = app.world_mut().spawn((on_ground, rotated)).id();
        // It is placed at once, before the next frame, if that needs no search.
        let here = ground.surface(position).unwrap();
        let is_acceptable =
            f64::from(here.value) >= water && normal(here).angle_between(Vec3::Y) < 0.499;
        at_once += i32::from(is_acceptable);
        assert!(!is_acceptable || app.world().get::<SpawnOnGround>(tree).is_none());
        place(&mut app, tree);
        assert_eq!(app.world().resource::<Ready>().0.last(), Some(&tree));
        let transform = app.world().get::<Transform>(tree).unwrap();
        let up = transform.rotation * Vec3::Y;
        let feet = transform.translation - 2.0 * up;
        let [x, y, z] = app.world().resource::<TerrainOrigin>().position(feet);
        let surface = ground.surface([x, z]).unwrap();
        assert!((y - f64::from(surface.value)).abs() < 0.01, "{y} on {}", surface.value);
        assert!(up.angle_between(normal(surface)) < 0.05);
        assert!(up.angle_between(Vec3::Y) < 0.5 + 1e-3 && y > water - 0.01);
        assert!((x - position[0]).hypot(z - position[1]) <= 2000.1);
    }
    assert!(at_once > 10 && at_once < 190, "{at_once}");
}

#[test]
fn dry_ground_is_found_beside_a_sea_and_the_sea_by_others() {
    let mut app = plain();
    listen(&mut app);
    let sea = terrain(5).with_sea(10.0);
    let ground = GroundQuery::of(&sea).unwrap();
    app.world_mut().spawn(sea);
    let mut wet = 0;
    for k in 0..100 {
        let position = [61.0 * f64::from(k), 23.5 * f64::from(k)];
        let mut depth = |deepest| {
            let on_ground =
                SpawnOnGround { deepest, search: 3000.0, ..SpawnOnGround::at(position) };
            let entity = app.world_mut().spawn(on_ground).id();
            place(&mut app, entity);
            let at = app.world().get::<Transform>(entity).unwrap().translation;
            let water = ground.water([at.x.into(), at.z.into()]).unwrap();
            water.map_or(0.0, |water| water.depth)
        };
        // Transforms are rounded to f32.
        assert!(depth(Some(0.0)) < 0.01 && depth(Some(1.5)) < 1.51);
        wet += i32::from(depth(None) > 0.0);
    }
    assert!(wet > 20 && wet < 80, "{wet}");
}

#[test]
fn without_acceptable_ground_an_entity_waits_with_a_problem() {
    let mut app = plain();
    listen(&mut app);
    let nowhere = SpawnOnGround { lowest: Some(1e6), search: 15.0, ..default() };
    let waiting = app.world_mut().spawn(nowhere).id();
    app.update();
    assert_eq!(problem(&app), None, "there is no terrain yet");
    app.world_mut().spawn(terrain(5));
    app.update();
    assert_eq!(problem(&app), Some(SpawnOnGroundError::Unsuited));
    app.world_mut().entity_mut(waiting).insert(SpawnOnGround { search: f64::NAN, ..nowhere });
    assert!(problem(&app).unwrap().to_string().contains("search"));
    app.world_mut()
        .entity_mut(waiting)
        .insert(SpawnOnGround { position: [f64::INFINITY, 0.0], ..nowhere });
    assert!(problem(&app).unwrap().to_string().contains("position"));
    app.world_mut().entity_mut(waiting).insert(SpawnOnGround { steepest: f32::NAN, ..nowhere });
    assert!(problem(&app).unwrap().to_string().contains("steepest"));
    app.world_mut().entity_mut(waiting).insert(SpawnOnGround { deepest: Some(-1.0), ..nowhere });
    assert!(problem(&app).unwrap().to_string().contains("deepest"));
    let lowest = Some(f64::NAN);
    app.world_mut().entity_mut(waiting).insert(SpawnOnGround { lowest, ..nowhere });
    assert!(problem(&app).unwrap().to_string().contains("lowest"));
    app.world_mut().entity_mut(waiting).insert(SpawnOnGround::default());
    assert_eq!(problem(&app), None);
    assert_eq!(app.world().resource::<Ready>().0, [waiting]);
}

/// A search beyond some metres takes several frames, and begins anew when the ground changes. The
/// nearest ground is found, whatever else is within the search, even while the ground changes all
/// the time.
#[test]
fn a_far_search_finds_the_nearest() {
    let mut app = plain();
    listen(&mut app);
    let terrain = app.world_mut().spawn(terrain(5).with_sea(1e3)).id();
    app.update();
    let spawn = SpawnOnGround { search: 200.0, ..SpawnOnGround::at([3.0, 7.0]) };
    let entity = app.world_mut().spawn(spawn).id();
    let start = Instant::now();
    while problem(&app).is_none() {
        assert!(start.elapsed() < Duration::from_secs(60));
        app.update();
    }
    assert_eq!(problem(&app), Some(SpawnOnGroundError::Unsuited));
    // Two islands, the nearer one last.
    let mut edits = app.world_mut().get_mut::<TerrainEdits>(terrain).unwrap();
    for center in [[160.0, 7.0], [3.0, 87.0]] {
        let area = Area::Disc(Disc { center, radius: 20.0, falloff: 1.0 });
        edits.log.add(1, Flatten { area, height: 2e3, ..Flatten::default() }).unwrap();
    }
    place(&mut app, entity);
    let at = app.world().get::<Transform>(entity).unwrap().translation;
    assert_eq!(problem(&app), None);
    let distance = (at.x - 3.0).hypot(at.z - 7.0);
    assert!((59.0..=62.0).contains(&distance) && at.y > 1e3, "{at}");

    let entity = app.world_mut().spawn(spawn).id();
    while app.world().get::<SpawnOnGround>(entity).is_some() {
        assert!(start.elapsed() < Duration::from_secs(60));
        let mut edits = app.world_mut().get_mut::<TerrainEdits>(terrain).unwrap();
        let area = Area::Disc(Disc { center: [5e4, 0.0], ..Disc::default() });
        edits.log.add(1, Flatten { area, ..Flatten::default() }).unwrap();
        app.update();
    }
    assert_eq!(app.world().get::<Transform>(entity).unwrap().translation, at);
}
