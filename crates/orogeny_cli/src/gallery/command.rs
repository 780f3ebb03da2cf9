//! The command `gallery`: draws the pictures into files, on all cores.

use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::Args;
use indicatif::{ProgressBar, ProgressFinish, ProgressStyle};
use rayon::prelude::*;

use crate::cli::Failure;
use crate::gallery::{Entry, GALLERY, files};

const HELP: &str = "\
Each picture is NAME.png. An animation is an animated PNG, with its frames in a folder beside it:
NAME/01.png and so on. Pictures of earlier runs stay in the folder and in its index; those of the
same name are replaced.

Exit codes: 0 done, 1 cannot write a file, 2 invalid arguments.

Examples:
  orogeny gallery --out gallery
  orogeny gallery --out gallery --only cellular --size 256";

/// The arguments of `gallery`.
#[derive(Args, Clone, Debug)]
#[command(after_long_help = HELP)]
pub struct GalleryArgs {
    /// The output folder, created if missing
    #[arg(long, value_name = "DIR")]
    pub out: PathBuf,

    /// The side of each panel in pixels, 256 to 1024
    #[arg(long, value_name = "PIXELS", default_value_t = 384,
        value_parser = clap::value_parser!(u32).range(256..=1024))]
    pub size: u32,

    /// Draw only pictures whose names contain this text
    #[arg(long, value_name = "NAME", default_value = "", hide_default_value = true)]
    pub only: String,
}

/// Draws the pictures. Returns a report.
pub fn run(args: &GalleryArgs) -> Result<String, Failure> {
    let all = || GALLERY.iter().flat_map(|group| group.entries);
    let chosen: Vec<&Entry> = all().filter(|entry| entry.name.contains(&args.only)).collect();
    if chosen.is_empty() {
        let names: Vec<_> = all().map(|entry| entry.name).collect();
        let problem = format!("no picture name contains this; the names are {}", names.join(", "));
        return Err(Failure::request(format!("--only {}", args.only), problem));
    }
    let begun = Instant::now();
    make(&chosen, &args.out, args.size).map_err(Failure::File)?;
    let (pictures, seconds) = (chosen.len(), begun.elapsed().as_secs_f32());
    let index = args.out.join(files::INDEX);
    Ok(format!("{pictures} pictures in {seconds:.1} s: see {}\n", index.display()))
}

/// Draws and writes the pictures on all cores, then their index.
fn make(chosen: &[&Entry], out: &Path, side: u32) -> Result<(), String> {
    files::make_folder(out)?;
    let bar = ProgressBar::new(chosen.len() as u64)
        .with_style(style())
        .with_finish(ProgressFinish::AndClear);
    chosen.par_iter().try_for_each(|entry| {
        let named = |problem| format!("{}: {problem}", entry.name);
        let made = entry.picture.make(entry.caption, side).map_err(named)?;
        files::write(out, entry.name, &made)?;
        bar.inc(1);
        Ok::<(), String>(())
    })?;
    drop(bar);
    files::write_index(out)
}

/// The progress bar shows only if standard error is a terminal.
fn style() -> ProgressStyle {
    ProgressStyle::with_template("{wide_bar} {pos} of {len} pictures")
        .unwrap_or_else(|_| ProgressStyle::default_bar())
}
