//! Paths on the exact ground, and tiles in an app without cameras, windows and chunks.

mod far;
mod paths;
mod support;
