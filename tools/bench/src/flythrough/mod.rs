//! Streaming in scripted flights: the cost of a frame, the time until terrain is ready, the amount
//! of it, and whether it ever has a hole.
//!
//! There is no window and no renderer, but chunks are built as the default material needs them.
//! With `--render` they are drawn, too. Frames start 1/60 s apart, which leaves the rest of the
//! time to background tasks.

mod passes;
mod record;
mod scenario;
mod script;
mod table;
mod watch;
mod world;

use indicatif::{ProgressBar, ProgressStyle};

use crate::report::Report;
use crate::{Failure, app};
use scenario::Scenario;
use table::Results;

/// The height of the picture for which the pixel error holds, as for a viewer without a camera.
const FULL_LINES: u32 = 1080;
/// The pixel error at that height.
const PIXEL_ERROR: f64 = 3.0;
/// The exit code if a frame had a hole or a seam.
const FAULTY: u8 = 1;

/// Measure streaming in scripted flights over hills, ridges and eroded mountains
///
/// Prints a table, or with --json one measurement per line. The pixel error is 3 at 1080 lines and
/// a field of view of 45 degrees.
#[derive(clap::Args, Debug)]
#[command(after_long_help = AFTER_HELP)]
pub struct Args {
    /// Run only this scenario; repeat for several [default: all]
    #[arg(long, value_name = "NAME", value_parser = scenario::names())]
    scenario: Vec<String>,

    /// Length of each flight in seconds of 60 frames; a teleport takes two
    #[arg(long, value_name = "S", default_value = "20",
        value_parser = clap::value_parser!(u32).range(1..=3600))]
    seconds: u32,

    /// View range in km, 1 to 1000, except in range_5, range_10 and range_30
    #[arg(long, value_name = "KM", default_value = "30", value_parser = range)]
    range: f64,

    /// Also measure each step of streaming, which costs some time itself
    #[arg(long)]
    steps: bool,

    /// Render too, and count extraction and upload of meshes. A software renderer will do
    #[arg(long)]
    render: bool,

    /// With --render: also a sea at height 0, shadows, a depth prepass and the atmosphere
    #[arg(long, requires = "render")]
    full_scene: bool,

    /// Height of the picture with --render, in pixels. Levels of detail are those of 1080 lines
    #[arg(long, value_name = "PIXELS", default_value = "180",
        value_parser = clap::value_parser!(u32).range(135..=2160))]
    lines: u32,
}

const AFTER_HELP: &str = "\
Scenarios, each over hills, over ridges (with _ridged in its name), over eroded mountains (with
_eroded) and over higher ones with crags (with _alpine):
  rest                                 a viewer that turns on the spot
  flight_50, flight_500, flight_5000   a flight at this speed in m/s, 200 m above the ground
  teleport                             jumps of 100 km, each once the last has all its terrain
  two_viewers                          two separate flights at 100 m/s
  edit                                 a flight at 100 m/s while the recipe changes every second
  range_5, range_10, range_30          flight_500 with this view range in km

JSON: {\"scenario\",\"metric\",\"value\",\"unit\"}, and of GPU times \"pass\".
Metrics (p50, p99 and max are over frames unless noted):
  main_thread_*_ms   from before the first terrain system to after the last. With --render, also all
                     extraction and all preparation of assets for the GPU. An upper bound: it
                     includes time in which the system runs another thread on the same core
  update_*_ms        the whole update of the main world, with --render also extraction
  extract_*_ms, upload_*_ms   with --render: extraction, and preparation of assets
  gpu_ms_p50 ...     with --render: GPU time by pass, if the GPU has timestamp queries
                       ground    the opaque pass
                       sea       the transparent pass
                       shadows   the shadow maps of the sun
                       prepass   the depth prepass
                       sky       all else up to the end of the transparent pass: the atmosphere
                     Passes without content take a moment, too. Only --full-scene fills all
  draws_*, triangles_drawn_*   with --render: chunks that cameras see after culling, and their
                     triangles, without those drawn for shadows
  adopt_*_ms ...     with --steps: each step of streaming
  chunk_latency_*_ms over chunks: from the start of a chunk's task to its mesh
  start_ms           from nothing to the first TerrainReady
  ready_ms, ready_max_ms   teleport: until TerrainReady, median and maximum over teleports
  seen_ms, seen_max_ms     edit: until the frame that shows it, median and maximum over edits
  unanswered         teleports or edits not finished after 60 s or at the end of the flight
  chunks_max, triangles_max   drawn at once, before culling
  mesh_mb_max        vertices and indices of all chunks in memory, in 10^6 bytes
  process_mb_max     peak memory of the process in 10^6 bytes; of earlier scenarios too if the
                     system cannot reset it; absent if the system does not report it
  missing_p50, missing_max    chunks wanted but not built yet
  tasks_cancelled, chunks_built, build_ms    in the measured frames; build_ms is per chunk
  frames_with_holes  frames in which a point in view range was in no chunk or in two, or touching
                     chunks were more than one level apart, or chunks from before and after an edit
                     were mixed; from the very first frame
  frames_with_seams  frames in which touching chunks disagreed about their common border
  frames, frames_late   frames measured, and those longer than 1/60 s including these checks

Exit codes: 0 done, 1 a frame had a hole or a seam, 2 invalid arguments or no GPU driver.";

impl Args {
    /// The scenarios to run, in order.
    fn scenarios(&self) -> Vec<Scenario> {
        let mut all = scenario::all(self.range);
        all.retain(|scenario| {
            self.scenario.is_empty() || self.scenario.iter().any(|name| name == scenario.name)
        });
        all
    }

    /// The pixel error that gives the levels of 1080 lines.
    fn pixel_error(&self) -> f64 {
        let lines = if self.render { self.lines } else { FULL_LINES };
        PIXEL_ERROR * f64::from(lines) / f64::from(FULL_LINES)
    }
}

fn range(text: &str) -> Result<f64, String> {
    text.parse()
        .ok()
        .filter(|range| (1.0..=1000.0).contains(range))
        .ok_or_else(|| "must be a number of kilometres between 1 and 1000".into())
}

pub fn run(args: &Args, report: &Report) -> Result<(), Failure> {
    if args.render {
        app::find_driver().map_err(|Failure { code, message }| {
            Failure::new(code, format!("{message}\nOr measure without --render."))
        })?;
    }
    let scenarios = args.scenarios();
    // Counts the seconds of all scenarios. Hidden if standard error is not a terminal.
    let bar = ProgressBar::new(u64::from(args.seconds) * scenarios.len() as u64);
    if let Ok(style) = ProgressStyle::with_template("{msg:18} {wide_bar} {percent:>3} %") {
        bar.set_style(style);
    }
    let (mut results, mut are_faulty) = (Results::new(*report), false);
    for scenario in &scenarios {
        match script::run(scenario, args, &bar) {
            Ok(record) => {
                are_faulty |= record.holes.frames + record.seams.frames > 0;
                bar.suspend(|| results.add(scenario, &record));
            }
            Err(message) => {
                bar.finish_and_clear();
                let message = format!("{}: {message}", scenario.name);
                return Err(Failure::new(Failure::REFUSED, message));
            }
        }
    }
    bar.finish_and_clear();
    if are_faulty {
        return Err(Failure::new(FAULTY, "There were frames with holes or seams."));
    }
    Ok(())
}
