//! The records of a log: the last change of each edit, and what is summed over all of them.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;
use core::ops::Bound;

use crate::edits::change::{Change, EditId, State};
#[cfg(feature = "checksum")]
use crate::edits::checksum::of_record;
use crate::edits::indexed_edit::IndexedEdit;
use crate::region::Region;

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
