//! How a run can end other than well.

use std::fmt::{self, Display};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};

/// Why there is no file.
#[derive(Debug)]
pub enum Failure {
    /// What was asked for is not possible: exit code 2.
    Asked(String),
    /// The file cannot be written: exit code 1.
    File(String),
    /// Ctrl-C: exit code 130, as shells have it.
    Interrupted,
}

impl Failure {
    /// A problem of what was asked for, and where it is.
    pub fn asked(place: impl Display, problem: impl Display) -> Self {
        Self::Asked(format!("{place}: {problem}"))
    }

    /// A problem with a file.
    pub fn file(path: &std::path::Path, problem: impl Display) -> Self {
        Self::File(format!("{}: {problem}", path.display()))
    }

    /// What the process returns.
    pub fn code(&self) -> ExitCode {
        ExitCode::from(match self {
            Self::File(_) => 1,
            Self::Asked(_) => 2,
            Self::Interrupted => 130,
        })
    }
}

impl Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Asked(message) | Self::File(message) => write!(f, "error: {message}"),
            Self::Interrupted => f.write_str("interrupted: nothing was written"),
        }
    }
}

static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// From now on Ctrl-C (and SIGTERM and SIGHUP) only asks to end, so that the temporary file is
/// removed.
pub fn catch_interrupts() {
    // Where it cannot be caught, the process ends as it would without.
    let _ = ctrlc::set_handler(|| INTERRUPTED.store(true, Ordering::Relaxed));
}

/// Whether the run was asked to end.
pub fn interrupted() -> bool {
    INTERRUPTED.load(Ordering::Relaxed)
}
