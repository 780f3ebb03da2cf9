//! Tests with a disk that fails, and with damaged copies.

mod copies;
mod disk;
mod power;
mod saver;
