//! Exports terrain: heights, normals, water, cover, lands, climate, maps, plants and meshes, at any
//! position, in one file or in tiles.
//!
//! The file ending or `--kind` selects what is written; `args.rs` has the help, which lists all
//! kinds. Pixel (i, j) is the field's own sample at origin + spacing * (i, j), bit for bit. Bands
//! of rows are computed on all cores while another thread encodes and writes the previous one, so
//! memory does not depend on the height of a picture.
//!
//! `pictures.rs`, `plants.rs` and `mesh.rs` each write one sort of file.

mod about;
mod args;
mod band;
mod files;
mod formats;
mod kind;
mod map;
mod mesh;
mod pictures;
mod plants;
mod tiles;
mod weights;

use std::path::PathBuf;
use std::time::Instant;

use indicatif::ProgressBar;
use orogeny::{Landscape, Recipe};

pub use crate::export::args::{CommonArgs, ExportArgs, MapArgs};

use crate::cli::{self, Failure};
use crate::export::files::{Outputs, Target};
use crate::export::kind::{Content, Kind, Output, Picture};
use crate::export::tiles::{Tile, Tiles};
use crate::recipes;

/// A checked run.
pub struct Job<'a> {
    /// Which terrain, which part of it, and the file.
    pub args: &'a CommonArgs,
    /// Options of some kinds.
    pub options: &'a ExportArgs,
    /// What to write.
    pub kind: Kind,
    /// The recipe of the terrain.
    pub recipe: &'a Recipe,
    /// The terrain.
    pub field: &'a Landscape,
    /// The tiles.
    pub tiles: Tiles,
}

impl Job<'_> {
    /// Whether a first pass finds the range of integers, or that of the colours of a map.
    pub fn has_survey(&self, picture: Picture) -> bool {
        if picture.content == Content::Map {
            self.field.lands().lands().is_empty()
        } else {
            picture.is_ranged() && self.options.range.is_none()
        }
    }

    /// How often each sample is computed.
    pub fn passes(&self, picture: Picture) -> u64 {
        if self.has_survey(picture) { 2 } else { 1 }
    }
}

/// Writes a file for each tile of plants or of meshes, with a bar that counts to the `end` in a
/// unit. Returns their paths, and the time in seconds.
fn write_tiles(
    job: &Job,
    message: &'static str,
    (end, unit): (u64, &'static str),
    mut write: impl FnMut(&Tile, &Target, &ProgressBar) -> Result<(), Failure>,
) -> Result<(Vec<PathBuf>, f64), Failure> {
    let files: Vec<PathBuf> = job.tiles.iter().map(|tile| tile.path(&job.args.out, "")).collect();
    let mut outputs = Outputs::create(&files, job.args.force)?;
    let begun = Instant::now();
    let bar = about::progress(end, unit);
    bar.set_message(message);
    let written = { job.tiles.iter().zip(&files) }.try_for_each(|(tile, path)| {
        let target = outputs.open(path)?;
        write(&tile, &target, &bar)?;
        outputs.add(target)
    });
    bar.finish_and_clear();
    written?;
    outputs.persist()?;
    Ok((files, begun.elapsed().as_secs_f64()))
}

/// Exports. All checks run before the first sample is computed. Returns a report.
pub fn run(options: &ExportArgs) -> Result<String, Failure> {
    let (kind, output) = options.output()?;
    let args = &options.common;
    let tiles = Tiles::new(args)?;
    let (recipe, field) = recipes::read(&args.preset)?;
    tiles.check(&field)?;
    if kind == Kind::Lands {
        weights::check_lands(&args.preset, &field)?;
    }
    cli::catch_interrupts();
    let job = Job { args, options, kind, recipe: &recipe, field: &field, tiles };
    let report = match output {
        Output::Picture(picture) => pictures::export(&job, picture),
        Output::Plants => plants::export(&job),
        Output::Mesh => mesh::export(&job),
    }?;
    about::warn_of_shared(&job);
    Ok(report)
}
