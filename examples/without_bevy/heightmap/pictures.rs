//! Writes pictures: all tiles, and all files of each.

use std::cell::Cell;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use crate::about::About;
use crate::band::Source;
use crate::cover::CoverGround;
use crate::failure::Failure;
use crate::job::Job;
use crate::map::MapGround;
use crate::outputs::{Outputs, sidecar_of};
use crate::passes::Passes;
use crate::picture::{Content, Picture};
use crate::report::{self, Took};
use crate::tally::{Range, Tally};
use crate::tiles::Tile;

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
///
/// # Errors
/// Errors of the file system, an interrupt, or positions without a height.
pub fn export(job: &Job, picture: Picture) -> Result<String, Failure> {
    let parts = parts(picture, job);
    let files: Vec<PathBuf> = job.tiles.iter().flat_map(|tile| paths(job, &tile, &parts)).collect();
    let mut all = files.clone();
    if picture.has_sidecar() {
        all.extend(files.iter().map(|path| sidecar_of(path)));
    }
    let mut outputs = Outputs::create(&all, job.args.force)?;

    let begun = Instant::now();
    let bar = report::progress(job.passes(picture) * job.tiles.pixels(), "samples");
    let cover = CoverGround::new(&job.recipe.cover, job.field);
    let map = || MapGround::new(job.recipe, job.field, job.args.spacing);
    let map = (picture.content == Content::Map).then(map);
    let source = Source { field: job.field, cover, map, picture };
    let passes = Passes { source, bar: &bar, evaluation: Cell::new(Duration::ZERO) };
    let written = range(job, &passes)
        .and_then(|range| write(job, &passes, range, &parts, &mut outputs).map(|it| (range, it)));
    bar.finish_and_clear();
    let (range, tally) = written?;
    outputs.persist()?;
    report::warn_of_clamped(job, picture, range, &tally);
    let took = Took { all: begun.elapsed(), evaluation: passes.evaluation.get() };
    Ok(report::done(job, &files, &report::picture(job, picture, range, &tally, took)))
}

/// The files of a tile.
fn paths(job: &Job, tile: &Tile, parts: &[Part]) -> Vec<PathBuf> {
    parts.iter().map(|part| tile.path(&job.args.out, &part.suffix)).collect()
}

/// The range of integers: that of the command line, or else the extremes of all tiles. For a map it
/// is that of its colours.
fn range(job: &Job, passes: &Passes) -> Result<Option<Range>, Failure> {
    if !job.has_survey(passes.source.picture) {
        return Ok(job.args.range);
    }
    passes.bar.set_message("finding the range");
    let mut tally = Tally::default();
    for tile in job.tiles.iter() {
        tally = tally.join(passes.survey(&tile.area)?);
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
        let of_tile = passes.write(&tile.area, range.unwrap_or_default(), &files)?;
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
    let layers = job.recipe.cover.layers.iter();
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
