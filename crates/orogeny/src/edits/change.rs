//! Changes of a log of edits, with ids and times that order them on all machines alike.

use alloc::format;

use crate::edits::edit::Edit;
use crate::error::DataError;
use crate::region::Region;

/// The id of an edit, and the time of a change: a Lamport clock, and the author who tells equal
/// times apart. (Leslie Lamport, "Time, clocks, and the ordering of events in a distributed
/// system", 1978.)
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct EditId {
    /// Larger than all times that the author knew.
    pub time: u64,
    /// Must be different for every author.
    pub author: u64,
}

/// The largest time of a change, 2^62.
pub const MAX_TIME: u64 = 1 << 62;

/// The most by which a change that is applied may be ahead of the log's
/// [`time`](crate::edits::EditLog::time), 2^32. Times grow by one for each change, so an honest
/// author is ahead by the changes that have not arrived yet.
pub const MAX_LEAD: u64 = 1 << 32;

/// The state of an edit.
#[derive(Clone, Debug, PartialEq, PartialOrd)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum State {
    /// It changes the ground.
    Shown(Edit),
    /// It does not, but can be shown again.
    Hidden(Edit),
    /// It is gone. Its id stays, so that copies of it which arrive later do not bring it back.
    Removed,
}

impl State {
    /// The edit, if it is not removed.
    pub fn edit(&self) -> Option<&Edit> {
        match self {
            Self::Shown(edit) | Self::Hidden(edit) => Some(edit),
            Self::Removed => None,
        }
    }
}

/// A change of the log: what is sent over a network, and written to a file.
///
/// For each edit the last change counts, by its time. So changes can arrive in any order and more
/// than once.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Change {
    /// The edit. It takes its place among the others by this id, whenever it is changed.
    pub id: EditId,
    /// When the change was made.
    pub time: EditId,
    /// The new state.
    pub state: State,
}

impl Change {
    /// Checks the edit, and that its times are at most [`MAX_TIME`].
    /// [`EditLog::check`](crate::edits::EditLog::check) knows the time of the log, too.
    ///
    /// # Errors
    /// An edit that fails its [`check`](Edit::check), and a later time.
    pub fn check(&self) -> Result<(), DataError> {
        self.check_up_to(MAX_TIME)
    }

    /// The same change without negative zeros: changes that are equal have the same bytes.
    pub(super) fn canonical(mut self) -> Self {
        if let State::Shown(edit) | State::Hidden(edit) = &mut self.state {
            edit.clear_signs_of_zeros();
        }
        self
    }

    /// The later one of its times.
    pub(super) fn latest(&self) -> u64 {
        self.time.time.max(self.id.time)
    }

    /// Checks the edit, and that its times are at most `latest`.
    pub(super) fn check_up_to(&self, latest: u64) -> Result<(), DataError> {
        for (path, time) in [("id.time", self.id.time), ("time.time", self.time.time)] {
            if time > latest {
                let problem = format!("is {time}, but must be at most {latest}");
                return Err(DataError::at(path, problem));
            }
        }
        self.state.edit().map_or(Ok(()), |edit| edit.check().map_err(|e| e.under("edit")))
    }
}

/// What a change did.
#[derive(Clone, Debug, PartialEq)]
pub struct Applied {
    /// The change.
    pub change: Change,
    /// Whether it changed the log: not if the log has the same or a later change of the edit.
    pub is_new: bool,
    /// The state before it; `None` if the edit is new. It is also the state after it, if the log
    /// was not changed.
    pub previous: Option<State>,
    /// The ground that changed: where the edit was, and where it is.
    pub regions: [Option<Region>; 2],
}
