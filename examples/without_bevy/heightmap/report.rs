//! Messages while a file is written, and afterwards.
//!
//! If output fails, as with a closed pipe, the run continues.

use std::fmt;
use std::io::{self, Write};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressState, ProgressStyle};
use orogeny::Recipe;

use crate::area::Area;
use crate::args::Args;
use crate::kind::Kind;
use crate::pixel::{Range, Tally};

/// A progress bar over the samples of all passes. Hidden if standard error is not a terminal.
pub fn progress(samples: u64) -> ProgressBar {
    let bar = ProgressBar::new(samples);
    let template = "{msg:17} {wide_bar} {percent:>3} %  {rate}  {eta} left";
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style.with_key("rate", rate));
    }
    bar
}

fn rate(state: &ProgressState, out: &mut dyn fmt::Write) {
    let _ = write!(out, "{:.2} M samples/s", state.per_sec() / 1e6);
}

/// Warns about clamped heights and about positions that several pixels share.
pub fn warn(args: &Args, area: &Area, range: Option<Range>, tally: &Tally) {
    let mut err = io::stderr();
    if let (Some(Range { lo, hi }), true) = (range, tally.clamped > 0) {
        let _ = writeln!(
            err,
            "warning: {} of {} heights are outside --range {lo},{hi} and were clamped; \
             heights reach from {} to {} m",
            tally.clamped,
            area.pixels(),
            tally.min,
            tally.max
        );
    }
    if let Some(step) = area.coarse() {
        let _ = writeln!(
            err,
            "warning: this far out coordinates have steps of {step} m, so with --spacing {} pixels \
             share positions",
            args.spacing
        );
    }
}

/// The duration of a run.
pub struct Took {
    /// All of it.
    pub all: Duration,
    /// The part that evaluated the terrain.
    pub evaluation: Duration,
}

/// Prints a summary of the run.
pub fn done(
    args: &Args,
    kind: Kind,
    recipe: &Recipe,
    range: Option<Range>,
    tally: &Tally,
    took: Took,
) {
    let [width, height] = args.size;
    let [x, z] = args.origin;
    // The distance from the first to the last pixel, rounded to the micrometre.
    let extent = |side| ((side - 1) as f64 * args.spacing * 1e6).round() / 1e6;
    let [wide, deep] = args.size.map(extent);
    let passes = args.passes(kind);
    let samples = passes * width as u64 * height as u64;
    let [seconds, evaluation] = [took.all, took.evaluation].map(|time| time.as_secs_f64());
    let threads = rayon::current_num_threads();
    let range = range.map_or_else(String::new, |Range { lo, hi }| {
        format!("range    {lo} to {hi} m as 0 to 65535\n")
    });
    let _ = writeln!(
        io::stdout(),
        "{}  {width} x {height} pixels, {}\n\
         terrain  {} with seed {}, {wide} x {deep} m from ({x}, {z}), {} m a pixel\n\
         heights  {} to {} m\n\
         {range}\
         took     {seconds:.2} s for {passes} {}, {evaluation:.2} s of it to evaluate the terrain\n\
         speed    {:.2} million samples per second, evaluated by {threads} {}",
        args.out.display(),
        kind.describe(),
        args.preset,
        recipe.seed,
        args.spacing,
        tally.min,
        tally.max,
        if passes == 1 { "pass" } else { "passes" },
        samples as f64 / 1e6 / evaluation,
        if threads == 1 { "thread" } else { "threads" },
    );
}
