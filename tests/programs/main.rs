//! The programs that use the core alone, run as a stranger would.

mod heightmap;
mod noise_gallery;
mod support;
