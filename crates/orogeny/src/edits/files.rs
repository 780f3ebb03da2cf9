//! Logs as RON and JSON text: for people, and for differences between versions.

use alloc::string::String;
use alloc::vec::Vec;

use crate::edits::change::Change;
use crate::edits::log::EditLog;
use crate::error::DataError;
use crate::text;

/// The name of a log in errors.
const ROOT: &str = "changes";

impl TryFrom<Vec<Change>> for EditLog {
    type Error = DataError;

    /// The log of these changes.
    fn try_from(changes: Vec<Change>) -> Result<Self, DataError> {
        Self::from_changes(changes)
    }
}

impl From<EditLog> for Vec<Change> {
    /// All [`changes`](EditLog::changes).
    fn from(log: EditLog) -> Self {
        log.changes().collect()
    }
}

#[cfg(feature = "ron")]
impl EditLog {
    /// Reads a log from RON text: a list of [`Change`]s.
    ///
    /// # Errors
    /// A syntax error with its line and column; an unknown or missing field or a wrong type with
    /// its path; and all errors of [`apply`](Self::apply), with the index of the change.
    pub fn from_ron(text: &str) -> Result<Self, DataError> {
        text::from_ron::<Vec<Change>>(text, ROOT)?.try_into()
    }

    /// Writes the log as RON text that [`from_ron`](Self::from_ron) reads back unchanged.
    ///
    /// # Errors
    /// None that is known.
    pub fn to_ron(&self) -> Result<String, DataError> {
        text::to_ron(&self.changes().collect::<Vec<_>>(), ROOT)
    }
}

#[cfg(feature = "json")]
impl EditLog {
    /// Reads a log from JSON text: a list of [`Change`]s.
    ///
    /// # Errors
    /// As [`from_ron`](Self::from_ron).
    pub fn from_json(text: &str) -> Result<Self, DataError> {
        text::from_json::<Vec<Change>>(text, ROOT)?.try_into()
    }

    /// Writes the log as JSON text that [`from_json`](Self::from_json) reads back unchanged.
    ///
    /// # Errors
    /// None that is known.
    pub fn to_json(&self) -> Result<String, DataError> {
        text::to_json(&self.changes().collect::<Vec<_>>(), ROOT)
    }
}
