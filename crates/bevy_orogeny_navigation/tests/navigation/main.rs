//! Paths on the exact ground, and tiles in an app without cameras, windows and chunks.

mod edits;
mod far;
mod obstacles;
mod paths;
mod streaming;
mod support;
