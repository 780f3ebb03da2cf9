//! Compares the speed of orogeny with other noise libraries: `cargo run --profile
//! bench-noise -p orogeny_bench`, with `-- --help` for its options.

mod args;
mod contest;
mod grids;
mod ours;
mod peers;
mod report;
mod workload;

use std::process::ExitCode;

use clap::Parser;

use crate::args::Args;

fn main() -> ExitCode {
    let args = Args::parse();
    if args.lists() {
        return ExitCode::SUCCESS;
    }
    if let Some(times) = args.times {
        contest::repeat(&args, times);
        return ExitCode::SUCCESS;
    }
    let report = report::Report::new(&args);
    if args.instructions {
        let counted = contest::count_all(&args, &report);
        report.end();
        return counted.map_or_else(
            |problem| {
                eprintln!("{problem}");
                ExitCode::FAILURE
            },
            |()| ExitCode::SUCCESS,
        );
    }
    for workload in workload::all() {
        if args.runs(workload.name) {
            let results = contest::run(&workload, &args, &report.bar);
            report.add(&workload, &results);
        }
    }
    report.end();
    ExitCode::SUCCESS
}
