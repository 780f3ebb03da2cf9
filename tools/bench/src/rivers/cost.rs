//! The time that grids, points and chunks with rivers take.

use std::hint::black_box;

use bevy_orogeny::advanced::{ChunkBuilder, ChunkKey, Layout, Seams};
use orogeny::drainage::RiverGround;
use orogeny::{Field, Grid, Samples};

use crate::report::Report;
use crate::samples::{self, seconds};
use crate::{arrival, presets};

/// The points of a grid along a side.
const POINTS: usize = 129;
/// The number of chunks that are timed.
const ROUNDS: i64 = 300;
/// The default of terrains.
const LAYOUT: Layout = Layout { cells: 64, spacing: 1.0 };

fn grid(corner: [f64; 2]) -> Grid<2> {
    Grid::new(corner, 1.0, [POINTS; 2])
}

/// The median of the nanoseconds that some runs take.
fn median(count: usize, mut run: impl FnMut(usize)) -> f64 {
    1e9 * (0..count).map(|i| seconds(|| run(i))).collect::<samples::Samples>().median()
}

pub fn measure(field: &RiverGround, report: &Report) {
    let per_sample = |name: &str, time: f64| report.add(name, time / (POINTS * POINTS) as f64);
    let (mut all, mut values) = (Samples::new(), Samples::values_only());
    // Ten grids beside each other, on land.
    let near = |i: usize| grid([51e3 + 130.0 * (i % 10) as f64, 11e3]);
    (0..10).for_each(|i| field.sample_grid(&near(i), &mut all));
    let far = |i: usize| [1e6 + 50e3 * i as f64, -3e6];
    per_sample("fill_ns_per_sample", median(200, |i| field.sample_grid(&near(i), &mut all)));
    per_sample("values_ns_per_sample", median(200, |i| field.sample_grid(&near(i), &mut values)));
    let cold = median(20, |i| field.sample_grid(&grid(far(i)), &mut all));
    per_sample("cold_fill_ns_per_sample", cold);
    let point = |p: [f64; 2]| _ = black_box(field.value(p));
    report.add("cold_point_us", median(40, |i| point(far(100 + i))) / 1e3);
    let warm = median(10_000, |i| point([51e3 + 0.07 * i as f64, 11.05e3]));
    report.add("warm_point_us", warm / 1e3);
    measure_chunks(report);
    report.quantile("teleport_ready_ms", &arrival::measure("valleys").jumps, 0.5);
    report.quantile("hills_teleport_ready_ms", &arrival::measure("hills").jumps, 0.5);
}

/// Chunks with rivers, compared with the preset alpine.
fn measure_chunks(report: &Report) {
    let [rivers, alpine] = ["valleys", "alpine"].map(builder);
    let key = |i: i64| ChunkKey { lod: 0, x: 100 + i % 16, z: 100 + i / 16 % 16 };
    let time =
        |builder: &ChunkBuilder, key: ChunkKey| seconds(|| builder.build(key).expect("a chunk"));
    // What is around them is known the second time, as beside chunks that are there.
    for i in 0..256 {
        time(&rivers, key(i));
    }
    let mut times = [(); 2].map(|()| samples::Samples::default());
    for i in 0..ROUNDS {
        times[0].push(time(&rivers, key(i)));
        times[1].push(time(&alpine, key(i)));
    }
    let [rivers, alpine] = times.map(|times| times.median());
    report.add("river_chunk_us", 1e6 * rivers);
    report.add("alpine_chunk_us", 1e6 * alpine);
    report.add("chunk_cost_ratio", rivers / alpine);
}

/// A builder of the chunks of a preset.
fn builder(name: &str) -> ChunkBuilder {
    ChunkBuilder::new(presets::built(name).1, LAYOUT, Seams::Morph, false)
}
