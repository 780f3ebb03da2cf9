//! Prints the results of scenarios: a table for each preset, or one JSON object a line.

use serde::Serialize;

use super::record::{Metric, Record};
use super::scenario::Scenario;
use crate::report::Report;

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

/// A metric as JSON.
#[derive(Serialize)]
struct Line<'a> {
    scenario: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pass: Option<&'a str>,
    metric: &'a str,
    value: f64,
    unit: &'a str,
}

/// Prints results.
pub struct Results {
    report: Report,
    /// The preset of the current table.
    preset: Option<&'static str>,
}

impl Results {
    pub fn new(report: Report) -> Self {
        Self { report, preset: None }
    }

    /// Prints the results of a scenario.
    pub fn add(&mut self, scenario: &Scenario, record: &Record) {
        let metrics = record.metrics(scenario.script);
        if self.report.json {
            for Metric { name: metric, pass, value, unit } in &metrics {
                let (scenario, pass, value) = (scenario.name, *pass, *value);
                self.report.object(&Line { scenario, pass, metric, value, unit });
            }
        } else {
            if self.preset != Some(scenario.preset) {
                self.report.text(&head(scenario));
            }
            self.preset = Some(scenario.preset);
            self.report.text(&row(scenario, &metrics));
        }
        for (what, faults) in [("hole", &record.holes), ("seam", &record.seams)] {
            if let Some(first) = &faults.first {
                eprintln!("{}: first {what}: {first}", scenario.name);
            }
        }
    }
}

fn head(scenario: &Scenario) -> String {
    let (mut upper, mut lower) = (String::new(), String::new());
    for (above, name, ..) in COLUMNS {
        upper += &format!("{above:>12}");
        lower += &format!("{name:>12}");
    }
    format!("{:18}{upper}\n{:18}{lower}\n", scenario.preset, "")
}

fn row(scenario: &Scenario, metrics: &[Metric]) -> String {
    let cells = COLUMNS.iter().map(|(_, _, names, factor, decimals)| {
        let metric = metrics.iter().find(|metric| names.contains(&metric.name.as_str()));
        let text = metric.map_or("-".into(), |m| format!("{:.decimals$}", factor * m.value));
        format!("{text:>12}")
    });
    format!("{:18}{}\n", scenario.name, cells.collect::<String>())
}
