//! A flight over a raster of 10 GB.

use std::fs::File;
use std::io::{self, Seek, SeekFrom, Write};
use std::thread;
use std::time::Instant;

use orogeny::{Field, Grid, Samples};
use orogeny_raster::{ByteOrder, Placement, RasterTiles, Reading, Tiling};

/// Samples along a side, 2 m apart.
const SIDE: usize = 50_000;
const SPACING: f64 = 2.0;
/// Samples along a side of the squares that are written along the path, and how many there are.
const SQUARE: usize = 512;
const SQUARES: usize = 60;
/// The places at which the terrain around is sampled, on this many threads.
const STOPS: usize = 120;
const THREADS: usize = 4;

pub struct Flight {
    pub ground: RasterTiles,
    pub scan_seconds: f64,
    pub seconds: f64,
    /// The largest resident memory of the process, where the system tells it.
    pub peak_megabytes: Option<f64>,
}

pub fn fly() -> Result<Flight, Box<dyn std::error::Error>> {
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
    let scan_seconds = start.elapsed().as_secs_f64();

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
    let seconds = start.elapsed().as_secs_f64();
    if let Some(error) = ground.take_errors().pop() {
        return Err(error.into());
    }
    Ok(Flight { ground, scan_seconds, seconds, peak_megabytes: peak() })
}

/// A file of zeros, with hills in squares along the diagonal.
fn write(file: &mut File) -> io::Result<()> {
    file.set_len((SIDE * SIDE * 4) as u64)?;
    for square in 0..SQUARES {
        for row in 0..SQUARE {
            let [x, z] = [square * SQUARE, square * SQUARE + row];
            let height = |i: usize| {
                let [u, v] = [(x + i) as f32 / 90.0, z as f32 / 70.0];
                300.0 + 200.0 * u.sin() * v.cos() + 10.0 * (5.0 * u + 3.0 * v).sin()
            };
            let bytes: Vec<u8> = (0..SQUARE).flat_map(|i| height(i).to_le_bytes()).collect();
            file.seek(SeekFrom::Start(((z * SIDE + x) * 4) as u64))?;
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

/// The largest resident memory of this process so far, in MB.
fn peak() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kilobytes: f64 = line.trim().strip_suffix(" kB")?.parse().ok()?;
    Some(kilobytes * 1024.0 / 1e6)
}
