//! The command line.

use clap::Parser;

use crate::workload;

/// Compare the speed of orogeny with other noise libraries, on one thread.
///
/// Prints a table of nanoseconds per sample, or with --json one measurement per line. Contestants
/// take turns in every round, so that other load on the machine affects all of them alike.
#[derive(Parser, Debug)]
#[command(name = "orogeny_bench", after_long_help = AFTER_HELP)]
pub struct Args {
    /// Run workloads whose names start with this; repeat for several [default: all]
    #[arg(long, value_name = "NAME")]
    pub workload: Vec<String>,

    /// Run orogeny only at this SIMD level, such as AVX2 [default: all that the CPU supports]
    #[arg(long, value_name = "NAME")]
    pub level: Option<String>,

    /// Run libraries whose names start with this; repeat for several [default: all]
    #[arg(long, value_name = "NAME")]
    pub library: Vec<String>,

    /// Number of rounds, 1 to 10000
    #[arg(long, value_name = "N", default_value = "30",
        value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub rounds: u32,

    /// Print one JSON object per line:
    /// {"workload","library","method","level","ns_per_sample_min","ns_per_sample_median"}
    #[arg(long)]
    pub json: bool,

    /// Count instructions per sample of orogeny with valgrind instead of measuring time
    #[arg(long)]
    pub instructions: bool,

    /// Print the names of the workloads and exit
    #[arg(long)]
    pub list: bool,

    /// For --instructions: run this many times and print nothing.
    #[arg(long, hide = true)]
    pub times: Option<u32>,

    /// The method, for --times.
    #[arg(long, hide = true)]
    pub method: Option<String>,
}

const AFTER_HELP: &str = "\
Workloads (details in the README of this crate):
  grid_value_1, grid_gradient_1         256 x 256, step 0.01, one octave
  grid_value_8, grid_gradient_8         129 x 129, 8 octaves, lacunarity 2, gain 0.5
  ..._33, ..._65, ..._257               the same on other grids
  ..._lacunarity                        the same with lacunarity 1.97
  ridged_8, warped_8                    a ridged multifractal; fBm warped by fBm
  points_value_1, points_gradient_1     65,536 random positions within +-1000
  chunk_mesh_65, chunk_mesh_129         from a chunk key of the hills preset to its mesh

Methods:
  analytic      values and exact gradients
  differences   values and central differences: a grid with a border, or five values per point
  value         values only
  one by one    values and exact gradients, point by point rather than in batches
  ratio         the median of noiz divided by this one (of the first library if noiz is absent)";

impl Args {
    /// Whether a workload was selected.
    pub fn runs(&self, name: &str) -> bool {
        matches(&self.workload, name)
    }

    /// Whether a library was selected at a SIMD level, which is empty if it has none.
    pub fn takes(&self, library: &str, level: &str) -> bool {
        let has_level = |wanted: &String| level.is_empty() || wanted.eq_ignore_ascii_case(level);
        matches(&self.library, library) && self.level.as_ref().is_none_or(has_level)
    }

    /// Prints the names of the workloads if `--list` was given, and returns whether it was.
    pub fn lists(&self) -> bool {
        if self.list {
            workload::all().iter().for_each(|workload| println!("{}", workload.name));
        }
        self.list
    }
}

fn matches(wanted: &[String], name: &str) -> bool {
    wanted.is_empty() || wanted.iter().any(|start| name.starts_with(start.as_str()))
}
