//! The log and chunks without an app.

use std::hint::black_box;
use std::time::Instant;

use bevy_orogeny::advanced::{ChunkBuilder, ChunkKey, Layout, Seams};
use orogeny::edits::{
    Area, Change, Crater, Disc, Edit, EditId, EditLog, Flatten, Path, Raise, State,
};
use orogeny_world::{World, WorldFile, to_bytes};

use crate::presets;
use crate::report::Report;
use crate::samples::{Samples, seconds};

const LAYOUT: Layout = Layout { cells: 64, spacing: 1.0 };
/// How often a change and a chunk are timed.
const ROUNDS: usize = 2000;
/// The number of dabs that overlap.
const DABS: u32 = 5000;
/// The width of the square with all edits, in metres. Chunks are measured outside it.
const WIDTH: f64 = 20_000.0;

/// The number of edits in a file.
const MILLION: usize = 1_000_000;

/// Random numbers from 0 to 1.
struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }

    fn edit(&mut self) -> Edit {
        let center = [0; 2].map(|_| WIDTH * self.next());
        let area = Area::Disc(Disc { center, radius: 5.0, falloff: 1.0 + 20.0 * self.next() });
        match (3.0 * self.next()) as u32 {
            0 => Raise { area, height: 1.0 }.into(),
            1 => Flatten { area, height: 1.0, ..Flatten::default() }.into(),
            _ => Crater { center, ..Crater::default() }.into(),
        }
    }
}

/// Measures a file with a million edits: the seconds until its log is ready, and the mean bytes of
/// an edit in a packet.
pub fn measure_file(report: &Report) {
    let mut random = Random(2);
    let id = |time| EditId { time, author: 1 };
    let change = |(n, edit)| Change { id: id(n), time: id(n), state: State::Shown(edit) };
    let edits = std::iter::repeat_with(|| random.edit());
    let log = EditLog::from_changes((1..).zip(edits).take(MILLION).map(change));
    let recipe = presets::recipe("hills");
    let world = World { log: log.expect("valid edits"), ..World::new(recipe) };
    let bytes: usize = world.log.changes().map(|change| to_bytes(&change).len()).sum();
    let folder = tempfile::tempdir().expect("a folder for temporary files");
    let path = folder.path().join("million.world");
    drop(WorldFile::create(&path, &world).expect("a file"));
    drop(world);
    let start = Instant::now();
    let (file, world) = WorldFile::open(&path).expect("a world");
    let seconds = start.elapsed().as_secs_f64();
    assert_eq!(black_box(world).log.len(), MILLION);
    drop(file);
    report.add("open_million_edits_s", seconds);
    report.add("bytes_per_edit_on_wire", bytes as f64 / MILLION as f64);
}

/// Measures a log with `count` edits.
pub fn measure(count: u32, report: &Report) {
    let mut random = Random(1);
    let mut log = EditLog::new();
    for _ in 0..count {
        log.add(1, random.edit()).expect("a valid edit");
    }
    report.add("untouched_chunk_overhead_percent", overhead(&log));
    report.add("road_chunk_ratio", road_ratio());
    report.add("strokes_chunk_ratio", strokes_ratio());
    report.add("dabs_chunk_ratio", dabs_ratio());
    report.add("dab_sample_ns", dab_sample());
    let [mut adding, mut undoing, mut taking] = [(); 3].map(|()| Samples::default());
    for _ in 0..ROUNDS {
        let micros = |start: Instant| 1e6 * start.elapsed().as_secs_f64();
        let start = Instant::now();
        let snapshot = black_box(log.edits());
        taking.push(micros(start));
        let edit = random.edit();
        let start = Instant::now();
        let applied = log.add(1, edit).expect("a valid edit");
        adding.push(micros(start));
        let second = log.edits();
        let start = Instant::now();
        log.undo(1, &applied).expect("an undo");
        undoing.push(micros(start));
        drop((snapshot, second));
    }
    report.p50_p99("add_edit_us", &adding);
    report.p50_p99("undo_edit_us", &undoing);
    report.quantile("snapshot_us_p99", &taking, 0.99);
}

/// The time of chunks that a road of 7 m with banks of 10 m crosses, over that of chunks without
/// it.
fn road_ratio() -> f64 {
    // Through the middle of all chunks, in gentle curves.
    let size = LAYOUT.size(0);
    let point = |i: i32| [size * f64::from(i - 1), (0.5 + 0.1 * f64::from(i % 3 - 1)) * size, 0.0];
    let points = (0..50).map(point).collect();
    let mut log = EditLog::new();
    let road = Path { points, width: 7.0, falloff: 10.0, ..Path::default() };
    log.add(1, road).expect("a valid road");
    let (difference, bare) = compare(&log, ROUNDS, |i| ChunkKey { lod: 0, x: i % 45, z: 0 });
    1.0 + difference / bare
}

/// The time of a chunk under 5,000 strokes of one brush at one place, over that of the same chunk
/// without them.
fn strokes_ratio() -> f64 {
    let area = Area::Disc(Disc { center: [30.0; 2], radius: 20.0, falloff: 20.0 });
    let mut log = EditLog::new();
    for _ in 0..5000 {
        log.add(1, Raise { area, height: 0.01 }).expect("a valid stroke");
    }
    let (difference, bare) = compare(&log, ROUNDS, |_| ChunkKey { lod: 0, x: 0, z: 0 });
    1.0 + difference / bare
}

/// 5,000 dabs of one brush at different places, which all overlap.
fn dabs() -> EditLog {
    let mut random = Random(3);
    let mut log = EditLog::new();
    for _ in 0..DABS {
        let center = [0; 2].map(|_| 22.0 + 20.0 * random.next());
        let area = Area::Disc(Disc { center, radius: 20.0, falloff: 20.0 });
        log.add(1, Raise { area, height: 0.01 }).expect("a valid dab");
    }
    log
}

/// The time of a chunk under dabs, over that of the same chunk without them.
fn dabs_ratio() -> f64 {
    let (difference, bare) = compare(&dabs(), ROUNDS / 20, |_| ChunkKey { lod: 0, x: 0, z: 0 });
    1.0 + difference / bare
}

/// The nanoseconds that each dab adds to a sample under all of them.
fn dab_sample() -> f64 {
    let (_, hills) = presets::built("hills");
    let edited = hills.with_edits(dabs().edits());
    let time = |i: usize| seconds(|| edited.sample(black_box([32.0 + 1e-3 * i as f64, 32.0])));
    1e9 * (0..ROUNDS).map(time).collect::<Samples>().median() / f64::from(DABS)
}

/// The time of chunks beside the edits, compared with that of chunks of a field without edits, in
/// per cent.
fn overhead(log: &EditLog) -> f64 {
    let (difference, bare) =
        compare(log, ROUNDS, |i| ChunkKey { lod: 0, x: -1 - i % 50, z: i / 50 });
    100.0 * difference / bare
}

/// The medians of the time that edits add to chunks, and of the time without them, in seconds. The
/// two take turns.
fn compare(log: &EditLog, rounds: usize, key: impl Fn(i64) -> ChunkKey) -> (f64, f64) {
    let hills = presets::built("hills").1;
    let edited = hills.with_edits(log.edits());
    let bare = ChunkBuilder::new(hills, LAYOUT, Seams::Morph, false);
    let edited = ChunkBuilder::new(edited, LAYOUT, Seams::Morph, false);
    let [mut times, mut differences] = [(); 2].map(|()| Samples::default());
    for i in 0..rounds as i64 {
        let key = key(i);
        let time = |builder: &ChunkBuilder| seconds(|| builder.build(key).expect("a chunk"));
        // The first one of a pair finds other data in the cache.
        let [a, b] = if i % 2 == 0 {
            let bare = time(&bare);
            [bare, time(&edited)]
        } else {
            let edited = time(&edited);
            [time(&bare), edited]
        };
        times.push(a);
        differences.push(b - a);
    }
    (differences.median(), times.median())
}
