//! The time of a sample of a raster, beside that of a noise with eight octaves, and the memory that
//! a raster of 10 GB takes in a flight.

use std::error::Error;
use std::fs::File;
use std::hint::black_box;
use std::io::{self, Seek, SeekFrom, Write};
use std::thread;
use std::time::Instant;

use orogeny::{Field, Fractal, GradientNoise, Grid, Node, Samples};
use orogeny_raster::{ByteOrder, Placement, Raster, RasterField, RasterTiles, Reading, Tiling};
use serde::Serialize;

use crate::memory;
use crate::report::Report;
use crate::samples::seconds;

/// Samples along a side of the raster, and of a chunk.
const SIDE: usize = 2000;
const CHUNK: usize = 65;
/// Chunks in a round, and rounds.
const CHUNKS: u32 = 200;
const ROUNDS: u32 = 7;

/// Samples along a side of the raster of 10 GB, 2 m apart.
const LARGE_SIDE: usize = 50_000;
const SPACING: f64 = 2.0;
/// Samples along a side of the squares that are written along the path, and how many there are.
const SQUARE: usize = 512;
const SQUARES: usize = 60;
/// The places at which the terrain around is sampled, on this many threads.
const STOPS: usize = 120;
const THREADS: usize = 4;

/// Measure reading and sampling rasters, also one that is larger than memory
#[derive(clap::Args, Debug)]
#[command(after_help = AFTER_HELP)]
pub struct Args {}

const AFTER_HELP: &str = "\
Metrics:
  raster_10gb_scan_s               opening a raster of 10 GB. It is a sparse file, of which 63 MB
                                   are written, in the folder for temporary files
  raster_10gb_flight_s             a flight over it, with chunks of eight levels of detail
  raster_10gb_peak_mb              the peak memory of the process then, in 10^6 bytes; absent if the
                                   system does not report it
  raster_build_ns_per_sample       a field of a raster of 2000 x 2000 samples
  raster_fill_ns_per_sample        chunks of it
  raster_values_ns_per_sample      the same without gradients
  raster_tiles_fill_ns_per_sample  chunks of the raster of 10 GB, of tiles that are in memory
noise_ratio divides the last three by the time of a noise with eight octaves: below 1 is faster.
Each of these times is the shortest of some rounds.";

/// A time that is compared with that of a noise, as JSON.
#[derive(Serialize)]
struct Compared<'a> {
    metric: &'a str,
    value: f64,
    noise_ratio: f64,
}

pub fn run(report: &Report) -> Result<(), Box<dyn Error>> {
    // First, since the memory of what follows would count.
    let tiles = fly(report)?;
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
    report.add("raster_build_ns_per_sample", build);

    for (name, new) in [
        ("raster_fill_ns_per_sample", Samples::new as fn() -> Samples<2>),
        ("raster_values_ns_per_sample", Samples::values_only),
    ] {
        let baseline = shortest(&noise, &mut new());
        compared(report, name, shortest(&field, &mut new()), baseline);
    }
    // Of tiles that are in memory.
    let baseline = shortest(&noise, &mut Samples::new());
    let tiles = shortest(&tiles, &mut Samples::new());
    compared(report, "raster_tiles_fill_ns_per_sample", tiles, baseline);
    Ok(())
}

/// Nanoseconds a sample.
fn shortest(field: &dyn Field<2>, samples: &mut Samples<2>) -> f64 {
    let round = |samples: &mut Samples<2>| {
        seconds(|| {
            for k in 0..CHUNKS {
                let corner = [20.0 + f64::from(k), 50.0 + f64::from(k)];
                field.sample_grid(&Grid::new(corner, 0.7, [CHUNK; 2]), samples);
                black_box(&mut *samples);
            }
        })
    };
    let shortest = (0..ROUNDS).map(|_| round(samples)).fold(f64::INFINITY, f64::min);
    shortest * 1e9 / (f64::from(CHUNKS) * (CHUNK * CHUNK) as f64)
}

/// Prints a time beside that of the noise.
fn compared(report: &Report, metric: &str, value: f64, noise: f64) {
    let noise_ratio = value / noise;
    if report.json {
        report.object(&Compared { metric, value, noise_ratio });
    } else {
        report.add(metric, value);
        report.add("  noise_ratio", noise_ratio);
    }
}

/// A flight over a raster of 10 GB.
fn fly(report: &Report) -> Result<RasterTiles, Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("continent.r32");
    write(&mut File::create(&path)?)?;
    let reading = Reading {
        byte_order: Some(ByteOrder::LittleEndian),
        spacing: Some([SPACING; 2]),
        height_scale: Some(1.0),
        placement: Placement::At([0.0; 2]),
        ..Reading::default()
    };
    let start = Instant::now();
    let (ground, _) = RasterTiles::open(&path, &reading, &Tiling::default())?;
    report.add("raster_10gb_scan_s", start.elapsed().as_secs_f64());

    let start = Instant::now();
    for stop in 0..STOPS {
        let along = stop as f64 / STOPS as f64 * (SQUARES * SQUARE) as f64 * SPACING;
        let ground = &ground;
        thread::scope(|scope| {
            for thread in 0..THREADS {
                scope.spawn(move || look(ground, along, thread));
            }
        });
    }
    report.add("raster_10gb_flight_s", start.elapsed().as_secs_f64());
    if let Some(error) = ground.take_errors().pop() {
        return Err(error.into());
    }
    if let Some(peak) = memory::peak() {
        report.add("raster_10gb_peak_mb", peak);
    }
    Ok(ground)
}

/// A file of zeros, with hills in squares along the diagonal.
fn write(file: &mut File) -> io::Result<()> {
    file.set_len((LARGE_SIDE * LARGE_SIDE * 4) as u64)?;
    for square in 0..SQUARES {
        for row in 0..SQUARE {
            let [x, z] = [square * SQUARE, square * SQUARE + row];
            let height = |i: usize| {
                let [u, v] = [(x + i) as f32 / 90.0, z as f32 / 70.0];
                300.0 + 200.0 * u.sin() * v.cos() + 10.0 * (5.0 * u + 3.0 * v).sin()
            };
            let bytes: Vec<u8> = (0..SQUARE).flat_map(|i| height(i).to_le_bytes()).collect();
            file.seek(SeekFrom::Start(((z * LARGE_SIDE + x) * 4) as u64))?;
            file.write_all(&bytes)?;
        }
    }
    Ok(())
}

/// Samples chunks around a place on the diagonal: 8 levels of detail of 4 x 4 chunks each, every
/// one twice as large as the one before.
fn look(ground: &RasterTiles, along: f64, thread: usize) {
    let mut samples = Samples::new();
    for level in 0..8 {
        let spacing = SPACING / 2.0 * f64::from(1 << level);
        let sparse = ground.sparse(spacing);
        let field: &dyn Field<2> = sparse.as_ref().map_or(ground, |field| field);
        for chunk in (thread..16).step_by(THREADS) {
            let corner = [chunk % 4, chunk / 4].map(|k| along + (k as f64 - 2.0) * 64.0 * spacing);
            field.sample_grid(&Grid::new(corner, spacing, [65; 2]), &mut samples);
        }
    }
}
