//! Reads a whole raster once, for the bounds of its blocks and an overview.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;

use crate::error::RasterError;
use crate::field::bounds::{Pyramid, SmallHull};
use crate::field::spline::Frame;
use crate::read::window::Window;
use crate::tiles::filled::{Filled, HALO, SIDE, tiles};
use crate::tiles::overview::{Overview, Part, Sums};

/// The cells along a side of a block, as a power of two.
const FINEST: usize = 5;
/// The blocks along a side of a tile.
const BLOCKS: usize = SIDE >> FINEST;
/// The most threads: each has some megabytes of its own.
const MOST_THREADS: usize = 16;

/// The results of a scan.
pub(super) struct Scanned {
    pub pyramid: Pyramid,
    pub overview: Overview,
}

/// The results for one tile.
struct Summary {
    blocks: Vec<SmallHull>,
    sums: Part,
    has_deep_hole: bool,
}

/// Scans on all CPU cores. `progress` is called on this thread with the part that is done, from 0
/// to 1, and stops the scan by [`ControlFlow::Break`].
pub(super) fn scan(
    file: &dyn Window,
    frame: &Frame,
    progress: &mut dyn FnMut(f64) -> ControlFlow<()>,
) -> Result<Scanned, RasterError> {
    let [across, down] = tiles(frame.size);
    let count = across * down;
    let size = frame.size.map(|side| (side - 1).div_ceil(1 << FINEST));
    let mut all = Blocks { size, blocks: vec![SmallHull::EMPTY; size[0] * size[1]] };
    let mut sums = Sums::new(frame.size);
    let mut deep = Vec::new();
    let (next, is_stopped) = (AtomicUsize::new(0), AtomicBool::new(false));
    let work = |send: mpsc::SyncSender<_>| {
        while !is_stopped.load(Ordering::Relaxed) {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let tile = [index % across, index / across];
            if index >= count || send.send((tile, summary(file, frame, tile))).is_err() {
                return;
            }
        }
    };
    let mut failed = None;
    thread::scope(|scope| {
        let threads = thread::available_parallelism().map_or(1, usize::from).min(MOST_THREADS);
        let (send, receive) = mpsc::sync_channel(threads);
        for _ in 0..threads {
            let (work, send) = (&work, send.clone());
            scope.spawn(move || work(send));
        }
        drop(send);
        // All that is sent is received, so no thread waits for ever.
        for (done, (tile, summary)) in receive.iter().enumerate() {
            let step = summary.map(|summary| {
                if let Some(summary) = summary {
                    all.set(tile, &summary.blocks);
                    sums.add(&summary.sums);
                    deep.extend(summary.has_deep_hole.then_some(tile));
                }
                progress((done + 1) as f64 / count as f64)
            });
            let problem = match step {
                Ok(ControlFlow::Continue(())) => continue,
                Ok(ControlFlow::Break(())) => RasterError::Cancelled,
                Err(error) => error,
            };
            is_stopped.store(true, Ordering::Relaxed);
            failed.get_or_insert(problem);
        }
    });
    if let Some(problem) = failed {
        return Err(problem);
    }
    let whole = all.blocks.iter().fold(SmallHull::EMPTY, |all, &block| all.or(block)).bounds();
    if !whole.min.is_finite() {
        return Err(RasterError::limit("no sample has a height: all are without data"));
    }
    // The filling of a large hole depends on the tile, so a line across it may be steeper than the
    // filling. But then it is longer than the halo, less the two cells around a sample.
    let spacing = frame.spacing[0].min(frame.spacing[1]);
    let steepest = (whole.max - whole.min) / ((HALO - 2) as f64 * spacing);
    for tile in deep {
        all.each(tile, |block, _| *block = block.at_least(steepest));
    }
    let pyramid = Pyramid::of_blocks(FINEST, all.size, all.blocks);
    Ok(Scanned { pyramid, overview: sums.overview(frame) })
}

fn summary(
    file: &dyn Window,
    frame: &Frame,
    tile: [usize; 2],
) -> Result<Option<Summary>, RasterError> {
    let Some(filled) = Filled::read(file, frame.size, tile)? else { return Ok(None) };
    Ok(Some(Summary {
        blocks: filled.hulls(1 << FINEST, frame.spacing),
        sums: Part::of(&filled, frame),
        has_deep_hole: filled.has_deep_hole(),
    }))
}

/// The bounds of all blocks, row by row.
struct Blocks {
    size: [usize; 2],
    blocks: Vec<SmallHull>,
}

impl Blocks {
    /// Calls `change` with each block of a tile, and its number there.
    fn each(&mut self, tile: [usize; 2], mut change: impl FnMut(&mut SmallHull, usize)) {
        let [columns, rows] =
            [0, 1].map(|k| tile[k] * BLOCKS..((tile[k] + 1) * BLOCKS).min(self.size[k]));
        let mut number = 0;
        for row in rows {
            let start = row * self.size[0];
            for block in &mut self.blocks[start + columns.start..start + columns.end] {
                change(block, number);
                number += 1;
            }
        }
    }

    fn set(&mut self, tile: [usize; 2], blocks: &[SmallHull]) {
        self.each(tile, |block, number| *block = blocks[number]);
    }
}
