//! The tests of several crates together, in one program: each program would link all of Bevy.
//!
//! `cargo test --test main streaming::` runs those of one folder. Tests that need a process of
//! their own have a file of their own beside this one.

mod errors;
mod materials;
mod play;
mod presets;
mod programs;
mod rendering;
mod shared;
mod standing;
mod streaming;
