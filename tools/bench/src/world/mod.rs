//! The preset world: what its lands cost, how they meet, and how soon it is there.

mod lands;
mod places;

use crate::report::Report;
use crate::{arrival, presets};

/// Measure the preset world: its lands, how they meet, and how soon the ground is there
#[derive(clap::Args, Debug)]
#[command(after_help = AFTER_HELP)]
pub struct Args {}

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
                          the same of the preset hills";

pub fn run(report: &Report) {
    let (recipe, ground) = presets::built("world");
    lands::measure_cost(&recipe, &ground, report);
    lands::measure_borders(&recipe, &ground, report);
    places::measure(&ground, report);
    let (world, hills) = (arrival::measure("world"), arrival::measure("hills"));
    report.quantile("teleport_ready_ms", &world.jumps, 0.5);
    report.quantile("hills_teleport_ready_ms", &hills.jumps, 0.5);
    report.quantile("main_thread_ms_p99", &world.frames, 0.99);
    report.quantile("hills_main_thread_ms_p99", &hills.frames, 0.99);
}
