//! What is wrong with a recipe, on its way down to the parameter where it belongs.

use orogeny::RecipeError;

/// An error as it is seen from some part of a recipe: its path from there, and the problem. None
/// where that part is not concerned.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Fault<'a>(Option<(&'a str, &'a str)>);

impl<'a> Fault<'a> {
    /// Nothing is wrong.
    pub const NONE: Self = Self(None);

    /// As seen from the whole recipe.
    pub fn new(error: Option<&'a RecipeError>) -> Self {
        Self(error.map(|error| (error.path.as_str(), error.problem.as_str())))
    }

    /// As seen from the part that a piece of the path names.
    pub fn under(self, part: &str) -> Self {
        Self(self.0.and_then(|(path, problem)| {
            let rest = path.strip_prefix(part)?;
            let ends = rest.is_empty() || rest.starts_with(['.', '[']);
            ends.then(|| (rest.strip_prefix('.').unwrap_or(rest), problem))
        }))
    }

    /// As seen from the i-th item of a list.
    pub fn item(self, i: usize) -> Self {
        self.under(&format!("[{i}]"))
    }

    /// The problem, wherever in this part it is.
    pub fn inside(self) -> Option<&'a str> {
        self.0.map(|(_, problem)| problem)
    }

    /// The problem, with the way to it where that leads on.
    pub fn text(self) -> Option<String> {
        let (path, problem) = self.0?;
        Some(if path.is_empty() { problem.into() } else { format!("{path}: {problem}") })
    }
}
