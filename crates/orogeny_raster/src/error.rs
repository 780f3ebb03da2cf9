//! What can go wrong when elevation data is read.

use std::path::{Path, PathBuf};

/// Why a raster was not read or built. The message names the file, the problem, and what to do.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RasterError {
    /// A problem with a file.
    #[error("{}: {source}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// Its problem.
        source: Box<RasterError>,
    },
    /// The operating system did not read the file.
    #[error("{0}")]
    Io(#[from] std::io::Error),
    /// The file is damaged, or is not of the format that it should have.
    #[error("{0}")]
    Damaged(String),
    /// The file is valid, but of a kind that is not read.
    #[error("{0}")]
    Unsupported(String),
    /// The file does not say something that is needed: each entry names the field of
    /// [`Reading`](crate::Reading) to give, and why.
    #[error("the file does not say all that is needed. {}", .0.join("; "))]
    Missing(Vec<String>),
    /// The caller stopped it.
    #[error("cancelled")]
    Cancelled,
    /// Rasters do not fit together.
    #[error("{0}")]
    Mosaic(String),
    /// A size, spacing, position or height is outside its limits.
    #[error("{0}")]
    Limit(String),
    /// A field of [`Reading`](crate::Reading) is outside its limits or contradicts the file.
    #[error("Reading::{field}: {problem}")]
    Setting {
        /// The name of the field.
        field: &'static str,
        /// What is wrong with it.
        problem: String,
    },
}

impl RasterError {
    pub(crate) fn damaged(what: impl ToString) -> Self {
        Self::Damaged(what.to_string())
    }

    pub(crate) fn unsupported(what: impl ToString) -> Self {
        Self::Unsupported(what.to_string())
    }

    pub(crate) fn limit(what: impl ToString) -> Self {
        Self::Limit(what.to_string())
    }

    pub(crate) fn setting(field: &'static str, problem: impl ToString) -> Self {
        Self::Setting { field, problem: problem.to_string() }
    }

    pub(crate) fn in_file(self, path: &Path) -> Self {
        Self::File { path: path.into(), source: Box::new(self) }
    }

    /// The problem itself, without the file.
    pub fn problem(&self) -> &Self {
        match self {
            Self::File { source, .. } => source.problem(),
            other => other,
        }
    }
}
