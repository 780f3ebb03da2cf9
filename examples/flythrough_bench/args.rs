//! The command line.

use clap::Parser;

use crate::scenario::{self, Scenario};

/// The height of the picture for which the pixel error holds, as for a viewer without a camera.
const FULL_LINES: u32 = 1080;
/// The pixel error at that height.
const PIXEL_ERROR: f64 = 2.0;

/// Measure streaming in scripted flights over three presets: smooth hills, ridges, and mountains
/// with erosion.
///
/// Prints a table, or with --json one measurement a line. Everything is at a pixel error of 2 for
/// 1080 lines and 45 degrees.
#[derive(Parser, Debug)]
#[command(name = "flythrough_bench", after_long_help = AFTER_HELP)]
pub struct Args {
    /// Run this scenario alone; may be given several times [default: all]
    #[arg(long, value_name = "NAME", value_parser = scenario::names())]
    pub scenario: Vec<String>,

    /// How long each flight takes, in seconds of 60 frames, 1 to 3600; a teleport every two seconds
    #[arg(long, value_name = "S", default_value = "20", value_parser = clap::value_parser!(u32).range(1..=3600))]
    pub seconds: u32,

    /// How far terrain reaches in all scenarios but range_5, range_10 and range_30, in kilometres,
    /// 1 to 1000
    #[arg(long, value_name = "KM", default_value = "30", value_parser = range)]
    pub range: f64,

    /// Print one JSON object a line: {"scenario","metric","value","unit"}
    #[arg(long)]
    pub json: bool,

    /// Measure each step of streaming too. That takes some time of its own
    #[arg(long)]
    pub steps: bool,

    /// Draw as well, with the graphics driver there is; a software renderer will do. Extraction and
    /// upload of meshes count then
    #[arg(long)]
    pub render: bool,

    /// The height of what is drawn with --render, in pixels, 135 to 2160. The levels of detail are
    /// those of 1080 in any case
    #[arg(long, value_name = "PIXELS", default_value = "180", value_parser = clap::value_parser!(u32).range(135..=2160))]
    pub lines: u32,
}

const AFTER_HELP: &str = "\
Scenarios; each once over hills, once over ridges, with _ridged at the end of its name, and once over mountains with erosion, with _eroded:
  rest                                 one viewer that turns its head and stays where it is
  flight_50, flight_500, flight_5000   a flight at so many metres a second, 200 m above the ground
  teleport                             100 km at once, again and again, each time until all is there
  two_viewers                          two flights apart, at 100 m/s each
  edit                                 a flight at 100 m/s while the recipe changes every second
  range_5, range_10, range_30          flight_500 with terrain reaching so many kilometres

Metrics; p50, p99 and max are over frames, unless said otherwise:
  main_thread_*_ms   from before the plugin's first step to after its last one. With --render also extraction
                     (all of it) and preparing assets for the graphics card (all of them). It is an upper bound: it holds
                     the time for which the machine let the main thread wait, as when a task that builds chunks is woken on its core
  update_*_ms        the whole update of the main world; with --render and extraction, but not drawing
  extract_*_ms, upload_*_ms   with --render: the parts named above
  adopt_*_ms ...     with --steps: each step of the plugin
  chunk_latency_*_ms over chunks, from the frame that spawns a chunk's entity to the one that gives it its mesh
  start_ms           from nothing to the first TerrainReady
  ready_ms, ready_max_ms   teleport: from the teleport to TerrainReady, median and maximum over teleports
  seen_ms, seen_max_ms     edit: from the edit to the frame that shows it, median and maximum over edits
  unanswered         teleports or edits that had no such end: after 60 s, or before the flight was over
  chunks_max, triangles_max   drawn at once, before culling
  mesh_mb_max        vertices and indices of all chunks held at once, drawn or not, in 10^6 bytes
  process_mb_max     the most memory that the process had, in 10^6 bytes; where the system cannot forget the peaks of
                     earlier scenarios, the peak so far; absent where it does not tell
  missing_p50, missing_max    chunks wanted but not there yet
  tasks_cancelled, chunks_built, build_ms    in the measured frames; the last is the time on its thread, averaged lately
  frames_with_holes  frames in which a point within the range of a viewer was in no chunk, or in two; or chunks that touch were more
                     than one level apart; or chunks of before and after an edit were mixed. Counted from the very first frame
  frames_with_seams  frames in which chunks that touch had different ideas of the border between them, likewise
  frames, frames_late   frames measured, and those that took longer than 1/60 s, checks included

Exit codes: 0 done, 1 a frame had a hole or a seam, 2 what was asked for is not possible.";

impl Args {
    /// What to run, in its order.
    pub fn scenarios(&self) -> Vec<Scenario> {
        let mut all = scenario::all(self.range);
        all.retain(|scenario| {
            self.scenario.is_empty() || self.scenario.iter().any(|name| name == scenario.name)
        });
        all
    }

    /// The pixel error that leads to the levels of 1080 lines.
    pub fn pixel_error(&self) -> f64 {
        let lines = if self.render { self.lines } else { FULL_LINES };
        PIXEL_ERROR * f64::from(lines) / f64::from(FULL_LINES)
    }
}

fn range(text: &str) -> Result<f64, String> {
    text.parse()
        .ok()
        .filter(|range| (1.0..=1000.0).contains(range))
        .ok_or_else(|| "must be a number of kilometres within 1 and 1000".into())
}
