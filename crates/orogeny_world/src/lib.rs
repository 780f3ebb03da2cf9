#![forbid(unsafe_code)]
#![doc = include_str!("../README.md")]

mod error;
mod file;
mod record;
mod saver;

pub use error::WorldError;
pub use file::{World, WorldFile};
pub use record::{from_bytes, to_bytes};
pub use saver::Saver;
