//! The passes over all pixels: on all cores, band by band.

use std::cell::Cell;
use std::time::{Duration, Instant};

use indicatif::ProgressBar;
use orogeny::Grid;
use rayon::prelude::*;

use crate::about::About;
use crate::area::{Area, missing};
use crate::band::{Band, Source};
use crate::failure::{Failure, interrupted};
use crate::outputs::Target;
use crate::pixel::encode;
use crate::tally::{Range, Tally};
use crate::writer::Writer;

/// The common data of all passes.
pub struct Passes<'a> {
    /// The terrain, and what pixels show of it.
    pub source: Source<'a>,
    /// Advances by one for each sample.
    pub bar: &'a ProgressBar,
    /// The time spent in evaluating the terrain.
    pub evaluation: Cell<Duration>,
}

impl Passes<'_> {
    /// Finds the extremes.
    ///
    /// # Errors
    /// An interrupt, or a position without a height.
    pub fn survey(&self, area: &Area) -> Result<Tally, Failure> {
        let mut band = Band::new(self.source.picture, true);
        let mut tally = Tally::default();
        for grid in area.bands() {
            self.evaluate(&grid, &mut band)?;
            tally = tally.join(checked(&band, None)?);
        }
        Ok(tally)
    }

    /// Writes all rows to the files of a picture. While a band is computed, other threads encode
    /// and write the previous one.
    ///
    /// # Errors
    /// An interrupt, a position without a height, or a file that cannot be written.
    pub fn write(
        &self,
        area: &Area,
        range: Range,
        files: &[(Target, About)],
    ) -> Result<Tally, Failure> {
        let picture = self.source.picture;
        let clamp = picture.is_ranged().then_some(range);
        std::thread::scope(|scope| {
            let files = files.iter();
            let writers = files.map(|(file, about)| Writer::start(scope, picture, file, about));
            let mut writers: Vec<Writer> = writers.collect();
            let mut band = Band::new(picture, false);
            let mut tally = Tally::default();
            for grid in area.bands() {
                self.evaluate(&grid, &mut band)?;
                tally = tally.join(checked(&band, clamp)?);
                for plane in 0..writers.len() {
                    let put = |bytes: &mut Vec<u8>| self.encode(plane, range, &band, bytes);
                    if !writers[plane].put(put) {
                        return Err(writers.swap_remove(plane).failure());
                    }
                }
            }
            writers.into_iter().try_for_each(Writer::finish)?;
            Ok(tally)
        })
    }

    /// Evaluates a band.
    fn evaluate(&self, grid: &Grid<2>, band: &mut Band) -> Result<(), Failure> {
        if interrupted() {
            return Err(Failure::Interrupted);
        }
        let begun = Instant::now();
        band.evaluate(*grid, &self.source);
        self.evaluation.set(self.evaluation.get() + begun.elapsed());
        self.bar.inc(grid.len() as u64);
        Ok(())
    }

    /// Encodes the pixels of a band row by row.
    fn encode(&self, plane: usize, range: Range, band: &Band, bytes: &mut Vec<u8>) {
        let (picture, width) = (self.source.picture, band.grid.size[0]);
        let map = self.source.map.as_ref();
        let water = |index: usize| self.source.field.water(band.position(index));
        bytes.resize(band.grid.len() * picture.bytes(), 0);
        let rows = bytes.par_chunks_mut(width * picture.bytes()).enumerate();
        rows.for_each(|(row, out)| {
            encode(picture, plane, range, band, map, water, row * width..(row + 1) * width, out);
        });
    }
}

/// The statistics of a band, if all of its pixels have a value.
fn checked(band: &Band, clamp: Option<Range>) -> Result<Tally, Failure> {
    let rows = band.values().par_chunks(band.grid.size[0]);
    let tally = rows.map(|row| Tally::of(row, clamp)).reduce(Tally::default, Tally::join);
    if interrupted() {
        Err(Failure::Interrupted)
    } else if tally.missing > 0 {
        Err(missing(format!("at {} or more of the pixels", tally.missing)))
    } else {
        Ok(tally)
    }
}
