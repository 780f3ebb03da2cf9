//! Changes as bytes: in a file, and in packets.
//!
//! The encoding is that of [postcard](https://docs.rs/postcard): fields in their order, numbers of
//! kinds by their position in the enum. So kinds may only be added at the end, and a changed field
//! needs a new [`FORMAT`].

use orogeny::DataError;
use orogeny::edits::{Change, EditId, MAX_TIME, State};

use crate::error::Problem;

/// The version of the encoding and of the tables.
pub(crate) const FORMAT: u8 = 1;

/// A change as bytes: some 50 for an edit of a disc, 24 for every point of a path.
pub fn to_bytes(change: &Change) -> Vec<u8> {
    postcard::to_allocvec(change).expect("numbers, lists and enums have an encoding")
}

/// The change that [`to_bytes`] wrote. `None` for other bytes. Numbers are not checked: a log does
/// that when it [applies](orogeny::edits::EditLog::apply) the change.
pub fn from_bytes(bytes: &[u8]) -> Option<Change> {
    let (change, rest) = postcard::take_from_bytes(bytes).ok()?;
    rest.is_empty().then_some(change)
}

/// The largest time in a file: a log that is read must have room for more changes.
const LATEST: u64 = MAX_TIME / 2;

/// Checks that a file with a change can be read.
pub(crate) fn check(change: &Change) -> Result<(), DataError> {
    for (path, time) in [("id.time", change.id.time), ("time.time", change.time.time)] {
        if time > LATEST {
            let problem = format!("is {time}, but must be at most {LATEST}");
            return Err(DataError { path: path.into(), problem });
        }
    }
    change.check()
}

/// The value of a record: a checksum, and the change without its id, which is the key.
pub(crate) fn seal(id: EditId, time: EditId, state: &State) -> Vec<u8> {
    let content = postcard::to_allocvec(&(time, state)).expect("as above");
    [&checksum(id, &content)[..], &content].concat()
}

/// The change of a record.
pub(crate) fn open(id: EditId, record: &[u8]) -> Result<Change, Problem> {
    let (sum, content) = record.split_at_checked(4).ok_or_else(|| wrong(id))?;
    if sum != checksum(id, content) {
        return Err(wrong(id));
    }
    let content = postcard::take_from_bytes(content).ok().filter(|(_, rest)| rest.is_empty());
    let ((time, state), _) = content.ok_or_else(|| {
        Problem::damage(format!("edit {} of author {} is of an unknown kind", id.time, id.author))
    })?;
    Ok(Change { id, time, state })
}

fn wrong(id: EditId) -> Problem {
    Problem::damage(format!("edit {} of author {} has a wrong checksum", id.time, id.author))
}

fn checksum(id: EditId, content: &[u8]) -> [u8; 4] {
    let mut sum = crc32fast::Hasher::new();
    sum.update(&id.time.to_le_bytes());
    sum.update(&id.author.to_le_bytes());
    sum.update(content);
    sum.finalize().to_le_bytes()
}
