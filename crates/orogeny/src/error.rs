//! The error of plain data, such as recipes, edits, logs and rasters: what is wrong, and where.

use alloc::string::String;
use core::fmt;

use crate::limits::OutOfLimits;

/// What is wrong with plain data, and where: a recipe, a node, an edit, a log or a raster.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DataError {
    /// The path to the fault, such as `field.Add[1].Fractal.octaves`; empty for the root of a
    /// [`Node`](crate::Node).
    pub path: String,
    /// What is wrong there, with the limit that was exceeded.
    pub problem: String,
}

impl fmt::Display for DataError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.path.is_empty() {
            write!(f, "{}: ", self.path)?;
        }
        f.write_str(&self.problem)
    }
}

impl core::error::Error for DataError {}

impl DataError {
    /// A problem at the root.
    pub(crate) fn here(problem: impl fmt::Display) -> Self {
        Self::at("", problem)
    }

    /// A problem at a path.
    pub(crate) fn at(path: impl Into<String>, problem: impl fmt::Display) -> Self {
        Self { path: path.into(), problem: format!("{problem}") }
    }

    /// The same problem with `outer` in front of its path.
    pub(crate) fn under(mut self, outer: &str) -> Self {
        let dot = if self.path.is_empty() || self.path.starts_with('[') { "" } else { "." };
        self.path = format!("{outer}{dot}{}", self.path);
        self
    }
}

impl From<OutOfLimits> for DataError {
    fn from(error: OutOfLimits) -> Self {
        Self::at(error.limit.name, error)
    }
}
