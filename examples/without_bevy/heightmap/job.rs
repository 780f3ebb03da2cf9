//! What a run exports, and where.

use orogeny::{Landscape, Recipe};

use crate::args::Args;
use crate::failure::{self, Failure};
use crate::kind::{Kind, Output};
use crate::picture::{Content, Picture};
use crate::tiles::Tiles;
use crate::{glb, lands, pictures, plants, preset, report};

/// A checked run.
pub struct Job<'a> {
    /// The command line.
    pub args: &'a Args,
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
            picture.is_ranged() && self.args.range.is_none()
        }
    }

    /// How often each sample is computed.
    pub fn passes(&self, picture: Picture) -> u64 {
        if self.has_survey(picture) { 2 } else { 1 }
    }
}

/// Runs the program. All checks run before the first sample is computed. Returns a report.
///
/// # Errors
/// See [`Failure`].
pub fn run(args: &Args) -> Result<String, Failure> {
    let (kind, output) = args.output()?;
    let tiles = Tiles::new(args)?;
    let (recipe, field) = preset::read(&args.preset)?;
    tiles.whole().check(&field)?;
    if kind == Kind::Lands {
        lands::check(&args.preset, &field)?;
    }
    failure::catch_interrupts();
    let job = Job { args, kind, recipe: &recipe, field: &field, tiles };
    let report = match output {
        Output::Picture(picture) => pictures::export(&job, picture),
        Output::Plants => plants::export(&job),
        Output::Mesh => glb::export(&job),
    }?;
    report::warn_of_shared(&job);
    Ok(report)
}
