#![forbid(unsafe_code)]
#![doc = include_str!("../README.md")]

mod batch;
mod connection;
mod copies;
mod data;
mod error;
mod file;
mod new_file;
mod record;
mod saver;
mod tables;
#[cfg(test)]
mod tests;
mod unsaved;
mod value;

pub use batch::Batch;
pub use data::{MAX_DATA, MAX_KEY, from_data, to_data};
pub use error::WorldError;
pub use file::{World, WorldFile};
pub use record::{from_bytes, to_bytes};
pub use saver::Saver;
pub use unsaved::Unsaved;
