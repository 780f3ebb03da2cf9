//! The materials of chunks, in apps that draw nothing.

mod chunks;
mod debug_views;
mod ground_files;
mod late_assets;
mod order;
mod support;
