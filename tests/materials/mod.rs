//! The materials of chunks, in apps that draw nothing.

mod chunks;
mod debug_views;
mod ground_files;
mod order;
mod support;
