//! What a run says: the range and the statistics of numbers, the metadata of pictures, and messages
//! on the terminal.
//!
//! Metadata is in text chunks, tags or attributes, or in a text file next to the picture. If output
//! to the terminal fails, as with a closed pipe, the run continues.

use std::fmt;
use std::io::{self, Write};
use std::path::PathBuf;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressState, ProgressStyle};

use crate::export::Job;
use crate::export::args::CommonArgs;
use crate::export::kind::{Content, Kind, Picture};
use crate::export::tiles::Tile;

/// The heights that become 0 and 65535, in metres.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Range {
    /// Becomes 0.
    pub lo: f64,
    /// Becomes 65535.
    pub hi: f64,
}

impl Range {
    /// The metres of a step. On flat ground, where both ends are equal, it is 0.
    pub fn step(self) -> f64 {
        (self.hi - self.lo) / f64::from(u16::MAX)
    }

    /// The nearest step. If both ends are equal, as on flat ground, it is 0.
    pub fn quantise(self, height: f32) -> u16 {
        (self.part(height).clamp(0.0, 1.0) * f64::from(u16::MAX)).round() as u16
    }

    /// 0 at the lower end, 1 at the upper end. If both ends are equal, it is 0.
    pub fn part(self, height: f32) -> f64 {
        let extent = self.hi - self.lo;
        if extent > 0.0 { (f64::from(height) - self.lo) / extent } else { 0.0 }
    }

    fn contains(self, height: f32) -> bool {
        (self.lo..=self.hi).contains(&f64::from(height))
    }
}

/// Statistics of heights or depths.
#[derive(Clone, Copy, Debug)]
pub struct Tally {
    /// The lowest, in metres.
    pub min: f32,
    /// The highest, in metres.
    pub max: f32,
    /// The number of heights outside the range.
    pub clamped: u64,
    /// The number of positions without a height.
    pub missing: u64,
}

impl Default for Tally {
    fn default() -> Self {
        Self { min: f32::INFINITY, max: f32::NEG_INFINITY, clamped: 0, missing: 0 }
    }
}

impl Tally {
    /// The statistics of heights. Without a range none counts as clamped.
    pub fn of(heights: &[f32], range: Option<Range>) -> Self {
        let mut tally = Self::default();
        for &height in heights {
            tally.min = tally.min.min(height);
            tally.max = tally.max.max(height);
            tally.missing += u64::from(height.is_nan());
            tally.clamped += u64::from(range.is_some_and(|range| !range.contains(height)));
        }
        tally
    }

    /// Combines the statistics of two parts.
    pub fn join(self, other: Self) -> Self {
        Self {
            min: self.min.min(other.min),
            max: self.max.max(other.max),
            clamped: self.clamped + other.clamped,
            missing: self.missing + other.missing,
        }
    }

    /// The extremes as a range.
    pub fn range(&self) -> Option<Range> {
        (self.min <= self.max).then(|| Range { lo: self.min.into(), hi: self.max.into() })
    }
}

/// Metadata of a picture.
pub struct About {
    /// Pixels along x and z.
    pub size: [usize; 2],
    /// The position of the first pixel.
    pub origin: [f64; 2],
    /// Metres between pixels.
    pub spacing: f64,
    /// The metres that become 0 and 65535, or the extremes of floats, if known.
    pub range: Option<Range>,
    texts: Vec<(&'static str, String)>,
}

impl About {
    /// Collects the metadata of a tile, with the range if it is known. `layers` names the layers of
    /// cover in each channel.
    pub fn new(
        args: &CommonArgs,
        kind: Kind,
        picture: Picture,
        tile: &Tile,
        range: Option<Range>,
        layers: Option<&str>,
    ) -> Self {
        let [width, height] = tile.grid.size;
        let origin = [0, 1].map(|k| tile.grid.coordinate(k, 0));
        let [x, z] = origin;
        let mut texts = vec![
            ("orogeny:preset", args.preset.clone()),
            ("orogeny:kind", kind.name().into()),
            ("orogeny:size", format!("{width}x{height}")),
            ("orogeny:origin", format!("{x},{z}")),
            ("orogeny:spacing", args.spacing.to_string()),
            ("orogeny:position", "(x, z) in metres = origin + spacing * (column, row)".into()),
            ("orogeny:formula", picture.formula()),
        ];
        if let (Some([x, y]), Some([columns, rows])) = (tile.index, args.tiles) {
            texts.push(("orogeny:tile", format!("x{x} y{y} of {columns}x{rows}")));
        }
        if let Some(Range { lo, hi }) = range {
            texts.extend([("orogeny:min", lo.to_string()), ("orogeny:max", hi.to_string())]);
        }
        texts.extend(layers.map(|layers| ("orogeny:layers", layers.into())));
        Self { size: [width, height], origin, spacing: args.spacing, range, texts }
    }

    /// The keys and their values.
    pub fn texts(&self) -> impl Iterator<Item = (&'static str, &str)> {
        self.texts.iter().map(|(key, text)| (*key, text.as_str()))
    }

    /// The contents of the text file: a key and its value on each line.
    pub fn lines(&self) -> String {
        self.texts().map(|(key, text)| format!("{key} = {text}\n")).collect()
    }
}

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

/// The facts of pictures, with the time of the run, and that to evaluate the terrain.
pub fn picture(
    job: &Job,
    picture: Picture,
    range: Option<Range>,
    tally: &Tally,
    took: [Duration; 2],
) -> String {
    let passes = job.passes(picture);
    let samples = passes * job.tiles.pixels();
    let [seconds, evaluation] = took.map(|time| time.as_secs_f64());
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
