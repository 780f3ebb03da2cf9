//! A picture of every noise, fractal, shape, combinator and edit, with proven ranges, and an index
//! page.
//!
//! `cargo run --release --example noise_gallery -- --out DIR`,
//! `cargo run --release --example noise_gallery -- --help`
//!
//! In a browser it draws them into a page, see `examples/web/build`.
//!
//! Start reading in `gallery/`: to add a picture, add a line to one of its tables.

#[cfg(not(target_family = "wasm"))]
mod args;
#[cfg(target_family = "wasm")]
mod browser;
mod colour;
#[cfg(not(target_family = "wasm"))]
mod desktop;
mod file;
mod gallery;
#[cfg(not(target_family = "wasm"))]
mod index;
mod page;
mod picture;
mod plot;
mod scenes;
mod text;
mod view;

#[cfg(not(target_family = "wasm"))]
fn main() -> std::process::ExitCode {
    desktop::run()
}

#[cfg(target_family = "wasm")]
fn main() {
    browser::run();
}
