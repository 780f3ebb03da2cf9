//! The command line.

use std::path::PathBuf;

use clap::Parser;
use clap::builder::PossibleValuesParser;

use crate::scenes::{self, Scene, Variant};

/// Measure what drawing terrain costs, in eleven still scenes.
///
/// Prints a table, or with --json one object per line for each scene and variant. Levels of detail
/// follow --size, as in a game.
#[derive(Parser, Debug)]
#[command(name = "gpu_bench", after_long_help = AFTER_HELP)]
pub struct Args {
    /// Draw only these scenes, separated by commas [default: all]
    #[arg(long, value_name = "NAMES", value_delimiter = ',',
        value_parser = PossibleValuesParser::new(scenes::ALL.map(|scene| scene.name)))]
    pub scenes: Vec<String>,

    /// Print these variants, separated by commas; plain is timed in any case [default:
    /// full,bare,plain]
    #[arg(long, value_name = "NAMES", value_delimiter = ',', value_enum,
        hide_default_value = true, default_values = ["full", "bare", "plain"])]
    pub variants: Vec<Variant>,

    /// Size of the pictures in pixels, each side 64 to 8192
    #[arg(long, value_name = "WxH", default_value = "1920x1080", value_parser = size)]
    pub size: [u32; 2],

    /// Draw Bevy's atmosphere and its light, and shadows as fly draws them. Still without bloom
    /// and anti-aliasing
    #[arg(long)]
    pub sky: bool,

    /// Frames to time, 1 to 100: times are their medians
    #[arg(long, value_name = "N", default_value = "9",
        value_parser = clap::value_parser!(u32).range(1..=100))]
    pub frames: u32,

    /// Print one JSON object per line
    #[arg(long)]
    pub json: bool,

    /// Write a PNG of each scene and variant to this folder
    #[arg(long, value_name = "DIR")]
    pub pictures: Option<PathBuf>,
}

const AFTER_HELP: &str = "\
Metrics. Those that the device cannot measure are null, in the table a dash.
  total_ms           GPU time of a frame. Without timestamp queries: frame_ms
  shadows_ms         GPU time of the shadow maps of the sun
  main_ms            GPU time of the opaque pass: the ground, plants and rocks. Bevy does not sort
                     what it draws there, so fragments, and with them times, vary between runs
  transparent_ms     GPU time of the transparent pass: water
  other_ms           the rest of total_ms: culling on the GPU, and with --sky the sky
  frame_ms           from the start of a frame on the CPU until the GPU has finished it
  draws, triangles   meshes that the camera sees after culling, and their triangles
  vertices, fragments   invocations of vertex and fragment shaders in both main passes
  shadow_draws, shadow_triangles, shadow_vertices, shadow_fragments   the same of all shadow maps
  cpu_main_ms        CPU time of a frame: the main world
  cpu_render_ms      CPU time of a frame: extraction and the render world. Software renderers draw
                     in it
  ratio_to_plain     total_ms, divided by that of the variant plain
  adapter            the GPU and its driver

Exit codes: 0 done, 1 a scene could not be drawn, 2 invalid arguments or no driver.";

impl Args {
    /// The scenes to draw, in order.
    pub fn scenes(&self) -> Vec<&'static Scene> {
        let wanted = |scene: &&Scene| {
            self.scenes.is_empty() || self.scenes.iter().any(|name| name == scene.name)
        };
        scenes::ALL.iter().filter(wanted).collect()
    }
}

fn size(text: &str) -> Result<[u32; 2], String> {
    let sides: Option<Vec<u32>> = text.split(['x', 'X']).map(|side| side.parse().ok()).collect();
    match sides.as_deref() {
        Some(&[w, h]) if [w, h].iter().all(|side| (64..=8192).contains(side)) => Ok([w, h]),
        _ => Err("must be WxH, such as 1280x720, each side 64 to 8192".into()),
    }
}
