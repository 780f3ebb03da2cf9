//! Measures orogeny beside other noise libraries: `cargo run --release -p orogeny_bench`, `cargo run --release -p orogeny_bench -- --help`.

mod args;
mod contest;
mod contestant;
mod grids;
mod ours;
mod peers;
mod report;
mod workload;

use clap::Parser;

use crate::args::Args;

fn main() {
    let args = Args::parse();
    if args.lists() {
        return;
    }
    let report = report::Report::new(&args);
    for workload in workload::all() {
        if args.runs(workload.name) {
            let results = contest::run(&workload, &args, &report.bar);
            report.add(&workload, &results);
        }
    }
    report.end();
}
