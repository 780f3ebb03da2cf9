//! Prints progress and results. A closed pipe is not an error.

use std::io::{self, Write};
use std::process::ExitCode;

use indicatif::{ProgressBar, ProgressStyle};

use crate::args::Args;
use crate::record::{Metric, Record};
use crate::scenario::{Preset, Scenario};

/// A frame had a hole or a seam.
const FAULTY: u8 = 1;

/// The columns of the table: two lines of heading, the metrics that it may show, a factor, and the
/// number of decimals.
const COLUMNS: [(&str, &str, &[&str], f64, usize); 16] = [
    ("main thread", "p50 ms", &["main_thread_p50_ms"], 1.0, 2),
    ("", "p99 ms", &["main_thread_p99_ms"], 1.0, 2),
    ("", "max ms", &["main_thread_max_ms"], 1.0, 2),
    ("latency", "p50 ms", &["chunk_latency_p50_ms"], 1.0, 0),
    ("", "p99 ms", &["chunk_latency_p99_ms"], 1.0, 0),
    ("start", "ms", &["start_ms"], 1.0, 0),
    ("ready, seen", "p50 ms", &["ready_ms", "seen_ms"], 1.0, 0),
    ("", "max ms", &["ready_max_ms", "seen_max_ms"], 1.0, 0),
    ("drawn", "chunks", &["chunks_max"], 1.0, 0),
    ("triangles", "thousand", &["triangles_max"], 1e-3, 0),
    ("mesh", "MB", &["mesh_mb_max"], 1.0, 1),
    ("process", "MB", &["process_mb_max"], 1.0, 0),
    ("tasks", "cancelled", &["tasks_cancelled"], 1.0, 0),
    ("missing", "p50", &["missing_p50"], 1.0, 0),
    ("frames with", "holes", &["frames_with_holes"], 1.0, 0),
    ("", "seams", &["frames_with_seams"], 1.0, 0),
];

/// Prints results.
pub struct Report {
    /// Counts the seconds of all scenarios. Hidden if standard error is not a terminal.
    pub bar: ProgressBar,
    json: bool,
    /// The preset of the current table.
    preset: Option<Preset>,
    faulty: bool,
}

impl Report {
    pub fn new(args: &Args, scenarios: &[Scenario]) -> Self {
        let bar = ProgressBar::new(u64::from(args.seconds) * scenarios.len() as u64);
        if let Ok(style) = ProgressStyle::with_template("{msg:18} {wide_bar} {percent:>3} %") {
            bar.set_style(style);
        }
        Self { bar, json: args.json, preset: None, faulty: false }
    }

    /// Prints the results of a scenario.
    pub fn add(&mut self, scenario: &Scenario, record: &Record) {
        let metrics = record.metrics(scenario.script);
        let text = if self.json {
            metrics.iter().map(|metric| json(scenario.name, metric)).collect()
        } else {
            let head =
                if self.preset == Some(scenario.preset) { String::new() } else { head(scenario) };
            self.preset = Some(scenario.preset);
            head + &row(scenario, &metrics)
        };
        let faults = [("hole", &record.holes), ("seam", &record.seams)];
        self.faulty |= faults.iter().any(|(_, faults)| faults.frames > 0);
        self.bar.suspend(|| {
            let mut out = io::stdout();
            let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
            for (what, faults) in faults {
                if let Some(first) = &faults.first {
                    let _ = writeln!(io::stderr(), "{}: first {what}: {first}", scenario.name);
                }
            }
        });
    }

    /// The exit code.
    pub fn end(self) -> ExitCode {
        self.bar.finish_and_clear();
        if self.faulty { ExitCode::from(FAULTY) } else { ExitCode::SUCCESS }
    }
}

/// One line. Names and units need no escapes in JSON, and values are finite.
fn json(scenario: &str, Metric { name, pass, value, unit }: &Metric) -> String {
    let pass = pass.map_or(String::new(), |pass| format!("\"pass\":\"{pass}\","));
    let measured = format!("\"metric\":\"{name}\",\"value\":{value},\"unit\":\"{unit}\"");
    format!("{{\"scenario\":\"{scenario}\",{pass}{measured}}}\n")
}

fn head(scenario: &Scenario) -> String {
    let (mut upper, mut lower) = (String::new(), String::new());
    for (above, name, ..) in COLUMNS {
        upper += &format!("{above:>12}");
        lower += &format!("{name:>12}");
    }
    format!("{:18}{upper}\n{:18}{lower}\n", scenario.preset.name(), "")
}

fn row(scenario: &Scenario, metrics: &[Metric]) -> String {
    let cells = COLUMNS.iter().map(|(_, _, names, factor, decimals)| {
        let metric = metrics.iter().find(|metric| names.contains(&metric.name.as_str()));
        let text = metric.map_or("-".into(), |m| format!("{:.decimals$}", factor * m.value));
        format!("{text:>12}")
    });
    format!("{:18}{}\n", scenario.name, cells.collect::<String>())
}
