//! A script flies: pictures without a window.

use std::f32::consts::TAU;
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
use bevy_orogeny::{TerrainBudget, TerrainQuery, TerrainStats};

use crate::args::Args;
use crate::world::{WorldSettings, height, spawn_camera};

/// Frames drawn with complete terrain before a picture is taken: the atmosphere and its light on the ground follow the camera
/// within them.
const SETTLE: u32 = 2;
/// The loop of the flight: half its length along x and z, in metres.
const LOOP: Vec2 = Vec2::new(9000.0, 6000.0);
/// Metres above the highest ground within `LOOK_AHEAD`.
const HEIGHT: f32 = 220.0;
const LOOK_AHEAD: f32 = 600.0;
/// Downward slope of the view.
const PITCH: f32 = -0.14;
/// Frames a second of a flight that does not wait, and frames from one of its pictures to the next.
const RATE: f32 = 60.0;
const BETWEEN: u32 = 60;

/// How far the flight is.
#[derive(Resource)]
struct Flight {
    out: PathBuf,
    frames: u32,
    size: [u32; 2],
    /// How far each frame goes, in parts of the loop, where the flight does not wait.
    step: Option<f32>,
    /// The part of the loop where the camera is.
    part: f32,
    /// The picture that is being taken, from 0.
    current: u32,
    stage: Stage,
    begun: Instant,
}

enum Stage {
    /// Fly to the place of the picture.
    Move,
    /// Fly on, for so many frames already.
    Pass(u32),
    /// Wait until this many frames were drawn with all terrain there.
    Settle(u32),
    /// Wait for the picture.
    Capture,
}

/// Adds Bevy's plugins without a window, and the flight.
///
/// # Errors
/// A message for the user where the folder for pictures cannot be made.
pub fn add(app: &mut App, plugins: PluginGroupBuilder, args: &Args) -> Result<(), String> {
    std::fs::create_dir_all(&args.out)
        .map_err(|error| format!("--out {}: {error}", args.out.display()))?;
    let no_window =
        WindowPlugin { primary_window: None, exit_condition: ExitCondition::DontExit, ..default() };
    app.add_plugins(plugins.set(no_window).disable::<WinitPlugin>());
    if args.speed.is_some() {
        let frame = Duration::from_secs_f32(1.0 / RATE);
        app.add_plugins(ScheduleRunnerPlugin::run_loop(frame))
            .insert_resource(TimeUpdateStrategy::ManualDuration(frame));
    } else {
        // Nobody waits for a frame here, but for the terrain.
        app.add_plugins(ScheduleRunnerPlugin::default())
            .insert_resource(TerrainBudget { applied_per_frame: usize::MAX, ..default() });
    }
    app.insert_resource(Flight {
        out: args.out.clone(),
        frames: args.frames,
        size: args.size,
        step: args.speed.map(|speed| speed as f32 / RATE / loop_length()),
        part: 0.0,
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
    let Flight { frames, out, .. } = &*flight;
    println!(
        "Flying headless over {}: {frames} pictures of {width} x {height} to {}",
        settings.preset,
        out.display()
    );
}

fn fly(
    mut commands: Commands,
    mut flight: ResMut<Flight>,
    stats: Res<TerrainStats>,
    terrains: TerrainQuery,
    camera: Single<(&mut Transform, &mut Camera, &RenderTarget)>,
) {
    let (mut transform, mut camera, target) = camera.into_inner();
    match flight.stage {
        Stage::Move => {
            flight.stage = if flight.step.is_some() {
                Stage::Pass(0)
            } else {
                flight.part = flight.current as f32 / flight.frames as f32;
                Stage::Settle(0)
            };
            *transform = place(&terrains, flight.part);
        }
        Stage::Pass(frames) => {
            flight.part += flight.step.unwrap_or_default();
            *transform = place(&terrains, flight.part);
            camera.is_active = frames + SETTLE >= BETWEEN;
            flight.stage = Stage::Pass(frames + 1);
            if frames == BETWEEN {
                flight.stage = Stage::Capture;
                commands.spawn(Screenshot(target.clone())).observe(save);
            }
        }
        Stage::Settle(frames) if frames < SETTLE => {
            // Frames that nobody will see are not drawn: on a CPU they would take most of the time.
            camera.is_active = stats.missing == 0;
            flight.stage = Stage::Settle(if camera.is_active { frames + 1 } else { 0 });
        }
        Stage::Settle(_) => {
            flight.stage = Stage::Capture;
            commands.spawn(Screenshot(target.clone())).observe(save);
        }
        // The picture is drawn; what is left is to read it back.
        Stage::Capture => camera.is_active = false,
    }
}

/// The point at a part of the loop, a lying figure of eight.
fn at(part: f32) -> Vec2 {
    LOOP * Vec2::new((TAU * part).sin(), (2.0 * TAU * part).sin() / 2.0)
}

/// Its length in metres.
fn loop_length() -> f32 {
    const PIECES: u16 = 1000;
    let ends = |i: u16| [i, i + 1].map(|i| at(f32::from(i) / f32::from(PIECES)));
    (0..PIECES).map(ends).map(|[from, to]| from.distance(to)).sum()
}

/// Where the camera is at a part of the loop.
fn place(terrains: &TerrainQuery, part: f32) -> Transform {
    let here = at(part);
    let ahead = (at(part + 1e-3) - here).normalize();
    let highest = (0..=8)
        .map(|i| here + ahead * (LOOK_AHEAD * i as f32 / 8.0))
        .map(|p| height(terrains, p.as_dvec2().to_array()))
        .fold(f32::MIN, f32::max);
    Transform::from_xyz(here.x, highest + HEIGHT, here.y)
        .looking_to(Vec3::new(ahead.x, PITCH, ahead.y), Vec3::Y)
}

/// Writes a picture and sends the flight on.
fn save(
    picture: On<ScreenshotCaptured>,
    mut flight: ResMut<Flight>,
    stats: Res<TerrainStats>,
    mut exit: MessageWriter<AppExit>,
) {
    let path = flight.out.join(format!("{:04}.png", flight.current + 1));
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
        "{} of {}  {}  {} chunks, {} on their way, {} thousand triangles, {:.1} s",
        flight.current,
        flight.frames,
        path.display(),
        stats.displayed,
        stats.missing,
        stats.triangles / 1000,
        flight.begun.elapsed().as_secs_f32(),
    );
    if flight.current == flight.frames {
        exit.write(AppExit::Success);
    }
}
