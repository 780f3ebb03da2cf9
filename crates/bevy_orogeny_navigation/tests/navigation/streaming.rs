//! Tiles around sources.

use std::time::Duration;

use bevy::ecs::schedule::{LogLevel, ScheduleBuildSettings};
use bevy::prelude::*;
use bevy_orogeny::advanced::{QueryError, StreamTerrain, TerrainBudget};
use bevy_orogeny_navigation::advanced::TileKey;
use bevy_orogeny_navigation::{NavigationAgent, NavigationError, NavigationMesh, NavigationSource};

use crate::support::{app, changed, keys, meadow, mesh, settle, watch};

#[test]
fn tiles_follow_their_sources() {
    let (mut app, _, entity) = app(meadow(), NavigationAgent::default());
    let source = NavigationSource { mesh: entity, range: 30.0 };
    let walker = app.world_mut().spawn((source, Transform::from_xyz(8.0, 0.0, 8.0))).id();
    app.world_mut().spawn((source, Transform::from_xyz(5000.0, 0.0, 8.0)));
    settle(&mut app, entity);
    assert!(keys(&app, entity).contains(&TileKey { x: -2, z: 1 }));
    let count = keys(&app, entity).len();
    assert!(count < 60, "{count}");
    for step in 0..40 {
        let at = Vec3::new(8.0 + 10.0 * step as f32, 0.0, 8.0);
        app.world_mut().get_mut::<Transform>(walker).unwrap().translation = at;
        settle(&mut app, entity);
        let near = [f64::from(at.x) + 25.0, 8.0];
        assert!(mesh(&app, entity).path([at.x.into(), 8.0], near).is_ok());
        assert!(keys(&app, entity).len() <= count + 30, "{}", keys(&app, entity).len());
    }
    assert!(!keys(&app, entity).contains(&TileKey { x: 0, z: 0 }));
    app.world_mut().despawn(walker);
    app.update();
    assert!(keys(&app, entity).iter().all(|key| key.x > 300));
}

#[test]
fn what_cannot_be_answered_says_why() {
    let (mut app, terrain, entity) = app(meadow(), NavigationAgent::default());
    let source = app.world_mut().spawn(NavigationSource { mesh: entity, range: 30.0 }).id();
    settle(&mut app, entity);
    let path = |app: &App, from, to| mesh(app, entity).path(from, to).unwrap_err();
    let outside = [500.0, 0.0];
    assert_eq!(path(&app, outside, [0.0; 2]), NavigationError::StartOutsideTiles(outside));
    assert_eq!(path(&app, [0.0; 2], outside), NavigationError::GoalOutsideTiles(outside));
    let error = path(&app, [f64::NAN, 0.0], [0.0; 2]).to_string();
    assert!(error.starts_with("position is NaN"), "{error}");
    assert_eq!(mesh(&app, entity).nearest([f64::INFINITY; 2]), None);
    assert_eq!(mesh(&app, entity).slide([1.0, 1.0], [f64::NAN; 2]), Some([1.0, 1.0]));
    for range in [f64::NAN, -1.0, 513.0] {
        app.world_mut().get_mut::<NavigationSource>(source).unwrap().range = range;
        app.update();
        let problem = mesh(&app, entity).problem().unwrap().to_string();
        assert!(problem.starts_with("range is"), "{problem}");
    }
    app.world_mut().despawn(terrain);
    app.update();
    let problem = NavigationError::Ground(QueryError::NoTerrain);
    assert_eq!(mesh(&app, entity).problem(), Some(&problem));
}

/// An agent that is steered anywhere stays on the mesh.
#[test]
fn sliding_never_leaves_the_mesh() {
    let (mut app, _, entity) = app(meadow(), NavigationAgent::default());
    app.world_mut().spawn(NavigationSource { mesh: entity, range: 10.0 });
    settle(&mut app, entity);
    let mesh = mesh(&app, entity);
    let mut at = [1.0, 2.0];
    for step in 0..3000 {
        let (sin, cos) = (f64::from(step / 40) * 2.4).sin_cos();
        let next = mesh.slide(at, [at[0] + 0.9 * cos, at[1] + 0.9 * sin]).unwrap();
        assert!((next[0] - at[0]).hypot(next[1] - at[1]) < 0.9 + 1e-6);
        at = next;
        assert_eq!(mesh.nearest(at), Some(at));
    }
}

#[test]
fn no_system_is_ambiguous() {
    let (mut app, ..) = app(meadow(), NavigationAgent::default());
    app.edit_schedule(StreamTerrain, |schedule| {
        schedule.set_build_settings(ScheduleBuildSettings {
            ambiguity_detection: LogLevel::Error,
            ..default()
        });
    });
    app.update();
}

/// A mesh whose terrain comes late, and one that is despawned while tasks run.
#[test]
fn meshes_wait_for_their_terrain() {
    let (mut app, terrain, entity) = app(meadow(), NavigationAgent::default());
    app.world_mut().despawn(terrain);
    app.world_mut().spawn(NavigationSource::new(entity));
    app.update();
    let nothing = mesh(&app, entity).path([0.0; 2], [1.0; 2]);
    assert_eq!(nothing, Err(NavigationError::Ground(QueryError::NoTerrain)));
    app.world_mut().spawn(meadow());
    app.update();
    app.update();
    assert!(mesh(&app, entity).missing() > 0 && mesh(&app, entity).problem().is_none());
    app.world_mut().despawn(entity);
    std::thread::sleep(Duration::from_millis(20));
    app.update();
    assert!(app.world().get::<NavigationMesh>(entity).is_none());
}

/// A mesh that the plugin has not seen is not complete.
#[test]
fn tiles_are_missing_before_the_first_frame() {
    let (mut app, _, entity) = app(meadow(), NavigationAgent::default());
    assert!(mesh(&app, entity).missing() > 0);
    app.update();
    // No source wants any.
    assert_eq!(mesh(&app, entity).missing(), 0);
}

/// The budget is for all meshes together.
#[test]
fn meshes_share_the_budget() {
    let (mut app, _, first) = app(meadow(), NavigationAgent::default());
    app.insert_resource(TerrainBudget { tasks: 1, ..TerrainBudget::default() });
    watch(&mut app);
    let second = NavigationMesh::new(NavigationAgent { radius: 1.0, ..NavigationAgent::default() });
    let second = app.world_mut().spawn(second.unwrap()).id();
    for mesh in [first, second] {
        app.world_mut().spawn(NavigationSource { mesh, range: 10.0 });
    }
    app.update();
    while mesh(&app, first).missing() + mesh(&app, second).missing() > 0 {
        std::thread::sleep(Duration::from_millis(20));
        app.update();
        assert!(changed(&mut app).len() <= 1);
        // Neither waits for the other.
        let counts = [first, second].map(|entity| mesh(&app, entity).tiles().len());
        assert!(counts[0].abs_diff(counts[1]) <= 1, "{counts:?}");
    }
}

/// Paths in the world are others where the terrain has moved.
#[test]
fn a_terrain_that_moves_is_told() {
    let (mut app, terrain, entity) = app(meadow(), NavigationAgent::default());
    watch(&mut app);
    app.world_mut().spawn(NavigationSource { mesh: entity, range: 60.0 });
    settle(&mut app, entity);
    let before = keys(&app, entity);
    changed(&mut app);
    app.update();
    assert_eq!(changed(&mut app), []);
    app.world_mut().get_mut::<Transform>(terrain).unwrap().translation.x = 1.0;
    app.update();
    assert_eq!(mesh(&app, entity).offset(), [1.0, 0.0]);
    let listed = changed(&mut app);
    assert!(before.iter().all(|key| listed.contains(key)));
}
