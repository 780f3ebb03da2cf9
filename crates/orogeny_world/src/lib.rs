#![forbid(unsafe_code)]
#![doc = include_str!("../README.md")]

mod copies;
mod data;
mod database;
mod error;
mod file;
mod saver;
mod tables;
#[cfg(test)]
mod tests;

pub use data::{MAX_DATA, MAX_KEY, from_data, to_data};
pub use error::WorldError;
pub use file::{Batch, World, WorldFile};
pub use saver::{Saver, Unsaved};
pub use tables::{from_bytes, to_bytes};
