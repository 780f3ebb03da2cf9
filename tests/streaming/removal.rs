//! A despawned terrain leaves nothing behind, and despawned chunks are built again.

use std::sync::Arc;
use std::thread::sleep;
use std::time::{Duration, Instant};

use bevy::prelude::*;
use bevy_orogeny::{Ground, HeightField, Terrain, TerrainStats};

use super::support::*;

#[test]
fn despawning_leaves_nothing() {
    for in_flight in [true, false] {
        let mut app = app();
        let field: Arc<dyn HeightField> = dawdling(3);
        let ground = app.world_mut().spawn(terrain(Ground::field(field.clone()))).id();
        spawn_viewer(&mut app, Vec3::ZERO);
        app.update();
        if in_flight {
            app.update();
            assert!(app.world().resource::<TerrainStats>().tasks_in_flight > 0);
        } else {
            settle(&mut app);
        }
        assert!(chunk_entities(&mut app) > 0 && meshes(&app) > 0);
        app.world_mut().despawn(ground);
        (0..3).for_each(|_| app.update());
        assert_eq!((chunk_entities(&mut app), meshes(&app)), (0, 0));
        let stats = app.world().resource::<TerrainStats>();
        assert_eq!((stats.chunks, stats.tasks_in_flight, stats.missing), (0, 0, 0));
        // Every task held the field. Running tasks end soon, the others at once.
        let begun = Instant::now();
        while Arc::strong_count(&field) > 1 {
            assert!(begun.elapsed() < LONG, "tasks are left");
            app.update();
            sleep(Duration::from_millis(1));
        }
    }
}

#[test]
fn removing_the_component_leaves_the_entity_alone() {
    let mut app = app();
    let ground = app.world_mut().spawn(terrain(Ground::Recipe(recipe(1)))).id();
    spawn_viewer(&mut app, Vec3::ZERO);
    settle(&mut app);
    app.world_mut().entity_mut(ground).remove::<Terrain>();
    (0..3).for_each(|_| app.update());
    assert_eq!((chunk_entities(&mut app), meshes(&app)), (0, 0));
    // The terrain component may be inserted again.
    app.world_mut().entity_mut(ground).insert(terrain(Ground::Recipe(recipe(2))));
    app.update();
    check_cover(&mut app, ground, [0.0, 0.0], RANGE);
}

#[test]
fn chunks_despawned_by_others_come_back() {
    let mut app = app();
    let ground = app.world_mut().spawn(terrain(Ground::Recipe(recipe(1)))).id();
    spawn_viewer(&mut app, Vec3::ZERO);
    settle(&mut app);
    let before = chunk_entities(&mut app);
    app.world_mut().entity_mut(ground).despawn_children();
    assert_eq!(chunk_entities(&mut app), 0);
    app.update();
    check_cover(&mut app, ground, [0.0, 0.0], RANGE);
    settle(&mut app);
    assert_eq!(chunk_entities(&mut app), before);
}

#[test]
fn chunks_detached_by_others_come_back() {
    let mut app = app();
    let ground = app.world_mut().spawn(terrain(Ground::Recipe(recipe(1)))).id();
    spawn_viewer(&mut app, Vec3::ZERO);
    settle(&mut app);
    let before = chunk_entities(&mut app);
    app.world_mut().entity_mut(ground).detach_all_children();
    // They are despawned at the end of the next frame.
    app.update();
    settle(&mut app);
    check_cover(&mut app, ground, [0.0, 0.0], RANGE);
    assert_eq!(chunk_entities(&mut app), before);
}
