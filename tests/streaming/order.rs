//! Finished chunks are received in the order of their urgency.

use std::sync::atomic::Ordering;
use std::thread::sleep;
use std::time::Duration;

use bevy::prelude::*;
use bevy_orogeny::{ChunkKey, ChunkReady, Ground, Layout, TerrainBudget, TerrainStats};

use super::support::*;

#[derive(Resource, Default)]
struct Received(Vec<ChunkKey>);

/// Of many finished chunks of one level, those nearest to the viewer become meshes first.
#[test]
fn urgent_chunks_are_received_first() {
    const TASKS: usize = 64;
    let mut app = app();
    app.init_resource::<Received>().add_observer(
        |ready: On<ChunkReady>, mut received: ResMut<Received>| received.0.push(ready.key),
    );
    let field = dawdling(0);
    app.world_mut().spawn(terrain(Ground::field(field.clone())));
    let viewer = spawn_viewer(&mut app, Vec3::ZERO);
    settle(&mut app);

    // All chunks are missing at the new position. Tasks are started for the most urgent ones.
    app.insert_resource(TerrainBudget {
        tasks_in_flight: TASKS,
        applied_per_frame: 1,
        ..default()
    });
    let there = [100_000.0, 300.0];
    set(&mut app, viewer, |t: &mut Transform| {
        t.translation = Vec3::new(there[0] as f32, 0.0, there[1] as f32);
    });
    let filled = field.filled.load(Ordering::Relaxed);
    app.world_mut().resource_mut::<Received>().0.clear();
    app.update();
    assert_eq!(app.world().resource::<TerrainStats>().tasks_in_flight, TASKS);
    // The roots that the view needs were built at once. Other chunks of their level are the most
    // urgent.
    let roots = app.world().resource::<Received>().0.len();
    let root_lod = app.world().resource::<Received>().0[0].lod;
    app.world_mut().resource_mut::<Received>().0.clear();
    while field.filled.load(Ordering::Relaxed) < filled + roots + TASKS {
        sleep(Duration::from_millis(1));
    }
    // The last task may not have returned its result yet.
    sleep(Duration::from_millis(20));

    (0..TASKS / 2).for_each(|_| app.update());
    let received = &app.world().resource::<Received>().0;
    assert_eq!(received.len(), TASKS / 2);
    let layout = Layout { cells: CELLS, spacing: 1.0 };
    // If a chunk is missing, its parent is drawn. Distances below the width of the finest chunk
    // count as equal.
    let distance = |key: ChunkKey| layout.distance(key.parent(), there).max(layout.size(0));
    for lod in 0..root_lod {
        let level: Vec<_> = received.iter().filter(|key| key.lod == lod).copied().collect();
        let sorted = level.is_sorted_by(|&a, &b| distance(a) <= distance(b));
        assert!(sorted, "{:?}", level.iter().map(|&key| distance(key)).collect::<Vec<_>>());
    }
}
