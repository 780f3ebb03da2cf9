//! Viewers at rest follow changes of the budget.

use std::collections::HashSet;
use std::time::Duration;

use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy_orogeny::{ChunkKey, Ground, TerrainBudget, TerrainStats};

use super::support::*;

fn keys(app: &mut App, terrain: Entity) -> HashSet<ChunkKey> {
    drawn(app, terrain).iter().map(|chunk| chunk.key).collect()
}

/// A smaller budget makes terrain coarser at once, and a larger one restores all detail, although
/// no viewer moves.
#[test]
fn a_changed_budget_counts_at_rest() {
    let mut app = app();
    let ground = app.world_mut().spawn(terrain(Ground::Recipe(recipe(1)))).id();
    spawn_viewer(&mut app, Vec3::ZERO);
    settle(&mut app);
    let all = keys(&mut app, ground);
    let stats = app.world().resource::<TerrainStats>();
    assert!(!stats.limited);

    let before = stats.chunks;
    // Balance alone requires three quarters of the chunks.
    let less = before - before / 8;
    app.insert_resource(TerrainBudget { chunks: less, ..default() });
    (0..10).for_each(|_| settle(&mut app));
    let stats = app.world().resource::<TerrainStats>();
    assert!(stats.limited);
    // The budget counts wanted chunks. A few more are kept, for viewers who move back and forth.
    assert!(stats.chunks < before, "{less} of {before}: {stats:?}");
    check_cover(&mut app, ground, [0.0, 0.0], RANGE);

    app.insert_resource(TerrainBudget::default());
    for _ in 0..10 {
        settle(&mut app);
    }
    assert!(!app.world().resource::<TerrainStats>().limited, "it stays coarse");
    assert_eq!(keys(&mut app, ground), all);
}

/// Under a tight budget terrain comes to rest: it does not alternate between two degrees of
/// sharpness.
#[test]
fn a_tight_budget_comes_to_rest() {
    let mut app = app();
    let ground = app.world_mut().spawn(terrain(Ground::Recipe(recipe(1)))).id();
    let viewer = spawn_viewer(&mut app, Vec3::ZERO);
    settle(&mut app);
    let before = app.world().resource::<TerrainStats>().chunks;
    app.insert_resource(TerrainBudget { chunks: before - before / 8, ..default() });
    // Streaming looks ahead until the velocity has faded.
    app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_millis(100)));
    for step in 0..20 {
        set(&mut app, viewer, |t: &mut Transform| t.translation.x = 3.0 * step as f32);
        (0..100).for_each(|_| app.update());
        settle(&mut app);
        let (before, built) =
            (keys(&mut app, ground), app.world().resource::<TerrainStats>().built);
        (0..50).for_each(|_| app.update());
        assert_eq!(keys(&mut app, ground), before, "{step}");
        assert_eq!(app.world().resource::<TerrainStats>().built, built, "{step}");
    }
}

/// A budget of nothing is slow, but terrain becomes complete, with coarse levels.
#[test]
fn a_budget_of_nothing_does_not_stop() {
    let mut app = app();
    app.insert_resource(TerrainBudget {
        chunks: 0,
        tasks_in_flight: 0,
        tiles_in_flight: 0,
        applied_per_frame: 0,
        scatter_in_flight: 0,
        scatter_per_frame: 0,
        removed_per_frame: 0,
        task_time: Duration::ZERO,
    });
    let ground = app.world_mut().spawn(terrain(Ground::Recipe(recipe(1)))).id();
    let viewer = spawn_viewer(&mut app, Vec3::ZERO);
    settle(&mut app);
    check_cover(&mut app, ground, [0.0, 0.0], RANGE);
    assert!(app.world().resource::<TerrainStats>().limited);
    set(&mut app, viewer, |t: &mut Transform| t.translation.x = 5_000.0);
    settle(&mut app);
    check_cover(&mut app, ground, [5_000.0, 0.0], RANGE);
}
