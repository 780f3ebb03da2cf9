//! The commands, how they fail, and how they are interrupted.

use std::fmt::{self, Display};
use std::io::{self, Write};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};

use clap::{Parser, Subcommand};

use crate::export::{self, ExportArgs, MapArgs};
use crate::gallery::{self, GalleryArgs};
use crate::inspect::{self, InspectArgs};

/// Exports terrain for other programs and engines, and says what terrain files are.
///
/// Terrain comes from a recipe: a preset such as alpine or world, or a file that the panel of
/// bevy_orogeny saves. `orogeny COMMAND --help` explains a command, with examples.
#[derive(Parser, Debug)]
#[command(name = "orogeny", version, after_help = EXAMPLES)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// The commands.
#[derive(Subcommand, Debug)]
pub enum Command {
    /// Exports heights, water, cover, lands, climate, plants or a mesh for other programs
    ///
    /// Pixel (i, j) from the top left is the sample at (x, z) = origin + spacing * (i, j): x grows
    /// to the right, z downwards, all in metres. Memory use does not depend on the height of a
    /// picture; a mesh is kept in memory.
    Export(ExportArgs),
    /// Draws a map: lands or heights in colours, lit from the top left, with water
    ///
    /// Pixel (i, j) from the top left is the place (x, z) = origin + spacing * (i, j): x grows to
    /// the right, z downwards, all in metres. Maps are 8-bit RGB PNGs.
    Map(MapArgs),
    /// Draws a captioned picture of every noise, fractal, shape, combinator and edit
    ///
    /// The folder gets an index.html that shows all pictures in it. The captions have the settings
    /// and the proven ranges.
    Gallery(GalleryArgs),
    /// Says what a recipe or an elevation file is, and what looks wrong in it
    ///
    /// It prints all that the file says about itself and where each number comes from.
    Inspect(InspectArgs),
}

const EXAMPLES: &str = "\
Examples:
  orogeny export alpine --size 8192 --spacing 2 --out alpine.png
  orogeny map world --size 512 --spacing 800 --out world.png
  orogeny gallery --out gallery
  orogeny inspect alpine";

/// Runs the program.
pub fn main() -> ExitCode {
    match run(&Cli::parse()) {
        Ok(report) => {
            // A closed pipe is no reason to fail: the files are complete.
            let _ = write!(io::stdout(), "{report}");
            ExitCode::SUCCESS
        }
        Err(failure) => {
            let _ = match &failure {
                Failure::Inspected(report) => write!(io::stdout(), "{report}"),
                _ => writeln!(io::stderr(), "{failure}"),
            };
            failure.code()
        }
    }
}

/// Runs a command. Returns what to print.
pub fn run(cli: &Cli) -> Result<String, Failure> {
    match &cli.command {
        Command::Export(args) => export::run(args),
        Command::Map(args) => export::run(&args.clone().into()),
        Command::Gallery(args) => gallery::run(args),
        Command::Inspect(args) => inspect::run(args),
    }
}

/// Why a command failed.
#[derive(Debug)]
pub enum Failure {
    /// The request is not possible: exit code 2.
    Request(String),
    /// The file cannot be written: exit code 1.
    File(String),
    /// The report on a file that cannot be used: exit code 1.
    Inspected(String),
    /// Ctrl-C: exit code 130, as in shells.
    Interrupted,
}

impl Failure {
    /// An invalid request: the argument and the problem.
    pub fn request(argument: impl Display, problem: impl Display) -> Self {
        Self::Request(format!("{argument}: {problem}"))
    }

    /// A problem with a file.
    pub fn file(path: &std::path::Path, problem: impl Display) -> Self {
        Self::File(format!("{}: {problem}", path.display()))
    }

    /// The exit code of the process.
    pub fn code(&self) -> ExitCode {
        ExitCode::from(match self {
            Self::File(_) | Self::Inspected(_) => 1,
            Self::Request(_) => 2,
            Self::Interrupted => 130,
        })
    }
}

impl Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Request(message) | Self::File(message) => write!(f, "error: {message}"),
            Self::Inspected(report) => f.write_str(report),
            Self::Interrupted => f.write_str("interrupted: nothing was written"),
        }
    }
}

static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// Lets Ctrl-C (and SIGTERM and SIGHUP) only request the end of the run, so that the temporary file
/// is removed.
pub fn catch_interrupts() {
    // If this fails, the process ends on a signal as usual.
    let _ = ctrlc::set_handler(|| INTERRUPTED.store(true, Ordering::Relaxed));
}

/// Whether the end of the run was requested.
pub fn interrupted() -> bool {
    INTERRUPTED.load(Ordering::Relaxed)
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn every_command_has_a_long_help_with_examples_that_parse() {
        Cli::command().debug_assert();
        let mut helps = vec![Cli::command().render_long_help().to_string()];
        for command in Cli::command().get_subcommands() {
            let help = command.clone().render_long_help().to_string();
            assert!(help.len() > 800, "{help}");
            helps.push(help);
        }
        for help in helps {
            let examples = help.split("Examples:\n").nth(1).unwrap();
            assert!(examples.lines().count() > 1, "{help}");
            for example in examples.lines() {
                Cli::try_parse_from(example.split_whitespace()).unwrap();
            }
        }
    }
}
