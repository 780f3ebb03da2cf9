//! Drawing: eleven still scenes, each with and without plants, shadows and our materials.
//!
//! There is no window. One app draws all scenes, so that a device starts once.

mod counts;
mod light;
mod measure;
mod picture;
mod plain;
mod scenes;
#[path = "../../../../examples/fly/shadows.rs"]
mod shadows;
mod stage;
mod table;

use std::path::PathBuf;

use clap::builder::PossibleValuesParser;

use crate::report::Report;
use crate::{Failure, app, presets};
use scenes::{Scene, Variant};
use stage::Stage;
use table::Results;

/// The exit code if a scene could not be drawn.
const NOT_DRAWN: u8 = 1;

/// Measure what drawing terrain costs, in eleven still scenes
///
/// Prints a table, or with --json one object per line for each scene and variant. Levels of detail
/// follow --size, as in a game.
#[derive(clap::Args, Debug)]
#[command(after_long_help = AFTER_HELP)]
pub struct Args {
    /// Draw only these scenes, separated by commas [default: all]
    #[arg(long, value_name = "NAMES", value_delimiter = ',',
        value_parser = PossibleValuesParser::new(scenes::ALL.map(|scene| scene.name)))]
    scenes: Vec<String>,

    /// Print these variants, separated by commas; plain is timed in any case [default:
    /// full,bare,plain]
    #[arg(long, value_name = "NAMES", value_delimiter = ',', value_enum,
        hide_default_value = true, default_values = ["full", "bare", "plain"])]
    variants: Vec<Variant>,

    /// Size of the pictures in pixels, each side 64 to 8192
    #[arg(long, value_name = "WxH", default_value = "1920x1080", value_parser = size)]
    size: [u32; 2],

    /// Draw Bevy's atmosphere and its light, and shadows as fly draws them. Still without bloom
    /// and anti-aliasing
    #[arg(long)]
    sky: bool,

    /// Frames to time, 1 to 100: times are their medians
    #[arg(long, value_name = "N", default_value = "9",
        value_parser = clap::value_parser!(u32).range(1..=100))]
    frames: u32,

    /// Write a PNG of each scene and variant to this folder
    #[arg(long, value_name = "DIR")]
    pictures: Option<PathBuf>,
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
    fn scenes(&self) -> impl Iterator<Item = &'static Scene> {
        scenes::ALL.iter().filter(move |scene| {
            self.scenes.is_empty() || self.scenes.iter().any(|name| name == scene.name)
        })
    }
}

fn size(text: &str) -> Result<[u32; 2], String> {
    let sides: Option<Vec<u32>> = text.split(['x', 'X']).map(|side| side.parse().ok()).collect();
    match sides.as_deref() {
        Some(&[w, h]) if [w, h].iter().all(|side| (64..=8192).contains(side)) => Ok([w, h]),
        _ => Err("must be WxH, such as 1280x720, each side 64 to 8192".into()),
    }
}

pub fn run(args: &Args, report: &Report) -> Result<(), Failure> {
    app::find_driver()?;
    draw(args, report).map_err(|message| Failure::new(NOT_DRAWN, message))
}

/// Times all scenes.
///
/// # Errors
/// A message that names the scene that could not be drawn.
fn draw(args: &Args, report: &Report) -> Result<(), String> {
    if let Some(folder) = &args.pictures {
        let failed = |error| format!("--pictures {}: {error}", folder.display());
        std::fs::create_dir_all(folder).map_err(failed)?;
    }
    let mut stage = Stage::new(args);
    let results = Results::new(args, *report, &stage);
    for scene in args.scenes() {
        let named = |message: String| format!("{}: {message}", scene.name);
        let recipe = presets::recipe(scene.preset);
        let mut timed = Vec::new();
        for variant in Variant::ALL {
            // The floor is timed in any case, for the ratios.
            if !args.variants.contains(&variant) && variant != Variant::Plain {
                continue;
            }
            stage.show(scene, &recipe, variant).map_err(named)?;
            timed.push((variant, measure::measure(&mut stage, args.frames)));
            if let Some(folder) = &args.pictures {
                let file = folder.join(format!("{}_{}.png", scene.name, variant.name()));
                picture::save(&mut stage, &file).map_err(named)?;
            }
        }
        results.add(scene, &timed);
    }
    Ok(())
}
