//! How long the ground takes to arrive after a jump, and what that costs the main thread.

use std::thread::sleep;
use std::time::{Duration, Instant};

use bevy::prelude::*;
use bevy_orogeny::advanced::TerrainStats;
use bevy_orogeny::{Terrain, TerrainViewer};
use orogeny::scatter::Scatter;

use crate::samples::Samples;
use crate::{app, presets};

const JUMPS: usize = 5;

/// Milliseconds.
pub struct Teleports {
    /// From a jump of 100 km until all chunks are ready, without plants.
    pub ready: Samples,
    /// The frames meanwhile, without drawing.
    pub frames: Samples,
}

/// Jumps over a preset.
pub fn measure(preset: &str) -> Teleports {
    let (recipe, ground) = presets::built(preset);
    let mut app = app::headless();
    app.world_mut().spawn(Terrain::recipe(recipe).with_scatter(Scatter::default()));
    let viewer = app.world_mut().spawn(TerrainViewer::default()).id();
    let [mut ready, mut frames] = [Samples::default(), Samples::default()];
    for jump in 0..=JUMPS {
        // The first jump includes the slopes that normals leave out.
        let counts = jump > 0;
        let [x, z] = [1e5, -4e4].map(|step| step * jump as f64);
        let at = Transform::from_xyz(x as f32, ground.value([x, z]) + 100.0, z as f32);
        let start = Instant::now();
        app.world_mut().entity_mut(viewer).insert(at);
        for i in 0.. {
            let begun = Instant::now();
            app.update();
            if counts {
                frames.push_time(begun.elapsed());
            }
            if i >= 3 && app.world().resource::<TerrainStats>().missing == 0 {
                break;
            }
            sleep(Duration::from_millis(1));
        }
        if counts {
            ready.push_time(start.elapsed());
        }
    }
    Teleports { ready, frames }
}
