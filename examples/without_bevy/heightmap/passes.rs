//! The passes over all pixels: on all cores, band by band.

use std::cell::RefCell;
use std::panic::resume_unwind;
use std::sync::mpsc;
use std::thread;

use indicatif::ProgressBar;
use orogeny::{Samples, Tree};
use rayon::prelude::*;

use crate::area::{Area, missing};
use crate::failure::{Failure, interrupted};
use crate::kind::Kind;
use crate::pixel::{Range, Tally, encode};
use crate::sink::{self, About};
use crate::target::Target;

/// One band is computed, one waits, and one is encoded and written.
const BANDS: usize = 3;

thread_local! {
    /// A buffer for each thread, reused for every tile.
    static SAMPLES: RefCell<Samples<2>> = RefCell::default();
}

/// The common data of all passes.
pub struct Passes<'a> {
    /// The terrain.
    pub field: &'a Tree<2>,
    /// The pixels.
    pub area: &'a Area,
    /// Advances by one for each sample.
    pub bar: &'a ProgressBar,
}

impl Passes<'_> {
    /// Finds the extremes.
    ///
    /// # Errors
    /// An interrupt, or a position without a height.
    pub fn survey(&self) -> Result<Tally, Failure> {
        let tally = (0..self.area.tiles())
            .into_par_iter()
            .map(|number| self.visit(number, None, |_| {}))
            .reduce(Tally::default, Tally::join);
        checked(tally)
    }

    /// Writes all rows. While a band is computed, another thread encodes and writes the previous
    /// one.
    ///
    /// # Errors
    /// An interrupt, a position without a height, or a file that cannot be written.
    pub fn write(
        &self,
        kind: Kind,
        range: Range,
        about: &About,
        target: &Target,
    ) -> Result<Tally, Failure> {
        let area = self.area;
        let (full, bands) = mpsc::sync_channel::<(usize, Vec<u8>)>(1);
        let (empty, spare) = mpsc::channel();
        for _ in 0..BANDS {
            // This cannot fail, since the receiver exists.
            let _ = empty.send(Vec::new());
        }
        let rows = move |out: &mut dyn std::io::Write| {
            for (first, band) in bands {
                area.write_rows(first, &band, kind.bytes(), out)?;
                // There is no receiver any more once all bands are computed.
                let _ = empty.send(band);
            }
            Ok(())
        };
        thread::scope(|scope| {
            let writer = scope.spawn(move || sink::write(target.file(), kind, about, rows));
            let mut tally = Tally::default();
            for first in (0..area.tiles()).step_by(area.tiles_per_band()) {
                // The writer has failed. Its error is returned below.
                let Ok(mut band) = spare.recv() else { break };
                tally = tally.join(self.compute(first, kind, range, &mut band)?);
                if full.send((first, band)).is_err() {
                    break;
                }
            }
            drop(full);
            let written = writer.join().unwrap_or_else(|panic| resume_unwind(panic));
            written.map(|()| tally).map_err(|error| target.failure(error))
        })
    }

    /// Computes the pixels of a band: its tiles one after another, each in a buffer as large as the
    /// largest tile.
    fn compute(
        &self,
        first: usize,
        kind: Kind,
        range: Range,
        band: &mut Vec<u8>,
    ) -> Result<Tally, Failure> {
        let tile_bytes = self.area.pixels_per_tile() * kind.bytes();
        let tiles = self.area.tiles_per_band().min(self.area.tiles() - first);
        band.resize(tiles * tile_bytes, 0);
        let clamp = kind.is_ranged().then_some(range);
        let tally = band
            .par_chunks_mut(tile_bytes)
            .enumerate()
            .map(|(tile, pixels)| {
                self.visit(first + tile, clamp, |samples| encode(kind, range, samples, pixels))
            })
            .reduce(Tally::default, Tally::join);
        checked(tally)
    }

    /// Evaluates a tile and counts its heights. Does nothing after an interrupt.
    fn visit(&self, number: usize, range: Option<Range>, visit: impl FnOnce(&Samples<2>)) -> Tally {
        let mut tally = Tally::default();
        if interrupted() {
            return tally;
        }
        let tile = self.area.tile(number);
        SAMPLES.with_borrow_mut(|buffer| {
            self.area.evaluate(self.field, &tile, buffer);
            tally.count(buffer.values(), range);
            visit(buffer);
        });
        self.bar.inc(tile.pixels() as u64);
        tally
    }
}

fn checked(tally: Tally) -> Result<Tally, Failure> {
    if interrupted() {
        Err(Failure::Interrupted)
    } else if tally.missing > 0 {
        Err(missing(format!("at {} or more of the pixels", tally.missing)))
    } else {
        Ok(tally)
    }
}
