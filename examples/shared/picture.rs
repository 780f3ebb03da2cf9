//! Opens a window, or draws one picture without one.

#[path = "windowless.rs"]
mod windowless;

use std::path::{Path, PathBuf};

use bevy::camera::RenderTarget;
use bevy::prelude::*;
use bevy::render::view::screenshot::{Screenshot, ScreenshotCaptured, save_to_disk};
use bevy_orogeny::PlantModels;
use bevy_orogeny::advanced::{ScatterStats, TerrainStats};
use clap::{CommandFactory, Parser};

pub use windowless::Taken;

const SIZE: [u32; 2] = [960, 540];
/// Frames drawn with complete terrain before the picture.
const SETTLE: u32 = 5;

/// The arguments of the program.
#[derive(Parser)]
struct Arguments {
    /// Draws a picture without a window
    #[arg(value_name = "FILE.png", value_parser = png)]
    file: Option<PathBuf>,
}

/// A file that a picture can be written to.
fn png(file: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(file);
    if !path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("png")) {
        return Err("the name must end with .png".into());
    }
    let folder = path.parent().filter(|folder| *folder != Path::new(""));
    match folder.map_or(Ok(()), std::fs::create_dir_all) {
        Ok(()) => Ok(path),
        Err(error) => Err(format!("its folder cannot be created: {error}")),
    }
}

/// The file, and the frames that were drawn with complete terrain.
#[derive(Resource)]
pub struct Picture {
    file: PathBuf,
    frames: u32,
}

/// Adds Bevy's plugins: with a window of this title, or to draw the picture that the first argument
/// of the program names.
pub fn open(app: &mut App, title: &str) {
    let arguments = Arguments::command().about(title.to_owned()).get_matches();
    match arguments.get_one::<PathBuf>("file") {
        Some(file) => {
            windowless::add(app, SIZE);
            app.insert_resource(Picture { file: file.clone(), frames: 0 })
                .add_systems(Update, take);
        }
        None => {
            let window = Window { title: title.into(), ..default() };
            app.add_plugins(
                DefaultPlugins.set(WindowPlugin { primary_window: Some(window), ..default() }),
            );
        }
    }
}

fn take(
    mut commands: Commands,
    mut picture: ResMut<Picture>,
    (stats, plants, models): (Res<TerrainStats>, Res<ScatterStats>, Res<PlantModels>),
    camera: Single<(&mut Camera, &RenderTarget), With<Taken>>,
) {
    let (mut camera, target) = camera.into_inner();
    // Drawing takes most of the time without a GPU, so it waits for all chunks and plants.
    camera.is_active = windowless::is_complete(&stats, &plants, &models);
    if !camera.is_active {
        return;
    }
    picture.frames += 1;
    if picture.frames == SETTLE {
        commands
            .spawn(Screenshot(target.clone()))
            .observe(save_to_disk(picture.file.clone()))
            .observe(|_: On<ScreenshotCaptured>, mut exit: MessageWriter<AppExit>| {
                exit.write(AppExit::Success);
            });
    }
}
