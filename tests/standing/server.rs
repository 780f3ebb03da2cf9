//! Servers, and apps that lack a plugin: nothing panics, and messages are useful.

use bevy::ecs::schedule::{InternedScheduleLabel, ScheduleLabel};
use bevy::ecs::system::SystemState;
use bevy::prelude::*;
use bevy_orogeny::advanced::{PhysicsEngine, QueryError, Tile};
use bevy_orogeny::prelude::*;

use super::{plain, terrain};

/// A physics engine that does nothing and needs nothing.
struct Idle;

#[derive(Component, Default)]
struct Still;

impl PhysicsEngine for Idle {
    type Velocity = Still;
    type Collider = Still;

    fn schedule() -> InternedScheduleLabel {
        Update.intern()
    }

    fn order(_: &mut App, _: InternedScheduleLabel) {}

    fn linear(_: &Still) -> Vec3 {
        Vec3::ZERO
    }

    fn set_linear(_: &mut Still, _: Vec3) {}

    fn collider(_: &Tile) -> Option<Still> {
        Some(Still)
    }

    fn solids(_: &Tile) -> Option<Self::Collider> {
        None
    }
}

fn problems(app: &App) -> Vec<TerrainProblem> {
    app.world().resource::<TerrainProblems>().iter().map(|(_, problem)| problem.clone()).collect()
}

/// Spawns terrain and everything that stands on it, and despawns them.
fn come_and_go(app: &mut App) {
    app.add_systems(Update, walk);
    let ground = app.world_mut().spawn(terrain(1)).id();
    let walker = app.world_mut().spawn(TerrainWalker::default()).id();
    let source = app.world_mut().spawn((TerrainColliderSource::new(1.0), Still)).id();
    let flag = app.world_mut().spawn(SpawnOnGround::default()).id();
    app.update();
    assert_eq!(app.world().get::<Transform>(walker), Some(&Transform::default()));
    assert!(app.world().get::<SpawnOnGround>(flag).is_some());
    app.world_mut().entity_mut(source).remove::<TerrainColliderSource>();
    app.world_mut().entity_mut(ground).remove::<Terrain>();
    app.update();
}

#[test]
fn without_asset_plugin_queries_say_so_and_nothing_panics() {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, TransformPlugin, TerrainPlugins));
    app.add_plugins(TerrainColliderPlugin::new(Idle));
    app.world_mut().spawn(terrain(1));
    app.update();
    let mut state = SystemState::<TerrainQuery>::new(app.world_mut());
    let answer = state.get(app.world()).unwrap().single().map(drop);
    assert_eq!(answer, Err(QueryError::NotRunning));
    assert!(answer.unwrap_err().to_string().contains("AssetPlugin"));
    come_and_go(&mut app);
    assert_eq!(problems(&app), [TerrainProblem::NoAssets]);
}

#[test]
fn colliders_without_terrain_plugin_say_so_and_nothing_panics() {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, TransformPlugin, TerrainColliderPlugin::new(Idle)));
    // Also before the app starts, when the problem is not reported yet.
    let source = app.world_mut().spawn((TerrainColliderSource::new(1.0), Still)).id();
    app.world_mut().entity_mut(source).remove::<TerrainColliderSource>();
    come_and_go(&mut app);
    assert_eq!(
        problems(&app),
        [TerrainProblem::WithoutStreaming { part: "TerrainColliderPlugin" }]
    );
}

/// Queries and colliders need no viewer, so the message for a server does not ask for a camera.
#[test]
fn only_an_app_with_a_camera_is_told_to_put_a_viewer_on_it() {
    let mut app = plain();
    app.world_mut().spawn(terrain(1));
    app.update();
    let said = problems(&app);
    assert_eq!(said, [TerrainProblem::NoViewer { camera: false }]);
    assert!(!said[0].to_string().contains("camera"), "{}", said[0]);
    app.world_mut().spawn(Camera3d::default());
    app.update();
    let said = problems(&app);
    assert_eq!(said, [TerrainProblem::NoViewer { camera: true }]);
    assert!(said[0].to_string().contains("insert one on the camera"), "{}", said[0]);
}
