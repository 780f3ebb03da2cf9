//! Tests with a disk that fails.

mod disk;
mod power;
mod saver;
