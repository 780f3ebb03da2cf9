//! Measures the preset world: what its lands cost, how they meet, and how soon it is there.
//!
//! `cargo run --release --example world_bench -- --json` prints one line for each number.

mod borders;
mod courses;
mod land_cost;
mod places;
mod teleport;

use clap::Parser;
use orogeny::{Landscape, Recipe};

/// Measures the preset world.
#[derive(Parser, Debug)]
#[command(after_help = AFTER_HELP)]
struct Args {
    /// Print one JSON object a line instead of a table
    #[arg(long)]
    json: bool,
}

const AFTER_HELP: &str = "\
Metrics:
  land_cost_ratio         a grid of 65 x 65 points, 1 m apart, with gradients, deep in a land, over
                          the same of a recipe that has this land alone: the median of all lands
  land_cost_ratio_max     that of the land for which it is largest
  border_cost_ratio       the same where two lands or more have weights
  border_gradient_error   the largest difference of a gradient from difference quotients in double
                          steps of 1/8 m over borders of lands, over 1 plus the gradient
  border_weight_error     the largest difference of the sum of weights from 1 there
  lands_within_200_km     lands that cover 1 % of the land within 200 km of the start, or more
  border_river_km         the length of rivers that were followed over borders of lands
  uphill_steps            the parts of them that rise, or begin higher than the part before ends
  teleport_ready_ms       from a jump of 100 km until the ground is ready, without plants: the
                          median of 5
  hills_teleport_ready_ms the same of the preset hills
  main_thread_ms_p99      the time of a frame of the main thread after such jumps, without drawing
  hills_main_thread_ms_p99
                          the same of the preset hills

Real elevation data has a benchmark of its own: raster_bench of orogeny_raster.";

/// A number to print.
struct Metric {
    name: &'static str,
    value: f64,
}

/// A preset and its ground.
fn read(name: &str) -> (Recipe, Landscape) {
    let text = match name {
        "world" => include_str!("../../assets/presets/world.terrain.ron"),
        _ => include_str!("../../assets/presets/hills.terrain.ron"),
    };
    Recipe::build_ron(text).expect("a valid preset")
}

fn main() {
    let args = Args::parse();
    let (recipe, ground) = read("world");
    let all = land_cost::measure(&recipe, &ground)
        .into_iter()
        .chain(borders::measure(&recipe, &ground))
        .chain(places::measure(&ground))
        .chain(courses::measure(&ground))
        .chain(teleport::measure());
    for Metric { name, value } in all {
        if args.json {
            println!("{{\"metric\":\"{name}\",\"value\":{value}}}");
        } else {
            println!("{name:28} {value:14.6}");
        }
    }
}
