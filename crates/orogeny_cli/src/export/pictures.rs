//! Writes pictures: all tiles, all files of each, and the passes over all pixels, band by band.

use std::cell::Cell;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use indicatif::ProgressBar;
use orogeny::Grid;
use rayon::prelude::*;

use crate::cli::{Failure, interrupted};
use crate::export::Job;
use crate::export::about::{self, About, Range, Tally};
use crate::export::band::{Band, Source};
use crate::export::files::{Outputs, Target, Writer, sidecar_of};
use crate::export::kind::{Content, Picture};
use crate::export::map::MapGround;
use crate::export::tiles::{Tile, bands, missing};
use crate::export::weights::CoverGround;

/// The channels of a splat map.
const CHANNELS: [&str; 4] = ["red", "green", "blue", "alpha"];

/// One of the files of a tile.
struct Part {
    /// What its name has in addition to that of other files.
    suffix: String,
    /// The layers of cover, or the lands, in its channels.
    layers: Option<String>,
}

/// Writes a picture. Returns a report.
pub fn export(job: &Job, picture: Picture) -> Result<String, Failure> {
    let parts = parts(picture, job);
    let files: Vec<PathBuf> = job.tiles.iter().flat_map(|tile| paths(job, &tile, &parts)).collect();
    let mut all = files.clone();
    if picture.has_sidecar() {
        all.extend(files.iter().map(|path| sidecar_of(path)));
    }
    let mut outputs = Outputs::create(&all, job.args.force)?;

    let begun = Instant::now();
    let bar = about::progress(job.passes(picture) * job.tiles.pixels(), "samples");
    let cover = CoverGround::new(job.field);
    let map = || MapGround::new(job.recipe, job.field, job.args.spacing);
    let map = (picture.content == Content::Map).then(map);
    let source = Source { field: job.field, cover, map, picture };
    let passes = Passes { source, bar: &bar, evaluation: Cell::new(Duration::ZERO) };
    let written = range(job, &passes)
        .and_then(|range| write(job, &passes, range, &parts, &mut outputs).map(|it| (range, it)));
    bar.finish_and_clear();
    let (range, tally) = written?;
    outputs.persist()?;
    about::warn_of_clamped(job, picture, range, &tally);
    let took = [begun.elapsed(), passes.evaluation.get()];
    Ok(about::done(job, &files, &about::picture(job, picture, range, &tally, took)))
}

/// The files of a tile.
fn paths(job: &Job, tile: &Tile, parts: &[Part]) -> Vec<PathBuf> {
    parts.iter().map(|part| tile.path(&job.args.out, &part.suffix)).collect()
}

/// The range of integers: that of the command line, or else the extremes of all tiles. For a map it
/// is that of its colours.
fn range(job: &Job, passes: &Passes) -> Result<Option<Range>, Failure> {
    if !job.has_survey(passes.source.picture) {
        return Ok(job.options.range);
    }
    passes.bar.set_message("finding the range");
    let mut tally = Tally::default();
    for tile in job.tiles.iter() {
        tally = tally.join(passes.survey(tile.grid)?);
    }
    let of_colours = |map: &MapGround| tally.range().map(|extremes| map.ramp(extremes));
    Ok(passes.source.map.as_ref().map_or_else(|| tally.range(), of_colours))
}

/// Writes all tiles.
fn write(
    job: &Job,
    passes: &Passes,
    range: Option<Range>,
    parts: &[Part],
    outputs: &mut Outputs,
) -> Result<Tally, Failure> {
    passes.bar.set_message("writing");
    let picture = passes.source.picture;
    let mut tally = Tally::default();
    for tile in job.tiles.iter() {
        let about = |part: &Part, range| {
            About::new(job.args, job.kind, picture, &tile, range, part.layers.as_deref())
        };
        let paths = paths(job, &tile, parts);
        let files = paths.iter().zip(parts);
        let files = files.map(|(path, part)| Ok((outputs.open(path)?, about(part, range))));
        let files = files.collect::<Result<Vec<_>, Failure>>()?;
        let of_tile = passes.write(tile.grid, range.unwrap_or_default(), &files)?;
        tally = tally.join(of_tile);
        for ((file, _), (path, part)) in files.into_iter().zip(paths.iter().zip(parts)) {
            outputs.add(file)?;
            if picture.has_sidecar() {
                let text = about(part, range.or(of_tile.range())).lines();
                outputs.add_text(&sidecar_of(path), &text)?;
            }
        }
    }
    Ok(tally)
}

/// The files of a tile: one, or one for each layer of cover, or one for each four layers or lands.
fn parts(picture: Picture, job: &Job) -> Vec<Part> {
    let layers = job.field.appearance().cover.layers.iter();
    let names: Vec<&str> = layers.map(|layer| layer.kind.name()).collect();
    match picture.content {
        Content::Cover => splat_maps("splat", &names),
        Content::Lands => {
            let lands = job.field.lands().lands().iter();
            splat_maps("lands", &lands.map(|land| land.name.as_str()).collect::<Vec<_>>())
        }
        Content::Layer => {
            let layer = |(k, name): (usize, &&str)| {
                let plain = name.replace(|c: char| !c.is_alphanumeric(), "_").to_lowercase();
                Part { suffix: format!("_layer{k}_{plain}"), layers: Some(format!("grey {name}")) }
            };
            names.iter().enumerate().map(layer).collect()
        }
        _ => vec![Part { suffix: String::new(), layers: None }],
    }
}

/// A file for each four channels.
fn splat_maps(suffix: &str, names: &[&str]) -> Vec<Part> {
    let channels = |(k, names): (usize, &[&str])| {
        let named = CHANNELS.iter().zip(names);
        let named: Vec<_> = named.map(|(it, name)| format!("{it} {name}")).collect();
        Part { suffix: format!("_{suffix}{k}"), layers: Some(named.join(", ")) }
    };
    names.chunks(CHANNELS.len()).enumerate().map(channels).collect()
}

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
    fn survey(&self, whole: Grid<2>) -> Result<Tally, Failure> {
        let mut band = Band::new(self.source.picture, true);
        let mut tally = Tally::default();
        for grid in bands(whole) {
            self.evaluate(&grid, &mut band)?;
            tally = tally.join(checked(&band, None)?);
        }
        Ok(tally)
    }

    /// Writes all rows to the files of a picture. While a band is computed, other threads encode
    /// and write the previous one.
    pub fn write(
        &self,
        whole: Grid<2>,
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
            for grid in bands(whole) {
                self.evaluate(&grid, &mut band)?;
                tally = tally.join(checked(&band, clamp)?);
                for plane in 0..writers.len() {
                    let put = |bytes: &mut Vec<u8>| band.encode(&self.source, plane, range, bytes);
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
