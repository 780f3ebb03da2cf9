//! Draws a preset on the CPU, with a ray for each pixel and another one to the sun: no mesh, no
//! display, no driver.
//!
//! `cargo run --release --example raycast -- alpine --out raycast.png`,
//! `cargo run --release --example raycast -- --help`

mod picture;

use std::path::PathBuf;
use std::process::ExitCode;

use bevy::prelude::*;
use bevy_orogeny::orogeny::Recipe;
use clap::Parser;
use indicatif::ProgressBar;

use crate::picture::{Eye, Ground};

const PITCH: f32 = -0.14;
/// To the sun, in the morning.
const SUN: Vec3 = Vec3::new(0.75, 0.42, 0.52);

/// Draw a preset on the CPU, by raycasting its field.
#[derive(Parser)]
struct Args {
    /// The name of a file in assets/presets, without .terrain.ron
    #[arg(default_value = "alpine")]
    preset: String,
    /// Where the picture goes
    #[arg(long, value_name = "FILE", default_value = "raycast.png")]
    out: PathBuf,
    /// The picture's width in pixels
    #[arg(long, default_value_t = 960, value_parser = clap::value_parser!(u32).range(16..=8192))]
    width: u32,
    /// The picture's height in pixels
    #[arg(long, default_value_t = 540, value_parser = clap::value_parser!(u32).range(16..=8192))]
    height: u32,
    /// The camera's place, along x and z in metres
    #[arg(long, num_args = 2, value_names = ["X", "Z"], default_values_t = [0.0, 0.0], allow_negative_numbers = true)]
    at: Vec<f64>,
    /// Its height above the ground, in metres
    #[arg(long, default_value_t = 220.0)]
    above: f64,
    /// Where it looks, in degrees from -z to the right
    #[arg(long, default_value_t = 285.0, allow_negative_numbers = true)]
    heading: f32,
}

fn main() -> ExitCode {
    let args = Args::parse();
    match draw(&args) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::from(2)
        }
    }
}

fn draw(args: &Args) -> Result<(), String> {
    let Args { width, height, .. } = *args;
    let file = format!("assets/presets/{}.terrain.ron", args.preset);
    let failed = |error: &dyn std::fmt::Display| format!("{file}: {error}");
    let text = std::fs::read_to_string(&file).map_err(|error| failed(&error))?;
    let recipe = Recipe::from_ron(&text).map_err(|error| failed(&error))?;
    let ground = Ground::new(&recipe).map_err(|error| failed(&error))?;
    let [x, z] = [args.at[0], args.at[1]];
    let place = [x, ground.height([x, z]) + args.above, z];
    let rotation = Quat::from_rotation_y(-args.heading.to_radians()) * Quat::from_rotation_x(PITCH);
    let bar = ProgressBar::new(height.into());
    let eye = Eye { place, rotation, sun: SUN, size: [width, height] };
    let picture = ground.draw(&eye, || bar.inc(1)).map_err(|error| failed(&error))?;
    bar.finish_and_clear();
    picture.save(&args.out).map_err(|error| format!("--out {}: {error}", args.out.display()))?;
    println!("{}", args.out.display());
    Ok(())
}
