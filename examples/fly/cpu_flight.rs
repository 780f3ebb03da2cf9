//! The scripted flight without a GPU driver: the same views, ray-cast on the CPU.

use std::collections::HashMap;
use std::time::Instant;

use bevy::math::Vec3;
use indicatif::ProgressBar;

use super::args::Args;
use super::path;
use super::presets;
use super::ray_caster::{Eye, Ground};
use super::shots;
use super::sky::TimeOfDay;

/// Ray casting is slow, so by default there are fewer and smaller pictures than with a GPU.
const SIZE: [u32; 2] = [480, 270];
const FRAMES: u32 = 3;

/// Ray-casts and writes all pictures.
///
/// # Errors
/// A message for the user if a preset is not valid, or a folder or file cannot be written.
pub fn fly(args: &Args, preset: &str) -> Result<(), String> {
    let Args { out, .. } = args;
    let at = |error: &dyn std::fmt::Display| format!("--out {}: {error}", out.display());
    std::fs::create_dir_all(out).map_err(|error| at(&error))?;
    let size = args.size.unwrap_or(SIZE);
    let args = Args { frames: Some(args.frames.unwrap_or(FRAMES)), ..args.clone() };
    let shots = shots::list(&args, preset);
    println!(
        "Ray-casting on the CPU: {} pictures of {} x {} pixels, to {}",
        shots.len(),
        size[0],
        size[1],
        out.display()
    );
    let begun = Instant::now();
    let mut grounds = HashMap::new();
    for (i, shot) in shots.iter().enumerate() {
        if !grounds.contains_key(&shot.preset) {
            let ground = Ground::new(&presets::read(&shot.preset)?)?;
            grounds.insert(shot.preset.clone(), ground);
        }
        let ground = &grounds[&shot.preset];
        let camera = path::camera(|position| ground.height(position) as f32, shot.part);
        let eye = Eye {
            position: camera.translation.to_array().map(f64::from),
            rotation: camera.rotation,
            // The ray caster cannot draw twilight, so keep the sun above the horizon.
            sun: TimeOfDay(shot.hour).to_sun().max(Vec3::new(-1.0, 0.1, -1.0)),
            size,
        };
        let bar = ProgressBar::new(size[1].into());
        let picture = ground.draw(&eye, || bar.inc(1))?;
        bar.finish_and_clear();
        let path = out.join(format!("{}.png", shot.name));
        picture.save(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        let seconds = begun.elapsed().as_secs_f32();
        println!("{} of {}  {}  {seconds:.1} s", i + 1, shots.len(), path.display());
    }
    Ok(())
}
