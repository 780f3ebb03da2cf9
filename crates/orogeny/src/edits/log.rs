//! The log of edits: a set that any number of machines can share. Its records are the last change
//! of each edit, and what is summed over all of them.

use alloc::collections::BTreeMap;
use alloc::collections::btree_map::Entry;
use alloc::format;
use alloc::vec::Vec;
use core::ops::Bound;

use crate::edits::block::IndexedEdit;
use crate::edits::change::{Applied, Change, EditId, MAX_LEAD, MAX_TIME, State};
#[cfg(feature = "checksum")]
use crate::edits::checksum::of_record;
use crate::edits::edit::Edit;
use crate::edits::index::Edits;
use crate::error::DataError;
use crate::region::Region;

/// The largest time in a log that is read as a whole, 2^61: there is room for more changes.
const MAX_READ: u64 = MAX_TIME / 2;

/// A set of edits with their ids. A clone is a copy of the whole log; for tasks take
/// [`edits`](Self::edits) instead.
///
/// The log keeps an index of the shown edits up to date. A change copies and sums the nodes of the
/// index from its root to the cells of the edit, and of the edits in a cell about 32. So its cost
/// hardly depends on how many edits there are.
#[derive(Clone, Debug, Default)]
#[cfg_attr(
    any(feature = "ron", feature = "json"),
    derive(serde::Serialize, serde::Deserialize),
    serde(try_from = "alloc::vec::Vec<Change>", into = "alloc::vec::Vec<Change>")
)]
pub struct EditLog {
    pub(super) records: Records,
    /// The index of the shown ones.
    pub(super) edits: Edits,
    /// The largest time of all changes.
    time: u64,
    /// All changes up to this time have arrived.
    pub(super) complete: u64,
}

impl EditLog {
    /// An empty log.
    pub fn new() -> Self {
        Self::default()
    }

    /// A snapshot of all shown edits. It copies nothing.
    pub fn edits(&self) -> Edits {
        self.edits.clone()
    }

    /// A snapshot of all shown edits but one: the ground as it is without that one, such as to
    /// place it anew.
    pub fn edits_without(&self, id: EditId) -> Edits {
        let mut edits = self.edits();
        if let Some(region) = self.region(id) {
            edits.remove(id, &region);
        }
        edits
    }

    /// The state of an edit.
    pub fn get(&self, id: EditId) -> Option<&State> {
        self.records.get(id).map(|record| &record.state)
    }

    /// The last change of an edit.
    pub fn last_change(&self, id: EditId) -> Option<Change> {
        Some(self.records.get(id)?.change(id))
    }

    /// The ids of all edits that are shown or hidden, in their order.
    pub fn ids(&self) -> impl Iterator<Item = EditId> {
        let left = self.records.iter().filter(|(_, record)| record.state.edit().is_some());
        left.map(|(id, _)| id)
    }

    /// The ground that an edit changes; `None` if it is not shown.
    pub fn region(&self, id: EditId) -> Option<Region> {
        self.records.get(id)?.region
    }

    /// The number of edits that are shown or hidden.
    pub fn len(&self) -> usize {
        self.records.count
    }

    /// Whether no edit is shown or hidden.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The log of some changes, such as all of another one, as if they were applied one by one, but
    /// sooner. They may be as far ahead of each other as they like.
    ///
    /// # Errors
    /// An edit that fails its [`check`](Edit::check), and a time beyond half of [`MAX_TIME`], with
    /// the index of the change.
    pub fn from_changes(changes: impl IntoIterator<Item = Change>) -> Result<Self, DataError> {
        let (mut latest, mut records) = (0, BTreeMap::new());
        for (i, change) in changes.into_iter().enumerate() {
            let checked = change.check_up_to(MAX_READ);
            checked.map_err(|e| e.under(&format!("changes[{i}]")))?;
            latest = latest.max(change.latest());
            let Change { id, time, state } = change.canonical();
            let record = Record { time, state, region: None };
            match records.entry(id) {
                Entry::Vacant(slot) => {
                    slot.insert(record);
                }
                Entry::Occupied(mut slot) if slot.get().is_before(&record) => {
                    slot.insert(record);
                }
                Entry::Occupied(_) => {}
            }
        }
        let shown = records.iter_mut().filter_map(|(&id, record)| {
            let indexed = record.indexed(id)?;
            record.region = Some(indexed.region);
            Some(indexed)
        });
        let edits = Edits::of(shown.collect());
        Ok(Self { records: Records::new(records), edits, time: latest, complete: 0 })
    }

    /// The last change of every edit, in the order of their ids: applied to another log, they add
    /// all that this one has.
    pub fn changes(&self) -> impl Iterator<Item = Change> {
        self.changes_after(None)
    }

    /// The [`changes`](Self::changes) of all edits with an id after this one, to send or show a log
    /// in parts.
    pub fn changes_after(&self, id: Option<EditId>) -> impl Iterator<Item = Change> {
        self.records.after(id).map(|(id, record)| record.change(id))
    }

    /// The largest time of all changes, 0 for an empty log.
    pub fn time(&self) -> u64 {
        self.time
    }

    /// Adds an edit after all others.
    ///
    /// # Errors
    /// As [`apply`](Self::apply).
    pub fn add(&mut self, author: u64, edit: impl Into<Edit>) -> Result<Applied, DataError> {
        let id = self.now(author);
        self.apply(Change { id, time: id, state: State::Shown(edit.into()) })
    }

    /// Changes the state of an edit: moves, hides, shows or removes it. It keeps its place in the
    /// order.
    ///
    /// # Errors
    /// As [`apply`](Self::apply).
    pub fn set(&mut self, author: u64, id: EditId, state: State) -> Result<Applied, DataError> {
        self.apply(Change { id, time: self.now(author), state })
    }

    /// Returns an edit to its state before a change. That is a change as well, so it can be undone.
    ///
    /// # Errors
    /// As [`apply`](Self::apply).
    pub fn undo(&mut self, author: u64, applied: &Applied) -> Result<Applied, DataError> {
        let state = applied.previous.clone().unwrap_or(State::Removed);
        self.set(author, applied.change.id, state)
    }

    /// Whether [`apply`](Self::apply) takes a change.
    ///
    /// # Errors
    /// An edit that fails its [`check`](Edit::check), and a time that is more than [`MAX_LEAD`]
    /// ahead of that of the log, or beyond [`MAX_TIME`]: it would leave no times for later changes.
    pub fn check(&self, change: &Change) -> Result<(), DataError> {
        change.check_up_to(self.time.saturating_add(MAX_LEAD).min(MAX_TIME))
    }

    /// Applies a change, from this machine or another one. If the log has a later change of the
    /// same edit, nothing happens.
    ///
    /// # Errors
    /// As [`check`](Self::check). The log is then unchanged.
    pub fn apply(&mut self, change: Change) -> Result<Applied, DataError> {
        self.check(&change)?;
        let change = change.canonical();
        self.time = self.time.max(change.latest());
        let id = change.id;
        let mut record = Record { time: change.time, state: change.state.clone(), region: None };
        let old = self.records.get(id);
        let is_late = change.time.time <= self.complete;
        if is_late || old.is_some_and(|old| !old.is_before(&record)) {
            // A late edit that is not in the log was removed, and compaction has forgotten it.
            let previous = Some(old.map_or(State::Removed, |old| old.state.clone()));
            return Ok(Applied { change, is_new: false, previous, regions: [None; 2] });
        }
        let before = old.and_then(|old| old.region);
        if let Some(region) = &before {
            self.edits.remove(id, region);
        }
        if let Some(indexed) = record.indexed(id) {
            self.edits.insert(&indexed);
            record.region = Some(indexed.region);
        }
        let after = record.region;
        let previous = self.records.insert(id, record).map(|old| old.state);
        Ok(Applied { change, is_new: true, previous, regions: [before, after] })
    }

    /// A time after all changes so far.
    fn now(&self, author: u64) -> EditId {
        EditId { time: self.time + 1, author }
    }
}

/// Without the feature there are no checksums.
#[cfg(not(feature = "checksum"))]
fn of_record(_: EditId, _: &Record) -> u64 {
    0
}

/// The last change of an edit, without its id.
#[derive(Clone, Debug)]
pub(super) struct Record {
    pub time: EditId,
    pub state: State,
    /// Where it is in the index, if it is shown.
    pub region: Option<Region>,
}

impl Record {
    pub fn change(&self, id: EditId) -> Change {
        Change { id, time: self.time, state: self.state.clone() }
    }

    /// The edit as it is kept in the index, if it is shown.
    pub fn indexed(&self, id: EditId) -> Option<IndexedEdit> {
        match &self.state {
            State::Shown(edit) => Some(IndexedEdit::new(id, edit.prepared())),
            State::Hidden(_) | State::Removed => None,
        }
    }

    /// Whether another state of the same edit counts instead of this one. A faulty author may use a
    /// time twice. Then the greater state counts, so that all machines agree.
    pub fn is_before(&self, other: &Self) -> bool {
        (self.time, &self.state) < (other.time, &other.state)
    }
}

/// The records of all edits in the order of their ids. Their number and their checksum follow each
/// change of a record, so neither takes time to read.
#[derive(Clone, Debug, Default)]
pub(super) struct Records {
    all: BTreeMap<EditId, Record>,
    /// The number of edits that are not removed.
    pub count: usize,
    /// The sum of the checksums of all records: it depends on no order, and a record can be taken
    /// out of it.
    pub checksum: u64,
}

impl Records {
    /// Those of all edits.
    pub fn new(all: BTreeMap<EditId, Record>) -> Self {
        let mut records = Self::default();
        all.iter().for_each(|(&id, record)| records.count_in(id, record));
        Self { all, ..records }
    }

    pub fn get(&self, id: EditId) -> Option<&Record> {
        self.all.get(&id)
    }

    /// Those of all edits with an id after this one.
    pub fn after(&self, id: Option<EditId>) -> impl Iterator<Item = (EditId, &Record)> {
        let start = id.map_or(Bound::Unbounded, Bound::Excluded);
        self.all.range((start, Bound::Unbounded)).map(|(&id, record)| (id, record))
    }

    pub fn iter(&self) -> impl Iterator<Item = (EditId, &Record)> {
        self.after(None)
    }

    /// Puts in the record of an edit. Returns the one before.
    pub fn insert(&mut self, id: EditId, record: Record) -> Option<Record> {
        self.count_in(id, &record);
        let old = self.all.insert(id, record);
        old.iter().for_each(|old| self.count_out(id, old));
        old
    }

    pub fn remove(&mut self, id: EditId) -> Option<Record> {
        let record = self.all.remove(&id)?;
        self.count_out(id, &record);
        Some(record)
    }

    /// Removes those that are gone. Returns how many.
    pub fn remove_all(&mut self, is_gone: impl Fn(EditId, &Record) -> bool) -> usize {
        let gone = self.all.extract_if(.., |&id, record| is_gone(id, record));
        let gone: Vec<_> = gone.collect();
        gone.iter().for_each(|(id, record)| self.count_out(*id, record));
        gone.len()
    }

    fn count_in(&mut self, id: EditId, record: &Record) {
        self.count += usize::from(record.state.edit().is_some());
        self.checksum = self.checksum.wrapping_add(of_record(id, record));
    }

    fn count_out(&mut self, id: EditId, record: &Record) {
        self.count -= usize::from(record.state.edit().is_some());
        self.checksum = self.checksum.wrapping_sub(of_record(id, record));
    }
}
