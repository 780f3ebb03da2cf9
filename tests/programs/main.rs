//! The programs that need no window, run as a stranger would.

mod flythrough_bench;
mod heightmap;
mod noise_gallery;
mod support;
