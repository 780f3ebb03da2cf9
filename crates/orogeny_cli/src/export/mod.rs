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
mod exr_file;
mod files;
mod formats;
mod kind;
mod map;
mod mesh;
mod pictures;
mod plants;
mod report;
mod tiff_file;
mod tiles;
mod weights;

use orogeny::{Landscape, Recipe};

pub use crate::export::args::{CommonArgs, ExportArgs, MapArgs};

use crate::cli::{self, Failure};
use crate::export::kind::{Content, Kind, Output, Picture};
use crate::export::tiles::Tiles;
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
    report::warn_of_shared(&job);
    Ok(report)
}
