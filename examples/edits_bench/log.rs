//! The log and chunks without an app.

use std::hint::black_box;
use std::sync::Arc;
use std::time::Instant;

use bevy_orogeny::orogeny::edits::{Area, Disc, Edit, EditLog, Edited, Raise};
use bevy_orogeny::orogeny::{Recipe, Tree};
use bevy_orogeny::{ChunkBuilder, ChunkKey, Layout, Seams};

use crate::{Metric, quantile};

const HILLS: &str = include_str!("../../assets/presets/hills.terrain.ron");
const LAYOUT: Layout = Layout { cells: 64, spacing: 1.0 };
/// How often a change and a chunk are timed.
const ROUNDS: usize = 2000;
/// The width of the square with all edits, in metres. Chunks are measured outside it.
const WIDTH: f64 = 20_000.0;

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
        Raise { area, height: 1.0 }.into()
    }
}

/// Measures a log with `count` edits.
pub(crate) fn measure(count: u32) -> Vec<Metric> {
    let mut random = Random(1);
    let mut log = EditLog::new();
    for _ in 0..count {
        log.add(1, random.edit()).expect("a valid edit");
    }
    let overhead = overhead(&log);
    let [mut adding, mut undoing, mut taking] = [(); 3].map(|()| Vec::new());
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
    let metric = |name, list: &mut [f64], part| Metric { name, value: quantile(list, part) };
    vec![
        Metric { name: "untouched_chunk_overhead_percent", value: overhead },
        metric("add_edit_us_p50", &mut adding, 0.5),
        metric("add_edit_us_p99", &mut adding, 0.99),
        metric("undo_edit_us_p50", &mut undoing, 0.5),
        metric("undo_edit_us_p99", &mut undoing, 0.99),
        metric("snapshot_us_p99", &mut taking, 0.99),
    ]
}

/// The time of chunks beside the edits, compared with that of chunks of a field without edits, in
/// per cent. The two take turns, and the median of the differences counts.
fn overhead(log: &EditLog) -> f64 {
    let hills: Arc<Tree<2>> =
        Arc::new(Recipe::from_ron(HILLS).and_then(|recipe| recipe.build()).expect("hills"));
    let edited = Arc::new(Edited::new(hills.clone(), log.edits()));
    let bare = ChunkBuilder::new(hills, LAYOUT, Seams::Morph, false);
    let edited = ChunkBuilder::new(edited, LAYOUT, Seams::Morph, false);
    let (mut times, mut differences) = (Vec::new(), Vec::new());
    for i in 0..ROUNDS as i64 {
        let key = ChunkKey { lod: 0, x: -1 - i % 50, z: i / 50 };
        let time = |builder: &ChunkBuilder| {
            let start = Instant::now();
            black_box(builder.build(key).expect("a chunk"));
            start.elapsed().as_secs_f64()
        };
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
    100.0 * quantile(&mut differences, 0.5) / quantile(&mut times, 0.5)
}
