//! Routes the error of a recipe to the parameter it is about.

use orogeny::DataError;

use super::labels::told;

/// An error seen from a part of a recipe: its path relative to that part, and the problem. `None`
/// if the error is elsewhere.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Fault<'a>(Option<Seen<'a>>);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Seen<'a> {
    path: &'a str,
    /// The last part of the path, which an error at the part itself is about.
    own: &'a str,
    problem: &'a str,
}

impl<'a> Fault<'a> {
    /// No error.
    pub const NONE: Self = Self(None);

    /// The error seen from the whole recipe.
    pub fn new(error: Option<&'a DataError>) -> Self {
        Self(error.map(|DataError { path, problem }| {
            let own = path.rsplit('.').next().unwrap_or_default();
            Seen { path, own, problem }
        }))
    }

    /// The error seen from a named part.
    pub fn under(self, part: &str) -> Self {
        Self(self.0.and_then(|seen| {
            let rest = seen.path.strip_prefix(part)?;
            let ends = rest.is_empty() || rest.starts_with(['.', '[']);
            ends.then(|| Seen { path: rest.strip_prefix('.').unwrap_or(rest), ..seen })
        }))
    }

    /// The error seen from item `i` of a list.
    pub fn item(self, i: usize) -> Self {
        self.under(&format!("[{i}]"))
    }

    /// Whether the error is anywhere in this part.
    pub fn is_inside(self) -> bool {
        self.0.is_some()
    }

    /// Whether the error is about this part, rather than a part of it.
    pub fn is_here(self) -> bool {
        self.0.is_some_and(|seen| seen.path.is_empty())
    }

    /// Whether the error is about an item of this list.
    pub fn is_in_item(self) -> bool {
        self.0.is_some_and(|seen| seen.path.starts_with('['))
    }

    /// The error as a sentence.
    pub fn text(self) -> Option<String> {
        let Seen { path, own, problem } = self.0?;
        Some(told(if path.is_empty() { own } else { path }, problem))
    }
}
