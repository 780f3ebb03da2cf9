//! The passes over all pixels: on all cores, band by band.

use std::cell::Cell;
use std::panic::resume_unwind;
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use indicatif::ProgressBar;
use orogeny::{Grid, Landscape, ParallelField, Samples};
use rayon::prelude::*;

use crate::area::{Area, missing};
use crate::failure::{Failure, interrupted};
use crate::kind::Kind;
use crate::pixel::{Range, Tally, encode};
use crate::sink::{self, About};
use crate::target::Target;

/// One band is computed, one waits, and one is encoded and written.
const BANDS: usize = 3;

/// The common data of all passes.
pub struct Passes<'a> {
    /// The terrain.
    pub field: &'a Landscape,
    /// The pixels.
    pub area: &'a Area,
    /// What to write.
    pub kind: Kind,
    /// Advances by one for each sample.
    pub bar: &'a ProgressBar,
    /// The time spent in evaluating the terrain.
    pub evaluation: &'a Cell<Duration>,
}

impl Passes<'_> {
    /// Finds the extremes.
    ///
    /// # Errors
    /// An interrupt, or a position without a height.
    pub fn survey(&self) -> Result<Tally, Failure> {
        let mut samples = Samples::values_only();
        let mut tally = Tally::default();
        for band in self.area.bands() {
            self.evaluate(&band, &mut samples)?;
            let rows = samples.values().par_chunks(self.area.width());
            let rows = rows.map(|row| Tally::of(row, None));
            tally = tally.join(rows.reduce(Tally::default, Tally::join));
            checked(tally)?;
        }
        Ok(tally)
    }

    /// Writes all rows. While a band is computed, another thread encodes and writes the previous
    /// one.
    ///
    /// # Errors
    /// An interrupt, a position without a height, or a file that cannot be written.
    pub fn write(&self, range: Range, about: &About, target: &Target) -> Result<Tally, Failure> {
        let (kind, area) = (self.kind, self.area);
        let (full, bands) = mpsc::sync_channel::<Vec<u8>>(1);
        let (empty, spare) = mpsc::channel();
        for _ in 0..BANDS {
            // This cannot fail, since the receiver exists.
            let _ = empty.send(Vec::new());
        }
        let rows = move |out: &mut dyn std::io::Write| {
            for band in bands {
                out.write_all(&band)?;
                // There is no receiver any more once all bands are computed.
                let _ = empty.send(band);
            }
            Ok(())
        };
        thread::scope(|scope| {
            let writer = scope.spawn(move || sink::write(target.file(), kind, about, rows));
            let mut samples =
                if kind.is_sloped() { Samples::new() } else { Samples::values_only() };
            let mut tally = Tally::default();
            for grid in area.bands() {
                // The writer has failed. Its error is returned below.
                let Ok(mut band) = spare.recv() else { break };
                self.evaluate(&grid, &mut samples)?;
                tally = tally.join(self.encode(range, &grid, &samples, &mut band));
                checked(tally)?;
                if full.send(band).is_err() {
                    break;
                }
            }
            drop(full);
            let written = writer.join().unwrap_or_else(|panic| resume_unwind(panic));
            written.map(|()| tally).map_err(|error| target.failure(error))
        })
    }

    /// Evaluates a band.
    fn evaluate(&self, band: &Grid<2>, samples: &mut Samples<2>) -> Result<(), Failure> {
        if interrupted() {
            return Err(Failure::Interrupted);
        }
        let begun = Instant::now();
        self.field.par_sample_grid(band, samples);
        self.evaluation.set(self.evaluation.get() + begun.elapsed());
        self.bar.inc(band.len() as u64);
        Ok(())
    }

    /// Counts the heights of a band, and encodes its pixels row by row.
    fn encode(
        &self,
        range: Range,
        grid: &Grid<2>,
        samples: &Samples<2>,
        band: &mut Vec<u8>,
    ) -> Tally {
        let (kind, width) = (self.kind, self.area.width());
        let position =
            |index: usize| [grid.coordinate(0, index % width), grid.coordinate(1, index / width)];
        let water = |index: usize| self.field.water(position(index));
        band.resize(samples.len() * kind.bytes(), 0);
        let clamp = kind.is_ranged().then_some(range);
        let rows = band.par_chunks_mut(width * kind.bytes()).enumerate().map(|(row, pixels)| {
            let row = row * width..(row + 1) * width;
            encode(kind, range, samples, water, row.clone(), pixels);
            Tally::of(&samples.values()[row], clamp)
        });
        rows.reduce(Tally::default, Tally::join)
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
