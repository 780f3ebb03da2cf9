//! The scripted flight: writes pictures without opening a window.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use bevy::app::{PluginGroupBuilder, ScheduleRunnerPlugin};
use bevy::camera::RenderTarget;
use bevy::prelude::*;
use bevy::render::render_resource::{TextureFormat, TextureUsages};
use bevy::render::view::screenshot::{Screenshot, ScreenshotCaptured};
use bevy::time::TimeUpdateStrategy;
use bevy::window::ExitCondition;
use bevy::winit::WinitPlugin;
use bevy_orogeny::advanced::{ScatterStats, TerrainBudget, TerrainStats};
use bevy_orogeny::{Terrain, TerrainOrigin, TerrainPreset, TerrainQuery};

use super::args::Args;
use super::eye::AdaptsAtOnce;
use super::presets;
use super::shots::{self, Shot};
use super::sky::TimeOfDay;
use super::tour;
use super::world::{WorldSettings, camera_at, height, spawn_camera};

/// The default size of pictures.
const SIZE: [u32; 2] = [1280, 720];

/// Frames drawn with complete terrain before a picture. The atmosphere and its light on the ground
/// lag behind the camera by this number of frames.
const SETTLE: u32 = 2;
/// Frames per second.
const RATE: f32 = 60.0;
/// With --speed: frames from one picture to the next.
const BETWEEN: u32 = 60;

/// The progress of the flight.
#[derive(Resource)]
struct Flight {
    out: PathBuf,
    shots: Vec<Shot>,
    size: [u32; 2],
    /// With --speed: the fraction of the loop flown in a frame.
    step: Option<f32>,
    /// The position of the camera on the loop, from 0 to 1.
    part: f32,
    /// Whether it is the tour rather than the loop.
    is_tour: bool,
    /// The index of the current picture.
    current: usize,
    stage: Stage,
    begun: Instant,
}

enum Stage {
    /// Move the camera to the position of the next picture.
    Move,
    /// Fly on, with --speed. Counts the frames since the last picture.
    Pass(u32),
    /// Wait for the terrain to load. Counts the frames drawn since it was complete.
    Settle(u32),
    /// Wait for the screenshot.
    Capture,
}

/// Adds Bevy's plugins without a window, and the flight.
///
/// # Errors
/// A message for the user if a preset is not valid or the output folder cannot be created.
pub fn add(
    app: &mut App,
    plugins: PluginGroupBuilder,
    args: &Args,
    preset: &str,
) -> Result<(), String> {
    let shots = shots::list(args, preset);
    // Report invalid presets now, rather than in the middle of an unattended flight.
    for shot in &shots {
        presets::read(&shot.preset)?;
    }
    std::fs::create_dir_all(&args.out)
        .map_err(|error| format!("--out {}: {error}", args.out.display()))?;
    let no_window =
        WindowPlugin { primary_window: None, exit_condition: ExitCondition::DontExit, ..default() };
    app.add_plugins(plugins.set(no_window).disable::<WinitPlugin>());
    let frame = Duration::from_secs_f32(1.0 / RATE);
    app.insert_resource(TimeUpdateStrategy::ManualDuration(frame));
    if args.speed.is_some() {
        app.add_plugins(ScheduleRunnerPlugin::run_loop(frame));
    } else {
        // Pictures wait for terrain, so long frames do not matter.
        app.add_plugins(ScheduleRunnerPlugin::default())
            .insert_resource(TerrainBudget { per_frame: usize::MAX, ..default() })
            .insert_resource(AdaptsAtOnce(frame));
    }
    app.insert_resource(Flight {
        out: args.out.clone(),
        shots,
        size: args.size.unwrap_or(SIZE),
        step: args.speed.map(|speed| speed as f32 / RATE / shots::length()),
        part: 0.0,
        is_tour: args.tour,
        current: 0,
        stage: Stage::Move,
        begun: Instant::now(),
    })
    .add_systems(PostStartup, spawn)
    .add_systems(Update, fly);
    Ok(())
}

fn spawn(
    mut commands: Commands,
    settings: Res<WorldSettings>,
    flight: Res<Flight>,
    mut images: ResMut<Assets<Image>>,
) {
    let [width, height] = flight.size;
    let mut picture = Image::new_target_texture(width, height, TextureFormat::Rgba8UnormSrgb, None);
    picture.texture_descriptor.usage |= TextureUsages::COPY_SRC;
    let target = RenderTarget::Image(images.add(picture).into());
    spawn_camera(&mut commands, &settings, Transform::default()).insert(target);
    let Flight { shots, out, .. } = &*flight;
    println!(
        "Flying without a window: {} pictures of {width} x {height} pixels, to {}",
        shots.len(),
        out.display()
    );
}

fn fly(
    mut commands: Commands,
    mut flight: ResMut<Flight>,
    mut settings: ResMut<WorldSettings>,
    mut hour: ResMut<TimeOfDay>,
    (stats, scatter): (Res<TerrainStats>, Res<ScatterStats>),
    terrains: TerrainQuery,
    origin: Res<TerrainOrigin>,
    terrain: Single<Entity, With<Terrain>>,
    camera: Single<(&mut Transform, &mut Camera, &RenderTarget)>,
) {
    let (mut transform, mut camera, target) = camera.into_inner();
    let place = settings.place;
    let looking = |(position, rotation)| Transform {
        translation: origin.translation(position),
        rotation,
        ..default()
    };
    let height = |position| height(&terrains, position).unwrap_or_default();
    let is_tour = flight.is_tour;
    let pose = |part| match &place {
        Some(place) => looking(camera_at(place, &terrains)),
        None if is_tour => looking(tour::camera(height, part * tour::LENGTH)),
        None => shots::camera(height, part),
    };
    match flight.stage {
        Stage::Move => {
            let Some(shot) = flight.shots.get(flight.current).cloned() else { return };
            hour.set_if_neq(TimeOfDay(shot.hour));
            if shot.preset != settings.preset {
                // The camera moves in the next frame, when the height of the new ground is known.
                settings.preset = shot.preset;
                if let Ok(recipe) = presets::read(&settings.preset) {
                    commands
                        .entity(*terrain)
                        .remove::<TerrainPreset>()
                        .insert(Terrain::recipe(recipe));
                }
                // The first frame has to draw: Bevy 0.19 panics if a camera with an atmosphere is
                // not active then. Later ones have been waiting since the last picture.
                return;
            }
            flight.stage = if flight.step.is_some() {
                Stage::Pass(0)
            } else {
                flight.part = shot.part;
                Stage::Settle(0)
            };
            *transform = pose(flight.part);
        }
        Stage::Pass(frames) => {
            flight.part += flight.step.unwrap_or_default();
            *transform = pose(flight.part);
            camera.is_active = frames + SETTLE >= BETWEEN;
            flight.stage = Stage::Pass(frames + 1);
            if frames == BETWEEN {
                flight.stage = Stage::Capture;
                commands.spawn(Screenshot(target.clone())).observe(save);
            }
        }
        Stage::Settle(frames) if frames < SETTLE => {
            // Do not draw while chunks are missing: with a software renderer, drawing takes most
            // of the time.
            camera.is_active = stats.missing == 0 && scatter.missing == 0;
            flight.stage = Stage::Settle(if camera.is_active { frames + 1 } else { 0 });
        }
        Stage::Settle(_) => {
            flight.stage = Stage::Capture;
            commands.spawn(Screenshot(target.clone())).observe(save);
        }
        // The picture is drawn and is being read back.
        Stage::Capture => camera.is_active = false,
    }
}

/// Writes a picture and continues the flight.
fn save(
    picture: On<ScreenshotCaptured>,
    mut flight: ResMut<Flight>,
    stats: Res<TerrainStats>,
    mut exit: MessageWriter<AppExit>,
) {
    let path = flight.out.join(format!("{}.png", flight.shots[flight.current].name));
    let written = picture
        .image
        .clone()
        .try_into_dynamic()
        .map_err(|error| error.to_string())
        .and_then(|picture| picture.to_rgb8().save(&path).map_err(|error| error.to_string()));
    if let Err(error) = written {
        eprintln!("{}: {error}", path.display());
        exit.write(AppExit::from_code(2));
        return;
    }
    flight.current += 1;
    flight.stage = Stage::Move;
    println!(
        "{} of {}  {}  {} chunks, {} pending, {} thousand triangles, {:.1} s",
        flight.current,
        flight.shots.len(),
        path.display(),
        stats.displayed,
        stats.missing,
        stats.triangles / 1000,
        flight.begun.elapsed().as_secs_f32(),
    );
    if flight.current == flight.shots.len() {
        exit.write(AppExit::Success);
    }
}
