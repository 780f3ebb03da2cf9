//! The tabs that the panel comes with.

pub mod cover;
pub mod files;
pub mod help;
pub mod preview;
pub mod statistics;
pub mod terrain;
pub mod viewer;
pub mod views;
