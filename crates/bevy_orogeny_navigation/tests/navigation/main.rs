//! Paths on the exact ground, and tiles in an app without cameras, windows and chunks.

mod edits;
mod far;
mod holes;
mod narrow;
mod obstacles;
mod paths;
mod positions;
mod streaming;
mod support;
