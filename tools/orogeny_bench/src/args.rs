//! The command line.

use clap::Parser;

use crate::workload;

/// Compare the speed of orogeny with other noise libraries, on one thread.
///
/// Prints nanoseconds per sample: a line per measurement, as text or with --json, or the table of
/// the README with --markdown. Contestants take turns in every round, so that other load on the
/// machine affects all of them alike.
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

    /// Print a Markdown table at the end: median (minimum) of the fastest method of each library
    #[arg(long, conflicts_with = "json")]
    pub markdown: bool,

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
Workloads (details in the README of this crate; _1 is one octave, _8 are eight):
  grid_value_1, grid_gradient_1         256 x 256, step 0.01
  grid_value_8, grid_gradient_8         129 x 129, lacunarity 2, gain 0.5
  ..._33, ..._65, ..._257               the same on other grids
  ..._lacunarity                        the same with lacunarity 1.97
  grid3_...                             64 x 64 x 16
  simplex_..., cellular_...             256 x 256, simplex noise, and F1 of cellular noise
  points_..., point_...                 65,536 random positions: in one call, and in one call each
  warped_..., transformed_..., rotated_..., improved_..., ridged_8, damped_8, eroded_...
                                        variants of grid_..._8
  grid_jet_8                            as grid_gradient_8, with second derivatives
  grid_jet_eroded_8                     as eroded_8, with second derivatives
  chunk_mesh_...                        from a chunk key to its mesh

Methods:
  analytic      values and exact gradients
  differences   values and central differences: a grid with a border, or five values per point
  value         values only
  ratio         the median of noiz's fastest method divided by this one (of the first library if
                noiz is absent)";

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
