//! Prints results: a table, or one JSON object a line. A closed pipe is not an error.

use std::io::{self, Write};

use serde::Serialize;

use crate::samples::Samples;

/// Prints results.
#[derive(Clone, Copy)]
pub struct Report {
    pub json: bool,
}

#[derive(Serialize)]
struct Metric<'a> {
    metric: &'a str,
    value: f64,
}

impl Report {
    /// Prints a number.
    pub fn add(&self, metric: &str, value: f64) {
        if self.json {
            self.object(&Metric { metric, value });
        } else {
            self.text(&format!("{metric:34} {}\n", figure(value)));
        }
    }

    /// Prints a quantile of measurements.
    pub fn quantile(&self, metric: &str, samples: &Samples, part: f64) {
        self.add(metric, samples.quantile(part));
    }

    /// Prints the median and the 99th percentile of measurements.
    pub fn p50_p99(&self, name: &str, samples: &Samples) {
        self.quantiles(name, samples, [("p50", 0.5), ("p99", 0.99)]);
    }

    /// Prints quantiles of measurements: the name of each metric ends with that of its quantile.
    pub fn quantiles<const N: usize>(
        &self,
        name: &str,
        samples: &Samples,
        quantiles: [(&str, f64); N],
    ) {
        let values = quantiles.map(|(ending, part)| (ending, samples.quantile(part)));
        if self.json {
            for (ending, value) in values {
                self.add(&format!("{name}_{ending}"), value);
            }
            return;
        }
        let cells = values.map(|(ending, value)| format!("{} {ending}", figure(value)));
        self.text(&format!("{name:34} {}\n", cells.concat()));
    }

    /// Prints an object as a line of JSON. A number that is not finite is null.
    pub fn object(&self, object: &impl Serialize) {
        if let Ok(line) = serde_json::to_string(object) {
            self.text(&(line + "\n"));
        }
    }

    pub fn text(&self, text: &str) {
        let mut out = io::stdout();
        let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
    }
}

/// Errors of gradients have other digits than heights and times.
fn figure(value: f64) -> String {
    if value == 0.0 || value.abs() >= 0.01 {
        format!("{value:14.3}")
    } else {
        format!("{value:14.2e}")
    }
}
