//! Messages while files are written, and afterwards.
//!
//! If output fails, as with a closed pipe, the run continues.

use std::fmt;
use std::io::{self, Write};
use std::path::PathBuf;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressState, ProgressStyle};

use crate::export::Job;
use crate::export::about::{Range, Tally};
use crate::export::kind::{Content, Picture};

/// A progress bar, which counts in a unit. Hidden if standard error is not a terminal.
pub fn progress(count: u64, unit: &'static str) -> ProgressBar {
    let bar = ProgressBar::new(count);
    let template = "{msg:17} {wide_bar} {percent:>3} %  {rate}  {eta} left";
    let rate = move |state: &ProgressState, out: &mut dyn fmt::Write| {
        let _ = write!(out, "{:.2} M {unit}/s", state.per_sec() / 1e6);
    };
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style.with_key("rate", rate));
    }
    bar
}

/// Warns about clamped heights, or other numbers.
pub fn warn_of_clamped(job: &Job, picture: Picture, range: Option<Range>, tally: &Tally) {
    if let (Some(Range { lo, hi }), true) = (range, tally.clamped > 0) {
        let numbers = picture.numbers();
        let _ = writeln!(
            io::stderr(),
            "warning: {} of {} {numbers} are outside --range {lo},{hi} and were clamped; \
             {numbers} reach from {} to {}{}",
            tally.clamped,
            job.tiles.pixels(),
            tally.min,
            tally.max,
            unit(picture),
        );
    }
}

/// Warns about positions that several pixels share.
pub fn warn_of_shared(job: &Job) {
    if let Some(step) = job.tiles.coarse() {
        let _ = writeln!(
            io::stderr(),
            "warning: this far out coordinates have steps of {step} m, so with --spacing {} pixels \
             share positions",
            job.args.spacing
        );
    }
}

/// The unit of the numbers of a picture, after a space.
fn unit(picture: Picture) -> String {
    picture.unit().map_or_else(String::new, |unit| format!(" {unit}"))
}

/// The duration of a run.
pub struct Took {
    /// All of it.
    pub all: Duration,
    /// The part that evaluated the terrain.
    pub evaluation: Duration,
}

/// The facts of pictures.
pub fn picture(
    job: &Job,
    picture: Picture,
    range: Option<Range>,
    tally: &Tally,
    took: Took,
) -> String {
    let passes = job.passes(picture);
    let samples = passes * job.tiles.pixels();
    let [seconds, evaluation] = [took.all, took.evaluation].map(|time| time.as_secs_f64());
    let unit = unit(picture);
    let extremes = match picture.content {
        Content::Lands => {
            let lands = job.field.lands().lands().iter();
            let names: Vec<_> = lands.map(|land| land.name.as_str()).collect();
            format!("lands    {}\n", names.join(", "))
        }
        _ => format!("{:<8} {} to {}{unit}\n", picture.numbers(), tally.min, tally.max),
    };
    let range = range.map_or_else(String::new, |Range { lo, hi }| {
        let ends = if picture.is_ranged() { "0 to 65535" } else { "the ramp of colours" };
        format!("range    {lo} to {hi}{unit} as {ends}\n")
    });
    format!(
        "{extremes}\
         {range}\
         took     {seconds:.2} s for {passes} {}, {evaluation:.2} s of it to evaluate the terrain\n\
         speed    {:.2} million samples per second, evaluated by {}\n",
        if passes == 1 { "pass" } else { "passes" },
        samples as f64 / 1e6 / evaluation,
        counted(rayon::current_num_threads(), "thread"),
    )
}

/// The report of a run: its files, where they are in the terrain, and facts.
pub fn done(job: &Job, files: &[PathBuf], facts: &str) -> String {
    let named = match files {
        [] => String::new(),
        [file] => file.display().to_string(),
        [first, .., last] => {
            format!("{} to {} ({} files)", first.display(), last.display(), files.len())
        }
    };
    let [width, height] = job.args.size;
    let each = if job.tiles.count.is_some() { " each" } else { "" };
    let [x, z] = job.args.origin;
    // The distance from the first to the last pixel, rounded to the micrometre.
    let extent = |side| ((side - 1) as f64 * job.args.spacing * 1e6).round() / 1e6;
    let [wide, deep] = job.tiles.whole.size.map(extent);
    format!(
        "{named}  {width} x {height} pixels{each}, {}\n\
         terrain  {} with seed {}, {wide} x {deep} m from ({x}, {z}), {} m a pixel\n\
         {facts}",
        job.kind.describe(),
        job.args.preset,
        job.recipe.seed,
        job.args.spacing,
    )
}

/// A number of things, such as `1 thread` or `2 threads`.
pub fn counted(count: usize, thing: &str) -> String {
    format!("{count} {thing}{}", if count == 1 { "" } else { "s" })
}
