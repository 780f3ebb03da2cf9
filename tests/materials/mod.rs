//! The materials of chunks, in apps that draw nothing.

mod chunks;
mod debug_views;
mod support;
