//! The command line.

use std::path::PathBuf;

use clap::Parser;

/// Writes a gallery of noise: a labelled picture of every noise, fractal, shape and combinator, and
/// index.html to see them all.
#[derive(Parser, Debug)]
pub struct Args {
    /// The folder for the pictures; it is made where there is none
    #[arg(long, value_name = "DIR")]
    pub out: PathBuf,

    /// The side of a picture's panel in pixels, 256 to 1024
    #[arg(long, value_name = "PIXELS", default_value_t = 384, value_parser = clap::value_parser!(u32).range(256..=1024))]
    pub size: u32,

    /// Only pictures with this in their names
    #[arg(long, value_name = "NAME", default_value = "", hide_default_value = true)]
    pub only: String,
}
