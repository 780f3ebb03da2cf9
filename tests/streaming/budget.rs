//! Viewers at rest follow changes of the budget, and finished chunks are received in the order of
//! their urgency.

use std::collections::HashSet;
use std::sync::atomic::Ordering;
use std::thread::sleep;
use std::time::Duration;

use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy_orogeny::Ground;
use bevy_orogeny::advanced::{ChunkKey, ChunkReady, TerrainBudget};

use super::support::*;

fn keys(app: &mut App, terrain: Entity) -> HashSet<ChunkKey> {
    drawn(app, terrain).iter().map(|chunk| chunk.key).collect()
}

/// A smaller budget makes terrain coarser at once, and a larger one restores all detail, although
/// no viewer moves.
#[test]
fn a_changed_budget_counts_at_rest() {
    let (mut app, ground, _) = settled();
    let all = keys(&mut app, ground);
    assert!(!stats(&app).limited);

    let before = stats(&app).chunks;
    // Balance alone requires three quarters of the chunks.
    let less = before - before / 8;
    app.insert_resource(TerrainBudget { chunks: less, ..default() });
    (0..10).for_each(|_| settle(&mut app));
    assert!(stats(&app).limited);
    // The budget counts wanted chunks. A few more are kept, for viewers who move back and forth.
    assert!(stats(&app).chunks < before, "{less} of {before}: {:?}", stats(&app));
    check_cover(&mut app, ground, [0.0, 0.0], RANGE);

    app.insert_resource(TerrainBudget::default());
    (0..10).for_each(|_| settle(&mut app));
    assert!(!stats(&app).limited, "it stays coarse");
    assert_eq!(keys(&mut app, ground), all);
}

/// Under a tight budget terrain comes to rest: it does not alternate between two scales
/// of detail.
#[test]
fn a_tight_budget_comes_to_rest() {
    let (mut app, ground, viewer) = settled();
    let before = stats(&app).chunks;
    app.insert_resource(TerrainBudget { chunks: before - before / 8, ..default() });
    // Streaming looks ahead until the velocity has faded.
    app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_millis(100)));
    for step in 0..20 {
        set(&mut app, viewer, |t: &mut Transform| t.translation.x = 3.0 * step as f32);
        (0..100).for_each(|_| app.update());
        settle(&mut app);
        let (before, built) = (keys(&mut app, ground), stats(&app).built);
        (0..50).for_each(|_| app.update());
        assert_eq!(keys(&mut app, ground), before, "{step}");
        assert_eq!(stats(&app).built, built, "{step}");
    }
}

/// A budget of nothing is slow, but terrain becomes complete, with coarse levels.
#[test]
fn a_budget_of_nothing_does_not_stop() {
    let mut app = app();
    app.insert_resource(TerrainBudget {
        chunks: 0,
        tasks: 0,
        per_frame: 0,
        io_threads: false,
        plant_bytes: 0,
        task_time: Duration::ZERO,
    });
    let ground = app.world_mut().spawn(hills(1)).id();
    let viewer = spawn_viewer(&mut app, Vec3::ZERO);
    settle(&mut app);
    check_cover(&mut app, ground, [0.0, 0.0], RANGE);
    assert!(stats(&app).limited);
    set(&mut app, viewer, |t: &mut Transform| t.translation.x = 5_000.0);
    settle(&mut app);
    check_cover(&mut app, ground, [5_000.0, 0.0], RANGE);
}

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
    // On flat ground the nearest chunks are the most urgent.
    let field = flat();
    app.world_mut().spawn(terrain(Ground::field(field.clone())));
    let viewer = spawn_viewer(&mut app, Vec3::ZERO);
    settle(&mut app);

    // All chunks are missing at the new position. Tasks are started for the most urgent ones.
    app.insert_resource(TerrainBudget { tasks: TASKS, per_frame: 1, ..default() });
    let there = [100_000.0, 300.0];
    set(&mut app, viewer, |t: &mut Transform| {
        t.translation = Vec3::new(there[0] as f32, 0.0, there[1] as f32);
    });
    let filled = field.filled.load(Ordering::Relaxed);
    app.world_mut().resource_mut::<Received>().0.clear();
    app.update();
    assert_eq!(stats(&app).tasks_in_flight, TASKS);
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
    // If a chunk is missing, its parent is drawn. Distances below the width of the finest chunk
    // count as equal.
    let distance = |key: ChunkKey| LAYOUT.distance(key.parent(), there).max(LAYOUT.size(0));
    for lod in 0..root_lod {
        let level: Vec<_> = received.iter().filter(|key| key.lod == lod).copied().collect();
        let sorted = level.is_sorted_by(|&a, &b| distance(a) <= distance(b));
        assert!(sorted, "{:?}", level.iter().map(|&key| distance(key)).collect::<Vec<_>>());
    }
}
