//! Writes a terrain as a picture or raw data: heights, normals, a hillshade, or its water, at any
//! position, up to 65,536 x 65,536 pixels.
//!
//! `cargo run --release --example heightmap -- alpine --size 8192 --spacing 2 --out alpine.png`
//!
//! The file ending or `--kind` selects what is written; `--help` lists all kinds. Pixel (i, j) is
//! the field's own sample at origin + spacing * (i, j), bit for bit. Rows are computed in bands on
//! all cores while another thread encodes and writes the previous band, so memory does not depend
//! on the height of the picture. `RAYON_NUM_THREADS=1` computes on one core.

mod area;
mod args;
mod failure;
mod kind;
mod passes;
mod pixel;
mod preset;
mod report;
mod sink;
mod target;
mod water;

use std::cell::Cell;
use std::io::{self, Write};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use clap::Parser;

use crate::area::Area;
use crate::args::Args;
use crate::failure::Failure;
use crate::passes::Passes;
use crate::pixel::{Range, Tally};
use crate::target::Target;

fn main() -> ExitCode {
    match run(&Args::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            let _ = writeln!(io::stderr(), "{failure}");
            failure.code()
        }
    }
}

/// All checks run before the first sample is computed.
fn run(args: &Args) -> Result<(), Failure> {
    let kind = args.kind()?;
    let (recipe, field) = preset::read(&args.preset)?;
    let area = Area::new(args.origin, args.spacing, args.size);
    area.check(&field)?;
    failure::catch_interrupts();
    let target = Target::create(&args.out, kind.sidecar(), args.force)?;

    let begun = Instant::now();
    let bar = report::progress(args.passes(kind) * area.pixels());
    let evaluation = Cell::new(Duration::ZERO);
    let passes = Passes { field: &field, area: &area, kind, bar: &bar, evaluation: &evaluation };
    let written = write(args, &passes, &target);
    bar.finish_and_clear();
    let (range, tally) = written?;

    let about = sink::about(args, kind, range.or(tally.range()));
    target.persist(&about)?;
    report::warn(args, &area, range, &tally);
    let took = report::Took { all: begun.elapsed(), evaluation: evaluation.get() };
    report::done(args, kind, &recipe, range, &tally, took);
    Ok(())
}

/// The passes over the terrain: one to find the extremes, if needed, and one to write.
fn write(args: &Args, passes: &Passes, target: &Target) -> Result<(Option<Range>, Tally), Failure> {
    let kind = passes.kind;
    let range = match args.range {
        _ if !kind.is_ranged() => None,
        Some(range) => Some(range),
        None => {
            passes.bar.set_message("finding the range");
            passes.survey()?.range()
        }
    };
    passes.bar.set_message("writing");
    let about = sink::about(args, kind, range);
    let tally = passes.write(range.unwrap_or_default(), &about, target)?;
    Ok((range, tally))
}
