//! Events of chunks and terrains for observers.

use std::collections::HashMap;

use bevy::asset::RenderAssetUsages;
use bevy::prelude::*;
use bevy_orogeny::advanced::{Chunk, ChunkKey, ChunkReady, ChunkRemoved};
use bevy_orogeny::{Ground, Terrain, TerrainChanged, TerrainReady};

use super::support::*;

#[derive(Resource, Default)]
struct Heard {
    chunks: HashMap<Entity, ChunkKey>,
    removed: usize,
    ready: Vec<Entity>,
}

fn listening() -> App {
    let mut app = app();
    app.init_resource::<Heard>()
        .add_observer(|ready: On<ChunkReady>, mut heard: ResMut<Heard>, meshes: Query<&Mesh3d>| {
            assert!(meshes.contains(ready.chunk), "ready without a mesh");
            assert_eq!(heard.chunks.insert(ready.chunk, ready.key), None, "ready twice");
        })
        .add_observer(|removed: On<ChunkRemoved>, mut heard: ResMut<Heard>| {
            assert_eq!(
                heard.chunks.remove(&removed.chunk),
                Some(removed.key),
                "never ready, or removed twice"
            );
            heard.removed += 1;
        })
        .add_observer(|ready: On<TerrainReady>, mut heard: ResMut<Heard>| {
            heard.ready.push(ready.terrain);
        });
    app
}

/// Checks that the announced chunks are those that exist.
fn check(app: &mut App) {
    let mut there = app.world_mut().query_filtered::<(Entity, &Chunk), With<Mesh3d>>();
    let there: HashMap<_, _> =
        there.iter(app.world()).map(|(entity, chunk)| (entity, chunk.key)).collect();
    assert_eq!(app.world().resource::<Heard>().chunks, there);
}

#[test]
fn every_chunk_is_announced_once_and_taken_back_once() {
    let mut app = listening();
    let ground = app.world_mut().spawn(hills(1)).id();
    let viewer = spawn_viewer(&mut app, Vec3::ZERO);
    for frame in 0..200 {
        set(&mut app, viewer, |t: &mut Transform| t.translation.x += 9.0);
        if frame % 60 == 30 {
            set(&mut app, viewer, |t: &mut Transform| t.translation.z += 1e5);
        }
        if frame % 70 == 0 {
            set(&mut app, ground, |t: &mut Terrain| t.ground = Ground::Recipe(recipe(frame)));
        }
        app.update();
        check(&mut app);
        if frame % 25 == 24 {
            // Some chunks are ready, however busy the threads are.
            settle(&mut app);
            check(&mut app);
        }
    }
    assert!(app.world().resource::<Heard>().removed > 100);
    app.world_mut().despawn(ground);
    (0..3).for_each(|_| app.update());
    assert!(app.world().resource::<Heard>().chunks.is_empty());
}

#[test]
fn a_terrain_is_ready_at_the_start_after_a_teleport_and_after_a_change() {
    let mut app = listening();
    let ground = app.world_mut().spawn(hills(1)).id();
    app.update();
    assert!(app.world().resource::<Heard>().ready.is_empty(), "ready without a viewer");
    let viewer = spawn_viewer(&mut app, Vec3::ZERO);
    let times = |app: &App| app.world().resource::<Heard>().ready.len();
    settle(&mut app);
    assert_eq!(app.world().resource::<Heard>().ready, [ground]);
    (0..20).for_each(|_| app.update());
    assert_eq!(times(&app), 1, "triggered again at rest");
    set(&mut app, viewer, |t: &mut Transform| t.translation.x = 1e5);
    app.update();
    assert_eq!(times(&app), 1, "nothing is there yet");
    settle(&mut app);
    assert_eq!(times(&app), 2);
    set(&mut app, ground, |t: &mut Terrain| t.ground = Ground::Recipe(recipe(2)));
    settle(&mut app);
    assert_eq!(times(&app), 3);
}

/// The sea needs no other chunks, and is announced all the same.
#[test]
fn each_change_of_what_is_shown_is_announced_once() {
    #[derive(Resource, Default)]
    struct Changes(usize);
    let mut app = app();
    app.init_resource::<Changes>()
        .add_observer(|_: On<TerrainChanged>, mut changes: ResMut<Changes>| changes.0 += 1);
    let ground = app.world_mut().spawn(hills(1)).id();
    spawn_viewer(&mut app, Vec3::ZERO);
    let changes = |app: &mut App| {
        settle(app);
        app.world().resource::<Changes>().0
    };
    assert_eq!(changes(&mut app), 1);
    let built = stats(&app).built;
    for (level, expected) in [(5.0, 2), (5.0, 2), (7.0, 3)] {
        set(&mut app, ground, |t: &mut Terrain| *t = t.clone().with_sea(level));
        assert_eq!(changes(&mut app), expected);
    }
    assert_eq!(stats(&app).built, built);
    set(&mut app, ground, |t: &mut Terrain| t.ground = Ground::Recipe(recipe(2)));
    assert_eq!(changes(&mut app), 4);
}

#[test]
fn meshes_are_kept_on_request() {
    for keep_meshes in [false, true] {
        let mut app = app();
        let kept = Terrain { keep_meshes, ..hills(1) };
        app.world_mut().spawn(kept);
        spawn_viewer(&mut app, Vec3::ZERO);
        settle(&mut app);
        let usages =
            if keep_meshes { RenderAssetUsages::all() } else { RenderAssetUsages::RENDER_WORLD };
        assert!(
            app.world()
                .resource::<Assets<Mesh>>()
                .iter()
                .all(|(_, mesh)| mesh.asset_usage == usages)
        );
    }
}

/// A viewer who moves back and forth across the border of a level causes no rebuilds.
#[test]
fn rocking_builds_nothing_anew() {
    let (mut app, _, viewer) = scene();
    for start in 0..20 {
        // 0.8 m in a second, in chunks of 16 m.
        let sway = |app: &mut App, frames: u32| {
            for frame in 0..frames {
                let part = (frame as f32 * core::f32::consts::TAU / 120.0).sin();
                set(app, viewer, |t: &mut Transform| {
                    t.translation = Vec3::new(start as f32 * 1.7 + 0.4 * part, 0.0, 0.2 * part);
                });
                app.update();
            }
        };
        settle(&mut app);
        sway(&mut app, 240);
        settle(&mut app);
        let built = stats(&app).built;
        sway(&mut app, 360);
        assert_eq!(stats(&app).built, built, "from {start}");
    }
}

/// A teleport cancels the tasks of the old position.
#[test]
fn work_that_nobody_wants_any_more_is_cancelled() {
    let mut app = app();
    let field = dawdling(1);
    app.world_mut().spawn(terrain(Ground::field(field)));
    let viewer = spawn_viewer(&mut app, Vec3::ZERO);
    (0..2).for_each(|_| app.update());
    let before = stats(&app).clone();
    assert!(before.tasks_in_flight > 4, "{before:?}");
    set(&mut app, viewer, |t: &mut Transform| t.translation.x = 1e6);
    app.update();
    let after = stats(&app);
    assert!(after.cancelled >= 4, "{after:?}");
}
