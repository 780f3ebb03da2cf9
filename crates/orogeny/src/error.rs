//! What can be wrong with a description.

use crate::limits::OutOfLimits;

/// What is wrong with a recipe, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{path}: {problem}")]
pub struct RecipeError {
    /// The place in the tree, such as `field.Add[1].Fractal.octaves`.
    pub path: String,
    /// What is wrong there, with the limit that is not kept.
    pub problem: String,
}

impl RecipeError {
    /// A problem of the very thing that is looked at.
    pub(crate) fn here(problem: impl ToString) -> Self {
        Self::at("", problem)
    }

    pub(crate) fn at(path: impl Into<String>, problem: impl ToString) -> Self {
        Self { path: path.into(), problem: problem.to_string() }
    }

    /// The same problem, seen from the thing that holds `outer`.
    pub(crate) fn under(mut self, outer: &str) -> Self {
        let dot = if self.path.is_empty() || self.path.starts_with('[') { "" } else { "." };
        self.path = format!("{outer}{dot}{}", self.path);
        self
    }
}

impl From<OutOfLimits> for RecipeError {
    fn from(error: OutOfLimits) -> Self {
        Self::at(error.limit.name, error)
    }
}
