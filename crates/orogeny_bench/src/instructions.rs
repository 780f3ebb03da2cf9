//! Counts instructions instead of time, with valgrind's callgrind: the count does not depend on
//! other load on the machine.

use std::io;
use std::process::Command;

use crate::args::Args;
use crate::contestant::Contestant;
use crate::report::Report;
use crate::workload::Workload;
use crate::{list, ours, report};

/// SIMD levels that valgrind cannot run.
const UNKNOWN_TO_VALGRIND: [&str; 1] = ["AVX-512"];

/// Counts the instructions of `orogeny` for every selected workload.
pub fn count_all(args: &Args, report: &Report) -> Result<(), String> {
    for workload in list::all().iter().filter(|workload| args.runs(workload.name)) {
        for Contestant { library, method, level, .. } in ours::contestants(&workload.task) {
            if !args.takes(library, level) || UNKNOWN_TO_VALGRIND.contains(&level) {
                continue;
            }
            // The difference removes start-up and the first run, which grows the buffers.
            let [one, two] = [1, 2].map(|times| count(workload, method, level, times));
            let (one, two) = (one?, two?);
            report.add_count(&report::Count {
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
    for workload in
        list::all().iter().filter(|workload| args.workload.iter().any(|name| name == workload.name))
    {
        for mut contestant in ours::contestants(&workload.task) {
            let selected = args.method.as_deref() == Some(contestant.method);
            if selected && args.level.as_deref() == Some(contestant.level) {
                (0..times).for_each(|_| (contestant.run)());
            }
        }
    }
}
