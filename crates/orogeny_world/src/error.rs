//! What can go wrong with a file.

use std::any::Any;
use std::path::{Path, PathBuf};

use orogeny::DataError;

use crate::copies;

/// Why a file was not opened, created or written. The file stays as it was.
#[derive(Debug, thiserror::Error)]
#[error("{}: {}{}", .0.path.display(), .0.problem, hint(self.copy()))]
pub struct WorldError(Box<Parts>);

#[derive(Debug)]
struct Parts {
    path: PathBuf,
    problem: Problem,
    copy: Option<PathBuf>,
}

#[derive(Debug, thiserror::Error)]
pub(crate) enum Problem {
    #[error("the file exists already")]
    Exists,
    #[error("another program has the file open")]
    InUse,
    #[error("the file is not a world, or is damaged: {0}")]
    Damaged(String),
    #[error("the file has format {found}, but this version reads format {known}")]
    Format { found: u8, known: u8 },
    #[error("{0}")]
    Invalid(#[from] DataError),
    #[error("{0}")]
    Io(std::io::Error),
    #[error("{0}")]
    Other(redb::Error),
}

impl WorldError {
    pub(crate) fn new(path: &Path, problem: impl Into<Problem>) -> Self {
        Self(Box::new(Parts { path: path.into(), problem: problem.into(), copy: None }))
    }

    /// Names the last copy that can be read, if the file is damaged.
    pub(crate) fn with_copy(mut self) -> Self {
        if self.is_damage() {
            self.0.copy = copies::newest_whole(self.path());
        }
        self
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.0.path
    }

    /// Whether the file is not a world, or is damaged.
    pub fn is_damage(&self) -> bool {
        matches!(self.0.problem, Problem::Damaged(_))
    }

    /// The last [copy](crate::WorldFile::back_up) of a damaged file, if there is one.
    pub fn copy(&self) -> Option<&Path> {
        self.0.copy.as_deref()
    }
}

fn hint(copy: Option<&Path>) -> String {
    copy.map_or_else(String::new, |copy| format!("; its last copy is {}", copy.display()))
}

impl Problem {
    pub fn damage(what: impl ToString) -> Self {
        Self::Damaged(what.to_string())
    }

    /// The problem of a thread that panicked.
    pub fn panic(payload: &(dyn Any + Send)) -> Self {
        let text = payload.downcast_ref::<String>().map(String::as_str);
        let text = text.or_else(|| payload.downcast_ref::<&str>().copied());
        Self::damage(text.unwrap_or("it cannot be read"))
    }
}

impl From<std::io::Error> for Problem {
    fn from(error: std::io::Error) -> Self {
        match error.kind() {
            std::io::ErrorKind::AlreadyExists => Self::Exists,
            // What the database returns for a file that it did not write.
            std::io::ErrorKind::InvalidData | std::io::ErrorKind::UnexpectedEof => {
                Self::damage(error)
            }
            _ => Self::Io(error),
        }
    }
}

impl From<redb::Error> for Problem {
    fn from(error: redb::Error) -> Self {
        match error {
            redb::Error::DatabaseAlreadyOpen => Self::InUse,
            redb::Error::Io(error) => error.into(),
            redb::Error::Corrupted(what) => Self::Damaged(what),
            error @ (redb::Error::TableDoesNotExist(_)
            | redb::Error::TableTypeMismatch { .. }
            | redb::Error::TypeDefinitionChanged { .. }
            | redb::Error::UpgradeRequired(_)
            | redb::Error::RepairAborted) => Self::damage(error),
            error => Self::Other(error),
        }
    }
}

/// Conversions by way of [`redb::Error`].
macro_rules! by_way_of_redb {
    ($($error:ty),*) => {
        $(impl From<$error> for Problem {
            fn from(error: $error) -> Self {
                redb::Error::from(error).into()
            }
        })*
    };
}
by_way_of_redb!(
    redb::CommitError,
    redb::CompactionError,
    redb::DatabaseError,
    redb::StorageError,
    redb::TableError,
    redb::TransactionError
);

/// Logs an error; without a logger it goes to the standard error stream.
pub(crate) fn tell(message: &str) {
    if log::log_enabled!(log::Level::Error) {
        log::error!("{message}");
    } else {
        eprintln!("{message}");
    }
}
