//! The example world: fly over endless terrain and tune it as you go, or follow a scripted flight
//! that writes pictures.
//!
//! `cargo run --release --example fly`, `cargo run --release --example fly -- --help`

mod args;
#[cfg(target_family = "wasm")]
mod browser;
#[cfg(not(target_family = "wasm"))]
mod desktop;
mod digging;
mod eye;
mod game;
#[cfg(not(target_family = "wasm"))]
mod headless;
mod keys;
mod pilot;
mod place;
mod plants;
mod presets;
#[cfg(not(target_family = "wasm"))]
mod probe;
#[cfg(not(target_family = "wasm"))]
mod ray_caster;
mod shadows;
#[cfg(not(target_family = "wasm"))]
mod shots;
mod sky;
mod timing;
mod tour;
mod walker;
mod world;
#[cfg_attr(target_family = "wasm", path = "browser/worlds.rs")]
mod worlds;

#[cfg(not(target_family = "wasm"))]
fn main() -> std::process::ExitCode {
    desktop::run()
}

#[cfg(target_family = "wasm")]
fn main() {
    browser::run();
}
