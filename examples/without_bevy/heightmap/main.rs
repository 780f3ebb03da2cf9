#![forbid(unsafe_code)]
//! Exports a terrain for other programs and engines: heights, normals, water, cover, lands,
//! climate, maps, plants and meshes, at any position, in one file or in tiles.
//!
//! `cargo run --release --example heightmap -- alpine --size 8192 --spacing 2 --out alpine.png`
//!
//! The file ending or `--kind` selects what is written; `--help` lists all kinds, and
//! `docs/other_engines.md` says how to bring them into other engines. Pixel (i, j) is the field's
//! own sample at origin + spacing * (i, j), bit for bit. Rows are computed in bands on all cores
//! while another thread encodes and writes the previous band, so memory does not depend on the
//! height of a picture. `RAYON_NUM_THREADS=1` computes on one core.
//!
//! Start with `job.rs`. `pictures.rs`, `plants.rs` and `glb.rs` each write one sort of file.

mod about;
mod area;
mod args;
mod band;
mod cover;
mod exr_file;
mod failure;
mod glb;
mod gltf_data;
mod help;
mod job;
mod kind;
mod lands;
mod map;
mod mesh;
mod outputs;
mod parse;
mod passes;
mod picture;
mod pictures;
mod pixel;
mod plants;
mod preset;
mod report;
mod river_lines;
mod rotation;
mod sink;
mod tally;
#[cfg(test)]
mod tests;
mod tiff_file;
mod tiles;
mod water;
mod weights;
mod writer;

use std::io::{self, Write};
use std::process::ExitCode;

use clap::Parser;

use crate::args::Args;

fn main() -> ExitCode {
    match job::run(&Args::parse()) {
        Ok(report) => {
            // A closed pipe is no reason to fail: the files are complete.
            let _ = write!(io::stdout(), "{report}");
            ExitCode::SUCCESS
        }
        Err(failure) => {
            let _ = writeln!(io::stderr(), "{failure}");
            failure.code()
        }
    }
}
