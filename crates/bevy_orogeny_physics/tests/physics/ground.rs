//! Tiles exist exactly while they are needed.

use bevy::prelude::*;
use bevy_orogeny::advanced::{ColliderTile, TerrainProblem};
use bevy_orogeny::{GroundQuery, GroundReady, Terrain, TerrainColliderSource, TerrainProblems};

use crate::support::{Engine, Shape, app, clearance, meadow, terrain, tiles, with_each_engine};

/// A ball spawned at rest on the ground stays at rest from the first step, and `GroundReady` is
/// sent once.
fn rests_from_the_start<E: Engine>() {
    let terrain = meadow(1);
    let ground = GroundQuery::of(&terrain).unwrap();
    let mut app = app::<E>();
    app.init_resource::<ReadyCount>()
        .add_observer(|_: On<GroundReady>, mut ready: ResMut<ReadyCount>| ready.0 += 1);
    app.world_mut().spawn(terrain);
    let surface = ground.surface([3.0, 5.0]).unwrap();
    let position =
        Vec3::new(3.0, surface.value, 5.0) + 0.5 * bevy_orogeny::advanced::normal(surface);
    let body = (E::body(Shape::Ball, 0.5, Vec3::ZERO), E::sticky());
    let ball = app
        .world_mut()
        .spawn((body, TerrainColliderSource::new(0.5), Transform::from_translation(position)))
        .id();
    for _ in 0..120 {
        app.update();
        let clear = clearance(&app, &ground, ball);
        assert!((clear - 0.5).abs() < 0.06, "{clear} m from the ground");
    }
    assert_eq!(app.world().resource::<ReadyCount>().0, 1);
    assert!((1..=4).contains(&tiles(&mut app)), "{}", tiles(&mut app));
}

#[derive(Resource, Default)]
struct ReadyCount(usize);

#[test]
fn the_ground_is_there_before_the_first_step() {
    with_each_engine!(E => rests_from_the_start::<E>());
}

/// Tiles follow a source, and their number fits its radius. They despawn with the source, with the
/// terrain, and when either loses its component or is invalid.
fn tiles_come_and_go<E: Engine>() {
    let mut app = app::<E>();
    let mut ends: Vec<(&str, fn(&mut World, Entity, Entity))> = Vec::new();
    ends.push(("source despawned", |world, source, _| assert!(world.despawn(source))));
    ends.push(("terrain despawned", |world, _, terrain| assert!(world.despawn(terrain))));
    ends.push(("source component removed", |world, source, _| {
        world.entity_mut(source).remove::<TerrainColliderSource>();
    }));
    ends.push(("terrain component removed", |world, _, terrain| {
        world.entity_mut(terrain).remove::<Terrain>();
    }));
    ends.push(("terrain rotated", |world, _, terrain| {
        *world.get_mut::<Transform>(terrain).unwrap() =
            Transform::from_rotation(Quat::from_rotation_y(1.0));
    }));
    ends.push(("radius not a number", |world, source, _| {
        world.get_mut::<TerrainColliderSource>(source).unwrap().radius = f32::NAN;
    }));
    for (what, end) in ends {
        let terrain = app.world_mut().spawn(terrain(2)).id();
        let source = TerrainColliderSource::new(1.0);
        let source = app.world_mut().spawn((source, Transform::from_xyz(4.0, 0.0, 4.0))).id();
        for k in 0..150 {
            app.update();
            app.world_mut().get_mut::<Transform>(source).unwrap().translation.x += 1.5;
            let found = tiles(&mut app);
            assert!((1..40).contains(&found), "{what}, step {k}: {found} tiles");
        }
        end(app.world_mut(), source, terrain);
        for _ in 0..3 {
            app.update();
        }
        assert_eq!(tiles(&mut app), 0, "{what}");
        let problems = app.world().resource::<TerrainProblems>();
        let said = problems.iter().any(|(_, problem)| matches!(problem, TerrainProblem::Source(_)));
        assert_eq!(said, what == "radius not a number");
        app.world_mut().try_despawn(source).ok();
        app.world_mut().try_despawn(terrain).ok();
    }
}

#[test]
fn tiles_end_with_what_needs_them() {
    with_each_engine!(E => tiles_come_and_go::<E>());
}

/// Tasks build the tiles ahead of a flying source, so the tile under it exists before it arrives.
fn ground_is_prepared<E: Engine>() {
    let mut app = app::<E>();
    app.world_mut().spawn(terrain(2));
    let velocity = Vec3::new(200.0, 0.0, 100.0);
    let mut moving = E::Velocity::default();
    E::set_linear(&mut moving, velocity);
    // It flies through hills.
    let source = TerrainColliderSource { keep_above: false, ..default() };
    let source = (source, moving, Transform::default());
    let source = app.world_mut().spawn(source).id();
    let mut late = 0;
    for k in 0..300 {
        app.update();
        // Give tasks time, as there is between frames.
        std::thread::sleep(std::time::Duration::from_millis(4));
        let position = app.world().get::<Transform>(source).unwrap().translation + velocity / 30.0;
        let mut tiles = app.world_mut().query::<(&ColliderTile, &Transform)>();
        let under = |tile: &Transform| {
            let off = position - tile.translation;
            (0.0..8.0).contains(&off.x) && (0.0..8.0).contains(&off.z)
        };
        assert!(tiles.iter(app.world()).any(|(_, tile)| under(tile)), "step {k}");
        // Tiles are prepared for a second of flight. Half a second leaves time for running tasks.
        let ahead = position + 0.5 * velocity;
        let near = |tile: &Transform| (tile.translation - ahead).xz().length() < 12.0;
        late += usize::from(k > 60 && !tiles.iter(app.world()).any(|(_, tile)| near(tile)));
        app.world_mut().get_mut::<Transform>(source).unwrap().translation += velocity / 60.0;
    }
    assert_eq!(late, 0);
}

#[test]
fn ground_is_prepared_ahead() {
    with_each_engine!(E => ground_is_prepared::<E>());
}
