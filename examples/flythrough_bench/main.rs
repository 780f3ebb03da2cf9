//! Measures streaming in scripted flights: the cost of a frame, the time until terrain is ready,
//! the amount of it, and whether it ever has a hole.
//!
//! `cargo run --release --example flythrough_bench`,
//! `cargo run --release --example flythrough_bench -- --help`
//!
//! There is no window and no renderer, but chunks are built as the default material needs them.
//! With `--render` they are drawn, too. Frames start 1/60 s apart, which leaves the rest of the
//! time to background tasks.

mod app;
mod args;
mod clock;
mod cover;
mod drawn;
mod flight;
mod gpu;
mod gpu_marks;
mod memory;
mod offscreen;
mod paint;
mod probe;
mod record;
mod report;
mod run;
mod samples;
mod scenario;
mod seams;
mod watch;
mod world;

use std::process::ExitCode;

use clap::Parser;

use crate::args::Args;
use crate::report::Report;

/// Invalid arguments, or no GPU driver.
const REFUSED: u8 = 2;

fn main() -> ExitCode {
    let args = Args::parse();
    // Without a driver, Bevy would panic.
    if args.render && !probe::driver() {
        eprintln!("{}\nOr measure without --render.", probe::NO_DRIVER);
        return ExitCode::from(REFUSED);
    }
    let scenarios = args.scenarios();
    let mut report = Report::new(&args, &scenarios);
    for scenario in &scenarios {
        match run::run(scenario, &args, &report.bar) {
            Ok(record) => report.add(scenario, &record),
            Err(message) => {
                report.bar.finish_and_clear();
                eprintln!("{}: {message}", scenario.name);
                return ExitCode::from(REFUSED);
            }
        }
    }
    report.end()
}
