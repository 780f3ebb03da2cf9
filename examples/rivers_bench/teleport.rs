//! How long the ground takes to arrive after a jump.

use std::time::{Duration, Instant};

use bevy::prelude::*;
use bevy_orogeny::{Terrain, TerrainPlugins, TerrainStats, TerrainViewer};
use orogeny::scatter::Scatter;

use crate::Metric;
use crate::chunks::read;

const JUMPS: usize = 5;

/// A jump over the preset valleys, and over one without rivers.
pub fn measure() -> Vec<Metric> {
    let metric = |name, preset| Metric { name, value: jump(preset) };
    vec![metric("teleport_ready_ms", "valleys"), metric("hills_teleport_ready_ms", "hills")]
}

/// The median of the milliseconds from a jump of 100 km until all chunks are ready, without plants.
fn jump(preset: &str) -> f64 {
    let (recipe, ground) = read(preset);
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, TransformPlugin, AssetPlugin::default(), TerrainPlugins));
    app.world_mut().spawn(Terrain::recipe(recipe).with_scatter(Scatter::default()));
    let viewer = app.world_mut().spawn(TerrainViewer::default()).id();
    let mut times: Vec<f64> = (0..=JUMPS)
        .map(|jump| {
            let [x, z] = [1e5, -4e4].map(|step| step * jump as f64);
            let at = Transform::from_xyz(x as f32, ground.value([x, z]) + 100.0, z as f32);
            let start = Instant::now();
            app.world_mut().entity_mut(viewer).insert(at);
            (0..3).for_each(|_| app.update());
            while app.world().resource::<TerrainStats>().missing > 0 {
                app.update();
                std::thread::sleep(Duration::from_millis(1));
            }
            1e3 * start.elapsed().as_secs_f64()
        })
        .collect();
    // The first one includes the errors of the levels.
    times.remove(0);
    times.sort_by(f64::total_cmp);
    times[JUMPS / 2]
}
