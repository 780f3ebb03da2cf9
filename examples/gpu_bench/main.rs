//! Measures drawing: eleven still scenes, each with and without plants, shadows and our materials.
//!
//! `cargo run --release --example gpu_bench`, `cargo run --release --example gpu_bench -- --help`
//!
//! There is no window. One app draws all scenes, so that a device starts once. Presets are read
//! from `assets/presets` in the folder that `BEVY_ASSET_ROOT` names, or in the working directory,
//! so the program also runs on machines without its sources.

mod args;
mod clock;
mod drawn;
mod gpu;
#[path = "../flythrough_bench/gpu_marks.rs"]
mod gpu_marks;
mod light;
mod measure;
#[path = "../flythrough_bench/offscreen.rs"]
mod offscreen;
mod picture;
mod plain;
mod presets;
#[path = "../flythrough_bench/probe.rs"]
mod probe;
mod report;
mod scenes;
mod shaded;
#[path = "../fly/shadows.rs"]
mod shadows;
mod stage;

use std::process::ExitCode;

use clap::Parser;

use crate::args::Args;
use crate::report::Report;
use crate::scenes::{Scene, Variant};
use crate::stage::Stage;

fn main() -> ExitCode {
    let args = Args::parse();
    // Without a driver, Bevy would panic.
    if !probe::driver() {
        eprintln!("{}", probe::NO_DRIVER);
        return ExitCode::from(2);
    }
    match run(&args) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}

/// Times all scenes.
///
/// # Errors
/// A message that names the scene that could not be drawn.
fn run(args: &Args) -> Result<(), String> {
    let scenes = args.scenes();
    let named = |scene: &Scene, message| format!("{}: {message}", scene.name);
    // A faulty file ends the program before anything is timed.
    let read =
        |scene: &&Scene| presets::read(scene.preset).map_err(|message| named(scene, message));
    let recipes: Vec<_> = scenes.iter().map(read).collect::<Result<_, _>>()?;
    if let Some(folder) = &args.pictures {
        let failed = |error| format!("--pictures {}: {error}", folder.display());
        std::fs::create_dir_all(folder).map_err(failed)?;
    }
    let mut stage = Stage::new(args);
    let report = Report::new(args, &stage);
    for (scene, recipe) in scenes.into_iter().zip(recipes) {
        let mut timed = Vec::new();
        for variant in Variant::ALL {
            // The floor is timed in any case, for the ratios.
            if !args.variants.contains(&variant) && variant != Variant::Plain {
                continue;
            }
            stage.show(scene, &recipe, variant).map_err(|message| named(scene, message))?;
            timed.push((variant, measure::measure(&mut stage, args.frames)));
            if let Some(folder) = &args.pictures {
                let file = folder.join(format!("{}_{}.png", scene.name, variant.name()));
                picture::save(&mut stage, &file).map_err(|message| named(scene, message))?;
            }
        }
        report.add(scene, &timed);
    }
    Ok(())
}
