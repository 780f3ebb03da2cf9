//! Edits: chunks that they do not touch, changes of a long log, and craters and a brush in a
//! flight.

mod flight;
mod log;

use crate::report::Report;

/// Measure edits: a long log, untouched chunks, roads, a large file, craters and a brush in flight
#[derive(clap::Args, Debug)]
#[command(after_help = AFTER_HELP)]
pub struct Args {
    /// The number of edits in the log, 0 to 1,000,000
    #[arg(long, default_value = "100000",
        value_parser = clap::value_parser!(u32).range(0..=1_000_000))]
    edits: u32,

    /// Duration of each flight, 2 to 600
    #[arg(long, default_value = "12", value_parser = clap::value_parser!(u32).range(2..=600))]
    seconds: u32,
}

const AFTER_HELP: &str = "\
Metrics:
  untouched_chunk_overhead_percent   building chunks while all edits are elsewhere, compared with
                                     the same field without edits
  road_chunk_ratio                   the time of a chunk of hills that a road crosses, over that
                                     of the same chunk without it
  strokes_chunk_ratio                the time of a chunk under 5,000 strokes of one brush at one
                                     place, over that of the same chunk without them
  dabs_chunk_ratio                   the time of a chunk under 5,000 raises of 80 m with different
                                     centres, over that of the same chunk without them
  dab_sample_ns                      what each of them adds to a sample under all
  add_edit_us_p50, _p99              adding an edit while a snapshot is in use
  undo_edit_us_p50, _p99             removing one
  snapshot_us_p99                    taking a snapshot
  open_million_edits_s               opening a world file with a million edits
  bytes_per_edit_on_wire             the mean bytes of an edit in a packet: raised, flattened and
                                     crater discs, numbered up to a million
  crater_to_drawn_ms_p50, _p99       a flight at 100 m/s, with a crater of 10 m radius every half
                                     second: from the edit to the end of the update that shows it
  brush_60hz_frame_p99_ms            a brush of 20 m in every frame: the 99 % of the processor time
                                     of the main thread in an update, minus that of a flight
                                     without edits
  brush_60hz_update_p99_ms           the same of the time until the update ends. On few cores the
                                     thread waits while chunk tasks run
  frames_with_hole_or_seam           in these three flights, as in flythrough";

pub fn run(args: &Args, report: &Report) {
    log::measure(args.edits, report);
    log::measure_file(report);
    flight::measure(args.seconds, report);
}
