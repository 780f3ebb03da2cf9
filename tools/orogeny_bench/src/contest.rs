//! Runs a workload: contestants take turns, or their instructions are counted.
//!
//! Instructions are counted with valgrind's callgrind: the count does not depend on other load on
//! the machine.

use std::io;
use std::process::Command;
use std::time::{Duration, Instant};

use indicatif::ProgressBar;

use crate::args::Args;
use crate::report::{Count, Report};
use crate::workload::{self, Workload};
use crate::{ours, peers};

/// A library with one method of doing a workload.
pub struct Contestant {
    pub library: &'static str,
    pub method: &'static str,
    /// The SIMD level that it is forced to; empty for libraries without that choice.
    pub level: &'static str,
    /// Runs the workload once.
    pub run: Box<dyn FnMut()>,
}

/// The time of a contestant, in nanoseconds per sample.
pub struct Time {
    pub library: &'static str,
    pub method: &'static str,
    pub level: &'static str,
    pub min: f64,
    pub median: f64,
}

/// The minimum length of a turn: the workload is repeated up to it.
const TURN: Duration = Duration::from_millis(4);

/// Runs a workload with all contestants that can do it.
pub fn run(workload: &Workload, args: &Args, bar: &ProgressBar) -> Vec<Time> {
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
        Time { library, method, level, min: times[0], median: times[times.len() / 2] }
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

/// SIMD levels that valgrind cannot run.
const UNKNOWN_TO_VALGRIND: [&str; 1] = ["AVX-512"];

/// Counts the instructions of `orogeny` for every selected workload.
pub fn count_all(args: &Args, report: &Report) -> Result<(), String> {
    for workload in workload::all().iter().filter(|workload| args.runs(workload.name)) {
        for Contestant { library, method, level, .. } in ours::contestants(&workload.task) {
            if !args.takes(library, level) || UNKNOWN_TO_VALGRIND.contains(&level) {
                continue;
            }
            // The difference removes start-up and the first run, which grows the buffers.
            let [one, two] = [1, 2].map(|times| count(workload, method, level, times));
            let (one, two) = (one?, two?);
            report.add_count(&Count {
                workload: workload.name,
                library,
                method,
                level,
                instructions_per_sample: (two - one) as f64 / workload.task.samples() as f64,
            });
        }
        report.bar.inc(1);
    }
    Ok(())
}

/// The instructions of this program when it runs a workload `times` times.
fn count(workload: &Workload, method: &str, level: &str, times: u32) -> Result<i64, String> {
    let program = std::env::current_exe().map_err(|e| format!("cannot find this program: {e}"))?;
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg(program)
        .args(["--workload", workload.name, "--method", method, "--level", level])
        .args(["--times", &times.to_string()])
        .output()
        .map_err(|e| match e.kind() {
            io::ErrorKind::NotFound => {
                "valgrind is not installed; on Debian and Ubuntu it is in the package valgrind"
                    .into()
            }
            _ => format!("cannot run valgrind: {e}"),
        })?;
    let log = String::from_utf8_lossy(&output.stderr);
    let collected = log.lines().filter_map(|line| line.split_once("Collected :")).next_back();
    match collected.and_then(|(_, count)| count.trim().parse().ok()) {
        Some(count) if output.status.success() => Ok(count),
        _ => Err(format!("valgrind failed on {} {level}:\n{log}", workload.name)),
    }
}

/// Runs a workload `times` times: the child process that [`count`] starts.
pub fn repeat(args: &Args, times: u32) {
    for workload in workload::all()
        .iter()
        .filter(|workload| args.workload.iter().any(|name| name == workload.name))
    {
        for mut contestant in ours::contestants(&workload.task) {
            let selected = args.method.as_deref() == Some(contestant.method);
            if selected && args.level.as_deref() == Some(contestant.level) {
                (0..times).for_each(|_| (contestant.run)());
            }
        }
    }
}
