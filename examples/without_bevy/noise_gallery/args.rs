//! The command line.

use std::path::PathBuf;

use clap::Parser;

/// Draws a gallery of noise: a captioned picture of every noise, fractal, shape, combinator and
/// edit, and an index.html that shows them all.
#[derive(Parser, Debug)]
pub struct Args {
    /// The output folder, created if missing
    #[arg(long, value_name = "DIR")]
    pub out: PathBuf,

    /// The side of each panel in pixels, 256 to 1024
    #[arg(long, value_name = "PIXELS", default_value_t = 384,
        value_parser = clap::value_parser!(u32).range(256..=1024))]
    pub size: u32,

    /// Draw only pictures whose names contain this text
    #[arg(long, value_name = "NAME", default_value = "", hide_default_value = true)]
    pub only: String,
}
