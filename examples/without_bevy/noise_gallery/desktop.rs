//! Draws the pictures into files, on all cores.

use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

use clap::Parser;
use indicatif::{ProgressBar, ProgressFinish, ProgressStyle};
use rayon::prelude::*;

use crate::args::Args;
use crate::gallery::{Entry, GALLERY};
use crate::{file, index};

/// Runs the program.
pub fn run() -> ExitCode {
    let args = Args::parse();
    let all = || GALLERY.iter().flat_map(|group| group.entries);
    let chosen: Vec<&Entry> = all().filter(|entry| entry.name.contains(&args.only)).collect();
    if chosen.is_empty() {
        let names: Vec<_> = all().map(|entry| entry.name).collect();
        eprintln!(
            "--only {}: no picture name contains this; the names are {}",
            args.only,
            names.join(", ")
        );
        return ExitCode::from(2);
    }
    let begun = Instant::now();
    match make(&chosen, &args.out, args.size) {
        Ok(()) => {
            let (pictures, seconds) = (chosen.len(), begun.elapsed().as_secs_f32());
            let index = args.out.join(index::NAME);
            println!("{pictures} pictures in {seconds:.1} s: see {}", index.display());
            ExitCode::SUCCESS
        }
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}

/// Draws and writes the pictures on all cores, then their index.
fn make(chosen: &[&Entry], out: &Path, side: u32) -> Result<(), String> {
    file::make_folder(out)?;
    let bar = ProgressBar::new(chosen.len() as u64)
        .with_style(style())
        .with_finish(ProgressFinish::AndClear);
    chosen.par_iter().try_for_each(|entry| {
        let named = |problem| format!("{}: {problem}", entry.name);
        let made = entry.picture.make(entry.caption, side).map_err(named)?;
        file::write(out, entry.name, &made)?;
        bar.inc(1);
        Ok::<(), String>(())
    })?;
    drop(bar);
    index::write(out)
}

/// The progress bar shows only if standard error is a terminal.
fn style() -> ProgressStyle {
    ProgressStyle::with_template("{wide_bar} {pos} of {len} pictures")
        .unwrap_or_else(|_| ProgressStyle::default_bar())
}
