//! Repeated measurements of one quantity.

use std::time::Duration;

/// Measurements in order of time.
#[derive(Clone, Debug, Default)]
pub struct Samples(Vec<f64>);

impl Samples {
    pub fn push(&mut self, value: f64) {
        self.0.push(value);
    }

    /// In milliseconds.
    pub fn push_time(&mut self, time: Duration) {
        self.push(1e3 * time.as_secs_f64());
    }

    pub fn append(&mut self, others: &mut Vec<f64>) {
        self.0.append(others);
    }

    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// The quantile of all measurements, from 0 to 1; 1 is the maximum. `None` if nothing was
    /// measured.
    pub fn quantile(&self, part: f64) -> Option<f64> {
        let mut sorted = self.0.clone();
        sorted.sort_unstable_by(f64::total_cmp);
        let rank = (part * sorted.len() as f64).ceil() as usize;
        sorted.get(rank.saturating_sub(1)).copied()
    }
}
