//! The time of a sample of a raster, beside that of a noise with eight octaves, and the memory that
//! a raster of 10 GB takes.
//!
//! ```sh
//! cargo run --release -p orogeny_raster --example raster_bench -- --json
//! ```
//!
//! A ratio below 1 is faster than the noise. Each time is the shortest of some rounds. The raster
//! of 10 GB is a sparse file, of which 63 MB are written, in the folder for temporary files.

mod larger_than_memory;

use std::hint::black_box;
use std::time::Instant;

use orogeny::{Field, Fractal, GradientNoise, Grid, Node, Samples};
use orogeny_raster::{Raster, RasterField};

/// Samples along a side of the raster, and of a chunk.
const SIDE: usize = 2000;
const CHUNK: usize = 65;
/// Chunks in a round, and rounds.
const CHUNKS: u32 = 200;
const ROUNDS: u32 = 7;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let json = std::env::args().skip(1).any(|argument| argument == "--json");
    // First, since the memory of what follows would count.
    let flight = larger_than_memory::fly()?;
    print(json, "raster_10gb_scan_s", flight.scan_seconds, None);
    print(json, "raster_10gb_flight_s", flight.seconds, None);
    if let Some(peak) = flight.peak_megabytes {
        print(json, "raster_10gb_peak_mb", peak, None);
    }
    let fractal = Fractal::fbm(8.0, GradientNoise::seeded(1));
    let noise = Node::from(Fractal { frequency: 0.01, ..fractal }) * 100.0;
    let noise = noise.build()?;
    let spacing = [2.0, 3.0];
    let position = |i: usize| [i % SIDE, i / SIDE].map(|k| k as f64);
    let height = |i| {
        let [x, z] = position(i);
        noise.value([x * spacing[0], z * spacing[1]])
    };
    let heights = (0..SIDE * SIDE).map(height).collect();
    let raster = Raster::new([SIDE; 2], spacing, [0.0; 2], heights)?;
    let start = Instant::now();
    let field = RasterField::new(&raster)?;
    let build = start.elapsed().as_secs_f64() * 1e9 / (SIDE * SIDE) as f64;
    print(json, "raster_build_ns_per_sample", build, None);

    for (name, new) in [
        ("raster_fill_ns_per_sample", Samples::new as fn() -> Samples<2>),
        ("raster_values_ns_per_sample", Samples::values_only),
    ] {
        let baseline = shortest(&noise, &mut new());
        print(json, name, shortest(&field, &mut new()), Some(baseline));
    }
    // Of tiles that are in memory.
    let baseline = shortest(&noise, &mut Samples::new());
    let tiles = shortest(&flight.ground, &mut Samples::new());
    print(json, "raster_tiles_fill_ns_per_sample", tiles, Some(baseline));
    Ok(())
}

/// Nanoseconds a sample.
fn shortest(field: &dyn Field<2>, samples: &mut Samples<2>) -> f64 {
    let round = |samples: &mut Samples<2>| {
        let start = Instant::now();
        for k in 0..CHUNKS {
            let corner = [20.0 + f64::from(k), 50.0 + f64::from(k)];
            field.sample_grid(&Grid::new(corner, 0.7, [CHUNK; 2]), samples);
            black_box(&mut *samples);
        }
        start.elapsed().as_secs_f64()
    };
    let shortest = (0..ROUNDS).map(|_| round(samples)).fold(f64::INFINITY, f64::min);
    shortest * 1e9 / (f64::from(CHUNKS) * (CHUNK * CHUNK) as f64)
}

fn print(json: bool, name: &str, value: f64, noise: Option<f64>) {
    match (json, noise) {
        (true, Some(noise)) => {
            let ratio = value / noise;
            println!("{{\"name\":\"{name}\",\"value\":{value:.2},\"noise_ratio\":{ratio:.3}}}");
        }
        (true, None) => println!("{{\"name\":\"{name}\",\"value\":{value:.2}}}"),
        (false, Some(noise)) => {
            println!("{name}: {value:.1}, {:.2} of a noise with 8 octaves", value / noise);
        }
        (false, None) => println!("{name}: {value:.1}"),
    }
}
