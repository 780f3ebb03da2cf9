//! The game's own data: bytes under keys.

use orogeny::DataError;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::error::Problem;
use crate::value::{self, ValueError};

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
    let bytes = value::to_bytes(value).map_err(|e| at_part(&e))?;
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
            value::from_bytes(bytes).map_err(|e| at_part(&e))
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
    error(&format!("data{}", e.path()), &e.problem())
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
