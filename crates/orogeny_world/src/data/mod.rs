//! The game's own data: values of serde under keys, as bytes that are self-describing and lose
//! nothing.
//!
//! The bytes are a stream of `token`s: the data model of serde itself, so an option in an option, a
//! unit and a missing value differ, floats keep their bits, and keys of maps may be anything. Enums
//! and structs are written by name, as in JSON. Attributes such as `tag`, `untagged` and `flatten`
//! read a value before they know its type, which only such a format allows.
//!
//! `writer` and `reader` are serde's two sides, and `compare` finds where two values differ.

mod compare;
mod reader;
#[cfg(test)]
mod tests;
mod token;
mod writer;

use std::fmt::{self, Display};

use orogeny::DataError;
use serde::Serialize;
use serde::de::DeserializeOwned;

/// The largest length of a key in bytes.
pub const MAX_KEY: usize = 255;
/// The largest size of the data of a key in bytes, 16 MiB. All data of a world is read when it is
/// opened.
pub const MAX_DATA: usize = 1 << 24;

/// What data begins with that [`to_data`] makes: a byte that no text has, and the version of the
/// encoding.
const START: [u8; 2] = [0xff, 1];

/// A value as data. Any value of serde comes back from [`from_data`] as it was: floats to the bit,
/// options in options, maps with keys of any type, and types with the attributes `tag`, `untagged`
/// or `flatten`. Data stays readable when fields with a default are added, and when fields or
/// variants get another order.
///
/// The value is read back and compared, so this takes as long as loading it, too. Two values that
/// a type writes alike cannot be told apart, such as `None` of a flattened struct beside a
/// flattened map with its fields, nor can lists whose type reads them in another order, as sets do.
///
/// # Errors
/// A value that would not come back: it is nested more than 128 times, its `Serialize` fails, or
/// its `Deserialize` refuses what `Serialize` wrote or makes another value of it, such as of a
/// field with `skip_serializing_if` and without `default`. The path names the part, such as
/// `data.items[3].damage`.
pub fn to_data<T: Serialize + DeserializeOwned>(value: &T) -> Result<Vec<u8>, DataError> {
    let bytes = to_bytes(value).map_err(|e| at_part(&e))?;
    Ok([&START[..], &bytes].concat())
}

/// The value that [`to_data`] wrote. Earlier versions wrote RON, which is read, too.
///
/// # Errors
/// Bytes that are neither, that a later version wrote, or that are another type's. The path names
/// the part that is wrong.
pub fn from_data<T: DeserializeOwned>(data: &[u8]) -> Result<T, DataError> {
    match data {
        [start, version, bytes @ ..] if [*start, *version] == START => {
            reader::read(bytes).map_err(|e| at_part(&e))
        }
        [start, version, ..] if *start == START[0] => {
            let [_, known] = START;
            let problem = format!("has encoding {version}, but this version reads {known}");
            Err(error("data", &problem))
        }
        _ => ron::de::from_bytes(data).map_err(|e| error("data", &e)),
    }
}

fn at_part(e: &ValueError) -> DataError {
    error(&format!("data{}", e.path()), &e.problem)
}

/// Checks the limits of a key and its data.
pub(crate) fn check(key: &str, bytes: Option<&[u8]>) -> Result<(), DataError> {
    if !(1..=MAX_KEY).contains(&key.len()) {
        let start: String = key.chars().take(20).collect();
        let length = key.len();
        let problem =
            format!("the key \"{start}\" has {length} bytes, but must have 1 to {MAX_KEY}");
        return Err(error("data", &problem));
    }
    let size = bytes.map_or(0, <[u8]>::len);
    if size > MAX_DATA {
        let problem = format!("has {size} bytes, but may have at most {MAX_DATA}");
        return Err(error(&format!("data.{key}"), &problem));
    }
    Ok(())
}

fn error(path: &str, problem: &impl ToString) -> DataError {
    DataError { path: path.into(), problem: problem.to_string() }
}

/// How deep values may be nested. It bounds the stack that reading takes.
const MAX_DEPTH: usize = 128;

/// Why a value was not written or read, and where in it.
#[derive(Debug)]
struct ValueError {
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
    fn path(&self) -> String {
        self.steps.iter().rev().map(String::as_str).collect()
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
fn to_bytes<T: Serialize + DeserializeOwned>(value: &T) -> Result<Vec<u8>, ValueError> {
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
