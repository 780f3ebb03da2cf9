//! Measures `orogeny` and its plugins.
//!
//! `cargo run --release -p bench -- flythrough`. `--help` lists the benchmarks, and after the name
//! of one its options and its metrics.

mod app;
mod arrival;
mod checks;
mod clocks;
mod edits;
mod flythrough;
mod gpu;
mod memory;
mod navigation;
mod physics;
mod presets;
mod raster;
mod report;
mod rivers;
mod samples;
mod scatter;
mod world;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use crate::report::Report;

/// Measure orogeny and its plugins
#[derive(Parser, Debug)]
#[command(name = "bench")]
struct Args {
    /// Print one JSON object a line instead of a table
    #[arg(long, global = true)]
    json: bool,

    #[command(subcommand)]
    benchmark: Benchmark,
}

#[derive(Subcommand, Debug)]
enum Benchmark {
    Flythrough(flythrough::Args),
    Arrival(arrival::Args),
    Gpu(gpu::Args),
    World(world::Args),
    Rivers(rivers::Args),
    Edits(edits::Args),
    Scatter(scatter::Args),
    Physics(physics::Args),
    Navigation(navigation::Args),
    Raster(raster::Args),
}

/// Why a benchmark ends early, or what it found.
struct Failure {
    /// The exit code of the program.
    code: u8,
    message: String,
}

impl Failure {
    /// The exit code for invalid arguments, and for arguments that need a GPU driver without one.
    const REFUSED: u8 = 2;

    fn new(code: u8, message: impl ToString) -> Self {
        Self { code, message: message.to_string() }
    }
}

fn main() -> ExitCode {
    let Args { json, benchmark } = Args::parse();
    let report = Report { json };
    let mut done = Ok(());
    match benchmark {
        Benchmark::Flythrough(args) => done = flythrough::run(&args, &report),
        Benchmark::Arrival(args) => arrival::run(&args, &report),
        Benchmark::Gpu(args) => done = gpu::run(&args, &report),
        Benchmark::World(_) => world::run(&report),
        Benchmark::Rivers(args) => rivers::run(&args, &report),
        Benchmark::Edits(args) => edits::run(&args, &report),
        Benchmark::Scatter(args) => scatter::run(&args, &report),
        Benchmark::Physics(_) => physics::run(&report),
        Benchmark::Navigation(_) => navigation::run(&report),
        Benchmark::Raster(_) => {
            done = raster::run(&report).map_err(|error| Failure::new(1, error));
        }
    }
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failure { code, message }) => {
            eprintln!("{message}");
            ExitCode::from(code)
        }
    }
}
