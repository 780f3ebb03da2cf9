//! Terrain streams if tasks have a single thread, as on a small machine.

use std::time::Duration;

use bevy::app::TaskPoolThreadAssignmentPolicy;
use bevy::prelude::*;
use bevy_orogeny::advanced::TerrainStats;
use bevy_orogeny::{Terrain, TerrainPlugins, TerrainViewer};

#[test]
fn one_thread_is_enough() {
    let one = TaskPoolThreadAssignmentPolicy {
        min_threads: 1,
        max_threads: 1,
        percent: 1.0,
        on_thread_spawn: None,
        on_thread_destroy: None,
    };
    let mut pools = TaskPoolPlugin::default();
    pools.task_pool_options.io = one.clone();
    pools.task_pool_options.async_compute = one.clone();
    pools.task_pool_options.compute = one;
    let mut app = App::new();
    app.add_plugins((MinimalPlugins.set(pools), AssetPlugin::default(), TerrainPlugins));
    app.world_mut().spawn(Terrain { cells: 16, ..Terrain::default() });
    app.world_mut().spawn((TerrainViewer { range: 500.0, ..default() }, Transform::default()));
    for _ in 0..5000 {
        app.update();
        let stats = app.world().resource::<TerrainStats>();
        if stats.missing == 0 && stats.displayed > 30 {
            return;
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    panic!("still not complete: {:?}", app.world().resource::<TerrainStats>());
}
