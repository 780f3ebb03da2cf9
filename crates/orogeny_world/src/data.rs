//! The game's own data: bytes under keys.

use orogeny::DataError;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::error::Problem;

/// The largest length of a key in bytes.
pub const MAX_KEY: usize = 255;
/// The largest size of the data of a key in bytes, 16 MiB. All data of a world is read when it is
/// opened.
pub const MAX_DATA: usize = 1 << 24;

/// A value as data, in RON: text that stays readable when fields with a default are added.
///
/// # Errors
/// A value that RON cannot express.
pub fn to_data<T: Serialize + ?Sized>(value: &T) -> Result<Vec<u8>, DataError> {
    let text = ron::to_string(value).map_err(|e| error("data", &e))?;
    Ok(text.into_bytes())
}

/// The value that [`to_data`] wrote.
///
/// # Errors
/// Bytes that are not RON, or are another type's.
pub fn from_data<T: DeserializeOwned>(data: &[u8]) -> Result<T, DataError> {
    ron::de::from_bytes(data).map_err(|e| error("data", &e))
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

/// The value of a record: a checksum of the key and the data, and the data.
pub(crate) fn seal(key: &str, bytes: &[u8]) -> Vec<u8> {
    [&checksum(key, bytes)[..], bytes].concat()
}

/// The data of a record.
pub(crate) fn open(key: &str, record: &[u8]) -> Result<Vec<u8>, Problem> {
    let whole = record.split_at_checked(4).filter(|(sum, bytes)| *sum == checksum(key, bytes));
    let (_, bytes) = whole
        .ok_or_else(|| Problem::damage(format!("the data of \"{key}\" has a wrong checksum")))?;
    Ok(bytes.into())
}

fn checksum(key: &str, bytes: &[u8]) -> [u8; 4] {
    let mut sum = crc32fast::Hasher::new();
    sum.update(&(key.len() as u64).to_le_bytes());
    sum.update(key.as_bytes());
    sum.update(bytes);
    sum.finalize().to_le_bytes()
}

fn error(path: &str, problem: &impl ToString) -> DataError {
    DataError { path: path.into(), problem: problem.to_string() }
}
