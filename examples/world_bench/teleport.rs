//! How long the ground takes to arrive after a jump, and what that costs the main thread.

use std::time::{Duration, Instant};

use bevy::prelude::*;
use bevy_orogeny::{Terrain, TerrainPlugins, TerrainStats, TerrainViewer};
use orogeny::scatter::Scatter;

use crate::{Metric, read};

const JUMPS: usize = 5;

pub fn measure() -> Vec<Metric> {
    let ([world, world_frames], [hills, hills_frames]) = (jump("world"), jump("hills"));
    vec![
        Metric { name: "teleport_ready_ms", value: world },
        Metric { name: "hills_teleport_ready_ms", value: hills },
        Metric { name: "main_thread_ms_p99", value: world_frames },
        Metric { name: "hills_main_thread_ms_p99", value: hills_frames },
    ]
}

/// The median of the milliseconds from a jump of 100 km until all chunks are ready, without plants;
/// and the 99th percentile of those that a frame takes meanwhile.
fn jump(preset: &str) -> [f64; 2] {
    let (recipe, ground) = read(preset);
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, TransformPlugin, AssetPlugin::default(), TerrainPlugins));
    app.world_mut().spawn(Terrain::recipe(recipe).with_scatter(Scatter::default()));
    let viewer = app.world_mut().spawn(TerrainViewer::default()).id();
    let mut frames = Vec::new();
    let mut times: Vec<f64> = (0..=JUMPS)
        .map(|jump| {
            let [x, z] = [1e5, -4e4].map(|step| step * jump as f64);
            let at = Transform::from_xyz(x as f32, ground.value([x, z]) + 100.0, z as f32);
            let start = Instant::now();
            app.world_mut().entity_mut(viewer).insert(at);
            for i in 0.. {
                let begun = Instant::now();
                app.update();
                // The first jump includes the errors of the levels.
                if jump > 0 {
                    frames.push(1e3 * begun.elapsed().as_secs_f64());
                }
                if i >= 3 && app.world().resource::<TerrainStats>().missing == 0 {
                    break;
                }
                std::thread::sleep(Duration::from_millis(1));
            }
            1e3 * start.elapsed().as_secs_f64()
        })
        .collect();
    times.remove(0);
    times.sort_by(f64::total_cmp);
    frames.sort_by(f64::total_cmp);
    [times[JUMPS / 2], frames[frames.len() * 99 / 100]]
}
