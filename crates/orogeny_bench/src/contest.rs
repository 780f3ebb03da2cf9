//! Runs a workload: contestants take turns.

use std::time::{Duration, Instant};

use indicatif::ProgressBar;

use crate::args::Args;
use crate::contestant::Contestant;
use crate::workload::Workload;
use crate::{ours, peers};

/// The time of a contestant, in nanoseconds per sample.
pub struct Result {
    pub library: &'static str,
    pub method: &'static str,
    pub level: &'static str,
    pub min: f64,
    pub median: f64,
}

/// The minimum length of a turn: the workload is repeated up to it.
const TURN: Duration = Duration::from_millis(4);

/// Runs a workload with all contestants that can do it.
pub fn run(workload: &Workload, args: &Args, bar: &ProgressBar) -> Vec<Result> {
    let mut contestants = ours::contestants(&workload.task);
    contestants.extend(peers::contestants(&workload.task));
    contestants.retain(|contestant| args.takes(contestant.library, contestant.level));
    let repeats: Vec<u32> = contestants.iter_mut().map(repeats).collect();
    let mut times = vec![Vec::new(); contestants.len()];
    bar.set_message(workload.name);
    for _ in 0..args.rounds {
        for ((contestant, &repeats), times) in contestants.iter_mut().zip(&repeats).zip(&mut times)
        {
            let start = Instant::now();
            (0..repeats).for_each(|_| (contestant.run)());
            let nanoseconds = start.elapsed().as_secs_f64() * 1e9;
            times.push(nanoseconds / f64::from(repeats) / workload.task.samples() as f64);
        }
        bar.inc(1);
    }
    let results = contestants.into_iter().zip(times).map(|(contestant, mut times)| {
        times.sort_unstable_by(f64::total_cmp);
        let Contestant { library, method, level, .. } = contestant;
        Result { library, method, level, min: times[0], median: times[times.len() / 2] }
    });
    results.collect()
}

/// The number of runs in a turn. The first run here also grows buffers to their final size.
fn repeats(contestant: &mut Contestant) -> u32 {
    (contestant.run)();
    let start = Instant::now();
    (contestant.run)();
    (TURN.as_secs_f64() / start.elapsed().as_secs_f64()).ceil().clamp(1.0, 1e6) as u32
}
