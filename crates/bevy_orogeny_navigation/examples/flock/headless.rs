//! Writes pictures without a window, at even parts of the flock's way.

use std::path::PathBuf;
use std::time::Duration;

use bevy::camera::RenderTarget;
use bevy::prelude::*;
use bevy::render::view::screenshot::{Screenshot, ScreenshotCaptured, save_to_disk};
use bevy::time::TimeUpdateStrategy;
use bevy_orogeny::PlantModels;
use bevy_orogeny::advanced::{ScatterStats, TerrainStats};

use crate::sheep::Sheep;
use crate::windowless::{self, Taken};

const SIZE: [u32; 2] = [1280, 720];
/// Frames drawn before each picture, and before the first one, until all shaders are compiled.
const SETTLE: u32 = 4;
const SETTLE_FIRST: u32 = 24;

#[derive(Resource)]
struct Pictures {
    out: PathBuf,
    count: u32,
    taken: u32,
    drawn: u32,
}

/// Adds Bevy's plugins without a window.
pub fn add(app: &mut App, out: PathBuf, count: u32) {
    if let Err(error) = std::fs::create_dir_all(&out) {
        eprintln!("--out {}: {error}", out.display());
        std::process::exit(2);
    }
    windowless::add(app, SIZE);
    app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_millis(33)))
        .insert_resource(Pictures { out, count, taken: 0, drawn: 0 })
        .add_systems(Last, take);
}

fn take(
    mut commands: Commands,
    mut pictures: ResMut<Pictures>,
    mut time: ResMut<Time<Virtual>>,
    (stats, plants, models): (Res<TerrainStats>, Res<ScatterStats>, Res<PlantModels>),
    flock: Query<&Sheep>,
    camera: Single<(&mut Camera, &RenderTarget), With<Taken>>,
) {
    let (mut camera, target) = camera.into_inner();
    // The part of the way that most of the flock has gone.
    let mut parts: Vec<f64> = flock
        .iter()
        .filter_map(|sheep| Some(sheep.along / sheep.path.as_ref()?.length().max(1.0)))
        .collect();
    parts.sort_unstable_by(f64::total_cmp);
    let gone = parts.get(parts.len() / 2).copied().unwrap_or(0.0);
    let due = f64::from(pictures.taken + 1) / f64::from(pictures.count + 1);
    let is_due = windowless::is_complete(&stats, &plants, &models) && gone >= due;
    // Drawing takes most of the time without a GPU, so only pictures are drawn.
    camera.is_active = is_due;
    if !is_due {
        return;
    }
    time.pause();
    pictures.drawn += 1;
    if pictures.drawn == if pictures.taken == 0 { SETTLE_FIRST } else { SETTLE } {
        let file = pictures.out.join(format!("{:04}.png", pictures.taken + 1));
        commands.spawn(Screenshot(target.clone())).observe(save_to_disk(file)).observe(next);
    }
}

fn next(
    _: On<ScreenshotCaptured>,
    mut pictures: ResMut<Pictures>,
    mut time: ResMut<Time<Virtual>>,
    mut exit: MessageWriter<AppExit>,
) {
    pictures.taken += 1;
    pictures.drawn = 0;
    time.unpause();
    println!("{} of {}", pictures.taken, pictures.count);
    if pictures.taken == pictures.count {
        exit.write(AppExit::Success);
    }
}
