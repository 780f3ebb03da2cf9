//! Scatter on the preset valleys: what it costs to place, to stream and to ask for, and whether it
//! keeps its promises.

mod flight;
mod placing;
mod world;

use crate::presets;
use crate::report::Report;

/// Measure trees, grass and rocks: placing, streaming, asking for them, and their distances
#[derive(clap::Args, Debug)]
#[command(after_help = AFTER_HELP)]
pub struct Args {
    /// The number of instances whose distances are checked, 10,000 to 1,000,000,000
    #[arg(long, default_value = "10000000",
        value_parser = clap::value_parser!(u64).range(10_000..=1_000_000_000))]
    instances: u64,

    /// The length of each flight in seconds of 60 frames
    #[arg(long, value_name = "S", default_value = "20",
        value_parser = clap::value_parser!(u32).range(1..=600))]
    seconds: u32,
}

const AFTER_HELP: &str = "\
Metrics:
  place_ns_per_instance     placing all kinds in 1 km^2, in tiles of 32 m
  box_query_us              all instances but grass, ferns and stones in 100 m x 100 m: the median
                            of 200
  box_query_all_us          with these
  spacing_checked           the instances whose distances were checked
  spacing_violations        pairs of them that are nearer to each other than their kinds allow
  main_thread_p99_ms_50, _500
                            the time of the plugin on the main thread in flights at 50 and 500 m/s,
                            100 m above the ground, and ..
  main_thread_cpu_p99_ms_50, _500
                            .. the part of it that the thread was running: where cores are few, a
                            task that the plugin starts may push it off its core for some ms
  bare_main_thread_p99_ms_50, _500; bare_main_thread_cpu_p99_ms_50, _500
                            the same without scatter, as the baseline
  tile_ms_p50, _p99         the time that a tile takes to build on its thread, with all tiers
  instances_drawn_max       instances in all tiles, before culling
  memory_mb_max             the meshes and records of all tiles
  teleport_ready_ms         from a jump of 100 km until the ground is ready, and all tiles that
                            begin within 100 m, and ..
  bare_teleport_ready_ms    .. the same without scatter, as the baseline
  teleport_complete_ms      until all tiles are
  floating_m_max            how far instances within 100 m stand above the drawn ground
  floating_far_m_p99        the same of all others";

pub fn run(args: &Args, report: &Report) {
    let recipe = presets::recipe("valleys");
    placing::measure_cost(&recipe, report);
    placing::measure_spacing(&recipe, args.instances, report);
    flight::measure(&recipe, args.seconds, report);
}
