//! The cost of chunks with rivers, compared with the preset alpine.

use std::hint::black_box;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use bevy_orogeny::{ChunkBuilder, ChunkKey, Layout, LevelErrors, Seams};
use orogeny::{Landscape, Recipe};

use crate::Metric;

const ROUNDS: i64 = 300;

/// The default of terrains.
const LAYOUT: Layout = Layout { cells: 64, spacing: 1.0 };

pub fn measure() -> Vec<Metric> {
    let names = ["valleys", "alpine"];
    let [river_levels, alpine_levels] = names.map(|name| {
        let (_, land) = read(name);
        let start = Instant::now();
        black_box(LevelErrors::measure(&land, &LAYOUT));
        start.elapsed().as_secs_f64()
    });
    let [rivers, alpine] = names.map(builder);
    let key = |i: i64| ChunkKey { lod: 0, x: 100 + i % 16, z: 100 + i / 16 % 16 };
    let time = |builder: &ChunkBuilder, key| {
        let start = Instant::now();
        black_box(builder.build(key).expect("a chunk"));
        start.elapsed().as_secs_f64()
    };
    // What is around them is known the second time, as beside chunks that are there.
    for i in 0..256 {
        time(&rivers, key(i));
    }
    let mut times = [Vec::new(), Vec::new()];
    for i in 0..ROUNDS {
        times[0].push(time(&rivers, key(i)));
        times[1].push(time(&alpine, key(i)));
    }
    let [rivers, alpine] = times.map(|mut list| {
        list.sort_by(f64::total_cmp);
        list[list.len() / 2]
    });
    vec![
        Metric { name: "river_levels_s", value: river_levels },
        Metric { name: "alpine_levels_s", value: alpine_levels },
        Metric { name: "river_chunk_us", value: 1e6 * rivers },
        Metric { name: "alpine_chunk_us", value: 1e6 * alpine },
        Metric { name: "chunk_cost_ratio", value: rivers / alpine },
    ]
}

/// A preset and its ground.
pub fn read(name: &str) -> (Recipe, Landscape) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/presets");
    let text = std::fs::read_to_string(folder.join(format!("{name}.terrain.ron")));
    Recipe::build_ron(&text.expect("a preset")).expect("a valid preset")
}

/// A builder of the chunks of a preset.
fn builder(name: &str) -> ChunkBuilder {
    let (recipe, land) = read(name);
    let (rivers, climate) = (land.rivers().cloned(), land.climate().clone());
    ChunkBuilder::new(Arc::new(land), LAYOUT, Seams::Morph, false).with_cover(
        &recipe.cover,
        &climate,
        rivers,
    )
}
