#![forbid(unsafe_code)]
//! The program `orogeny`: terrain on the command line.
//!
//! `cli.rs` has the commands. Each command has a module: start with its `mod.rs`. In a browser the
//! program is the gallery alone, see `examples/web/build`.

#[cfg(not(target_family = "wasm"))]
mod cli;
#[cfg(not(target_family = "wasm"))]
mod export;
mod gallery;
#[cfg(not(target_family = "wasm"))]
mod inspect;
#[cfg(not(target_family = "wasm"))]
mod recipes;

#[cfg(not(target_family = "wasm"))]
fn main() -> std::process::ExitCode {
    cli::main()
}

#[cfg(target_family = "wasm")]
fn main() {
    gallery::browser::run();
}
