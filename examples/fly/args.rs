//! The command line.

use std::path::PathBuf;

use bevy_orogeny_panel::{DebugView, VariantNames};
use clap::Parser;
use clap::builder::{PossibleValuesParser, TypedValueParser};

/// Fly over endless terrain. In a window: W A S D fly, Q and E go down and up, the right mouse
/// button looks, the panel tunes. Headless: a script flies and writes numbered pictures.
#[derive(Parser, Clone, Debug)]
pub struct Args {
    /// No window: follow a scripted flight and write its pictures
    #[arg(long)]
    pub headless: bool,

    /// Where the pictures of a headless flight go
    #[arg(long, value_name = "DIR", default_value = "target/shots")]
    pub out: PathBuf,

    /// How many pictures a headless flight takes: 12 where nothing is said, 3 without a driver
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub frames: Option<u32>,

    /// Headless: one picture of each preset, named after it, where it shows best
    #[arg(long, requires = "headless", conflicts_with_all = ["frames", "speed", "preset"])]
    pub gallery: bool,

    /// Take the pictures of a headless flight on the way, at so many metres a second, without
    /// waiting for all terrain; 1 to 10000
    #[arg(long, value_name = "M/S", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub speed: Option<u32>,

    /// The size of the pictures in pixels, each side 64 to 8192; 1280x720 where nothing is said,
    /// 480x270 without a driver
    #[arg(long, value_name = "WxH", value_parser = size)]
    pub size: Option<[u32; 2]>,

    /// The terrain to begin with: the name of a file in assets/presets, without .terrain.ron
    #[arg(long, value_name = "NAME")]
    pub preset: Option<String>,

    /// How far terrain reaches, in metres, 1000 to 1000000
    #[arg(long, value_name = "METRES", default_value = "30000", value_parser = number::<1000, 1_000_000>)]
    pub range: f64,

    /// How far the triangles may be from the exact ground on the screen, in pixels, 0.25 to 64
    #[arg(long, value_name = "PIXELS", default_value = "2", value_parser = pixel_error)]
    pub pixel_error: f64,

    /// The time of day in hours, 0 to 24
    #[arg(long, value_name = "HOURS", default_value = "8.7", value_parser = hours)]
    pub time: f32,

    /// What the ground is drawn as
    #[arg(long, value_name = "VIEW", default_value = "ground", value_parser = view())]
    pub view: DebugView,

    /// Only find out whether a window could be opened
    #[arg(long, hide = true)]
    pub probe_display: bool,
}

fn view() -> impl TypedValueParser<Value = DebugView> {
    PossibleValuesParser::new(DebugView::VARIANTS).try_map(|name| name.parse())
}

fn size(text: &str) -> Result<[u32; 2], String> {
    let sides: Option<Vec<u32>> = text.split(['x', 'X']).map(|side| side.parse().ok()).collect();
    match sides.as_deref() {
        Some(&[w, h]) if [w, h].iter().all(|side| (64..=8192).contains(side)) => Ok([w, h]),
        _ => Err("a size is like 1280x720, each side 64 to 8192".into()),
    }
}

fn number<const MIN: u32, const MAX: u32>(text: &str) -> Result<f64, String> {
    within(text, f64::from(MIN), f64::from(MAX))
}

fn pixel_error(text: &str) -> Result<f64, String> {
    within(text, bevy_orogeny::PIXEL_ERROR.min, bevy_orogeny::PIXEL_ERROR.max)
}

fn hours(text: &str) -> Result<f32, String> {
    within(text, 0.0, 24.0).map(|hours| hours as f32)
}

fn within(text: &str, min: f64, max: f64) -> Result<f64, String> {
    text.parse()
        .ok()
        .filter(|value| (min..=max).contains(value))
        .ok_or_else(|| format!("must be a number within {min} and {max}"))
}
