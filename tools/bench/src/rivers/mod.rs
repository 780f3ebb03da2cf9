//! River networks: whether they flow downhill, and what they cost.

mod cost;
mod course;
mod network;

use orogeny::drainage::{Drainage, RiverGround};
use orogeny::{Fractal, GradientNoise, Node};

pub use course::Course;

use crate::report::Report;

/// Measure river networks: their shape, how water fits the ground, and what they cost
#[derive(clap::Args, Debug)]
#[command(after_help = AFTER_HELP)]
pub struct Args {
    /// The length of rivers to follow in kilometres, 100 to 10,000,000
    #[arg(long, default_value = "1000000",
        value_parser = clap::value_parser!(u32).range(100..=10_000_000))]
    kilometres: u32,
}

const AFTER_HELP: &str = "\
Metrics:
  fill_ns_per_sample           a grid of 129 x 129 points, 1 m apart, with gradients, when what is
                               around it is known: the median of 200
  values_ns_per_sample         the same without gradients
  cold_fill_ns_per_sample      such a grid far from any other
  cold_point_us                a position far from any other: the median of 40
  warm_point_us                a position near others
  river_chunk_us               a chunk of the preset valleys with its water and its banks, of
                               64 x 64 cells of 1 m: the median of 300
  alpine_chunk_us              the same of the preset alpine
  chunk_cost_ratio             the former over the latter
  teleport_ready_ms            from a jump of 100 km over the preset valleys until the ground is
                               ready, without plants: the median of 5
  hills_teleport_ready_ms      the same of the preset hills
  surface_gap_parts            parts of rivers and lakes that were looked at
  surface_gap_m_p99, _p999, _max
                               how high their water is above a bank, or below its bed
  horton_bifurcation_ratio     the streams of an order over those of the next: 3 to 5 in nature
  horton_length_ratio          their mean length, in turn: 1.5 to 3.5
  hack_exponent                the length of the longest river over the area that it drains, as
                               exponents: 0.5 to 0.65
  river_km                     the length of the rivers that were followed, from each spring down
  uphill_steps                 the parts of them that rise, or begin higher than the part before
                               them ends
  land_nodes_without_outlet    the rivers among them that end on land, and not in a lake
  lakes_without_outlet         the lakes in which others end";

/// Continents of 60 km, up to some 1,000 m high, with three levels of rivers.
fn world() -> RiverGround {
    let noise = Fractal { frequency: 1.0 / 60e3, ..Fractal::fbm(2.0, GradientNoise::seeded(7)) };
    let continents = Node::from(noise) * 1000.0 + 250.0;
    let continents = continents.build().expect("a valid field");
    let drainage = Drainage { seed: 7, ..Drainage::default() };
    RiverGround::new(continents, &drainage).expect("valid numbers").with_sea(0.0)
}

pub fn run(args: &Args, report: &Report) {
    let field = world();
    cost::measure(&field, report);
    course::measure_gaps(&field, report);
    network::measure(&field, report);
    course::measure(&field, args.kilometres, report);
}
