//! The command line.

use std::path::PathBuf;

use bevy_orogeny::TerrainQuality;
use bevy_orogeny::orogeny::edits::EditLog;
use bevy_orogeny_panel::{DebugView, VariantNames};
use clap::Parser;
use clap::builder::{PossibleValuesParser, TypedValueParser};

use super::place::Place;

/// Fly over endless terrain.
///
/// In a window, W A S D move, Q and E go down and up, the right mouse button or X looks around, and
/// G switches between flying and walking. C, F, B, M and O edit the ground in the middle of the
/// view, N and J build roads, U undoes, L saves the world. The panel edits the terrain; F1 lists
/// all keys. Without a display, or with --headless, fly follows a scripted flight and writes
/// numbered pictures. On Linux this needs a Vulkan driver; Mesa's software renderer is enough.
/// Without one, fly ray-casts the pictures on the CPU.
#[derive(Parser, Clone, Debug)]
pub struct Args {
    /// Follow a scripted flight and write pictures, without a window
    #[arg(long)]
    pub headless: bool,

    /// Ray-cast the pictures of the scripted flight on the CPU, without a GPU driver
    #[arg(long)]
    pub cpu: bool,

    /// Folder for the pictures
    #[arg(long, value_name = "DIR", default_value = "target/shots")]
    pub out: PathBuf,

    /// Number of pictures of a headless flight [default: 12, or 3 on the CPU]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub frames: Option<u32>,

    /// Headless: write one picture of each preset instead, from its best viewpoint
    #[arg(long, requires = "headless", conflicts_with_all = ["frames", "speed", "preset"])]
    pub gallery: bool,

    /// Headless: fly at this speed, 1 to 10000 m/s, without waiting for the terrain to load
    #[arg(long, value_name = "M/S", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub speed: Option<u32>,

    /// Start at this place, and take all headless pictures from it: x, z and the height above the
    /// ground in metres, then the heading (0 for -z, 90 for x) and the pitch in degrees
    #[arg(long, value_name = "X,Z,ABOVE,HEADING,PITCH", allow_hyphen_values = true,
        conflicts_with_all = ["cpu", "speed", "gallery"])]
    pub at: Option<Place>,

    /// Picture size in pixels, 64 to 8192 a side [default: 1280x720, or 480x270 on the CPU]
    #[arg(long, value_name = "WxH", value_parser = size)]
    pub size: Option<[u32; 2]>,

    /// Preset to start with: the name of a file in assets/presets, without .terrain.ron
    #[arg(long, value_name = "NAME")]
    pub preset: Option<String>,

    /// Take a guided flight of three minutes over the preset "world". In a window, any key ends it.
    /// With --headless, write pictures of it
    #[arg(long, conflicts_with_all = ["cpu", "gallery", "at", "preset", "speed", "world", "time"])]
    pub tour: bool,

    /// World to open, or to create from the preset: a name in worlds/, or a path. All edits are
    /// saved to it
    #[arg(long, value_name = "NAME", conflicts_with_all = ["cpu", "gallery"])]
    pub world: Option<String>,

    /// Edits to start with: a RON file with a log of edits
    #[arg(long, value_name = "FILE", conflicts_with = "cpu", value_parser = edits)]
    pub edits: Option<EditLog>,

    /// View distance in metres, 1000 to 1000000
    #[arg(long, value_name = "METRES", default_value = "30000",
        value_parser = number::<1000, 1_000_000>)]
    pub range: f64,

    /// Maximum error of the mesh on the screen, in pixels, 0.25 to 64
    #[arg(long, value_name = "PIXELS", default_value = "3", value_parser = pixel_error)]
    pub pixel_error: f64,

    /// How much drawing may cost; auto holds 60 frames per second
    #[arg(long, value_name = "QUALITY", default_value = "high", value_parser = quality())]
    pub quality: Quality,

    /// Time of day in hours, 0 to 24
    #[arg(long, value_name = "HOURS", default_value = "8.7", value_parser = hours)]
    pub time: f32,

    /// Density of plants and rocks, 0 to 1; 0 for none
    #[arg(long, value_name = "DENSITY", default_value = "1", conflicts_with = "cpu",
        value_parser = density)]
    pub plants: f32,

    /// Debug view to start with
    #[arg(long, value_name = "VIEW", default_value = "ground", value_parser = view())]
    pub view: DebugView,

    /// Fly straight ahead for this many frames of 1/60 s each, log how long they take, and exit
    #[arg(long, value_name = "FRAMES", conflicts_with_all = ["cpu", "headless", "tour"],
        value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub timing: Option<u32>,

    /// Exit with success if a window can be opened
    #[arg(long, hide = true)]
    pub probe_display: bool,
}

fn view() -> impl TypedValueParser<Value = DebugView> {
    PossibleValuesParser::new(DebugView::VARIANTS).try_map(|name| name.parse())
}

/// One of the qualities, or an automatic one.
#[derive(Clone, Copy, Debug)]
pub enum Quality {
    Auto,
    Fixed(TerrainQuality),
}

fn quality() -> impl TypedValueParser<Value = Quality> {
    let names = TerrainQuality::ALL.map(|(name, _)| name).into_iter().chain(["auto"]);
    PossibleValuesParser::new(names).map(|name| {
        let fixed = TerrainQuality::ALL.into_iter().find(|(known, _)| *known == name);
        fixed.map_or(Quality::Auto, |(_, quality)| Quality::Fixed(quality))
    })
}

fn size(text: &str) -> Result<[u32; 2], String> {
    let sides: Option<Vec<u32>> = text.split(['x', 'X']).map(|side| side.parse().ok()).collect();
    match sides.as_deref() {
        Some(&[w, h]) if [w, h].iter().all(|side| (64..=8192).contains(side)) => Ok([w, h]),
        _ => Err("must be WxH, such as 1280x720, with each side from 64 to 8192".into()),
    }
}

fn edits(path: &str) -> Result<EditLog, String> {
    let text = std::fs::read_to_string(path).map_err(|error| error.to_string())?;
    EditLog::from_ron(&text).map_err(|error| error.to_string())
}

fn number<const MIN: u32, const MAX: u32>(text: &str) -> Result<f64, String> {
    between(text, f64::from(MIN), f64::from(MAX))
}

fn pixel_error(text: &str) -> Result<f64, String> {
    between(text, bevy_orogeny::advanced::PIXEL_ERROR.min, bevy_orogeny::advanced::PIXEL_ERROR.max)
}

fn hours(text: &str) -> Result<f32, String> {
    between(text, 0.0, 24.0).map(|hours| hours as f32)
}

fn density(text: &str) -> Result<f32, String> {
    between(text, 0.0, 1.0).map(|density| density as f32)
}

fn between(text: &str, min: f64, max: f64) -> Result<f64, String> {
    text.parse()
        .ok()
        .filter(|value| (min..=max).contains(value))
        .ok_or_else(|| format!("must be a number between {min} and {max}"))
}
