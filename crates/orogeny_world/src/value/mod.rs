//! Values of serde as bytes: self-describing, and without loss.
//!
//! The bytes are a stream of `token`s: the data model of serde itself, so an option in an option, a
//! unit and a missing value differ, floats keep their bits, and keys of maps may be anything. Enums
//! and structs are written by name, as in JSON. Attributes such as `tag`, `untagged` and `flatten`
//! read a value before they know its type, which only such a format allows.
//!
//! `writer` and `reader` are serde's two sides, and `compare` finds where two values differ.

mod compare;
mod reader;
mod token;
mod writer;

use core::fmt::{self, Display};

use serde::Serialize;
use serde::de::DeserializeOwned;

/// How deep values may be nested. It bounds the stack that reading takes.
pub(crate) const MAX_DEPTH: usize = 128;

/// Why a value was not written or read, and where in it.
#[derive(Debug)]
pub(crate) struct ValueError {
    /// The way from the value to the part, the last step first.
    steps: Vec<String>,
    problem: String,
}

impl ValueError {
    fn new(problem: impl ToString) -> Self {
        Self { steps: Vec::new(), problem: problem.to_string() }
    }

    fn too_deep() -> Self {
        Self::new(format!("is nested more than {MAX_DEPTH} times"))
    }

    /// The same error of the value that contains the part.
    fn within(mut self, step: impl FnOnce() -> String) -> Self {
        self.steps.push(step());
        self
    }

    /// The way to the part, such as `.items[3].damage`. Empty for the value itself.
    pub fn path(&self) -> String {
        self.steps.iter().rev().map(String::as_str).collect()
    }

    pub fn problem(&self) -> &str {
        &self.problem
    }
}

impl Display for ValueError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path(), self.problem)
    }
}

impl std::error::Error for ValueError {}

impl serde::ser::Error for ValueError {
    fn custom<T: Display>(message: T) -> Self {
        Self::new(message)
    }
}

impl serde::de::Error for ValueError {
    fn custom<T: Display>(message: T) -> Self {
        Self::new(message)
    }
}

/// A value as bytes. Reads them back, and compares: what a type writes and does not read is an
/// error here.
pub(crate) fn to_bytes<T: Serialize + DeserializeOwned>(value: &T) -> Result<Vec<u8>, ValueError> {
    let written = writer::write(value)?;
    let back: T = reader::read(&written.bytes).map_err(|error| ValueError {
        problem: format!("could not be loaded again: {}", error.problem),
        ..error
    })?;
    let again = writer::write(&back)?;
    match compare::difference(&written, &again) {
        None => Ok(written.bytes),
        Some(steps) => {
            Err(ValueError { steps, problem: "would be another value when it is loaded".into() })
        }
    }
}

/// The value of bytes that [`to_bytes`] made.
pub(crate) fn from_bytes<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, ValueError> {
    reader::read(bytes)
}

#[cfg(test)]
mod tests;
