//! Routes the error of a recipe to the parameter it is about.

use orogeny::DataError;

/// An error seen from a part of a recipe: its path relative to that part, and the problem. `None`
/// if the error is elsewhere.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Fault<'a>(Option<(&'a str, &'a str)>);

impl<'a> Fault<'a> {
    /// No error.
    pub const NONE: Self = Self(None);

    /// The error seen from the whole recipe.
    pub fn new(error: Option<&'a DataError>) -> Self {
        Self(error.map(|error| (error.path.as_str(), error.problem.as_str())))
    }

    /// The error seen from a named part.
    pub fn under(self, part: &str) -> Self {
        Self(self.0.and_then(|(path, problem)| {
            let rest = path.strip_prefix(part)?;
            let ends = rest.is_empty() || rest.starts_with(['.', '[']);
            ends.then(|| (rest.strip_prefix('.').unwrap_or(rest), problem))
        }))
    }

    /// The error seen from item `i` of a list.
    pub fn item(self, i: usize) -> Self {
        self.under(&format!("[{i}]"))
    }

    /// The problem, if it is anywhere in this part.
    pub fn inside(self) -> Option<&'a str> {
        self.0.map(|(_, problem)| problem)
    }

    /// The problem, preceded by the rest of its path.
    pub fn text(self) -> Option<String> {
        let (path, problem) = self.0?;
        Some(if path.is_empty() { problem.into() } else { format!("{path}: {problem}") })
    }
}
