//! The ways in which a run can fail.

use std::fmt::{self, Display};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};

/// Why no file was written.
#[derive(Debug)]
pub enum Failure {
    /// The request is not possible: exit code 2.
    Request(String),
    /// The file cannot be written: exit code 1.
    File(String),
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
            Self::File(_) => 1,
            Self::Request(_) => 2,
            Self::Interrupted => 130,
        })
    }
}

impl Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Request(message) | Self::File(message) => write!(f, "error: {message}"),
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
