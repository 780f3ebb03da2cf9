//! Compaction: forgets removed edits that no late change can bring back, and merges strokes.

use alloc::vec::Vec;

use crate::edits::area::Area;
use crate::edits::change::{EditId, State};
use crate::edits::edit::Edit;
use crate::edits::index::Edits;
use crate::edits::log::{EditLog, Record};
use crate::edits::operations::Raise;
use crate::edits::steps::{metres, units};
use crate::limits::Parameters;
use crate::region::Region;

/// The number of brushes whose strokes may alternate.
const BRUSHES: usize = 16;

/// Raises of one area that count as one wherever they are.
struct BrushStrokes {
    area: Area,
    region: Region,
    ids: Vec<EditId>,
    /// The sum of the heights, in units.
    sum: i128,
}

impl EditLog {
    /// Forgets the edits that were removed up to a time, all but the last change of the log.
    /// Returns how many. The ground stays as it is, and so do edits that are shown or hidden.
    ///
    /// A log keeps the id of a removed edit, so that copies of it which arrive late do not bring it
    /// back. This one keeps the time instead: it says that all changes up to `until` have arrived.
    /// From then on, earlier changes do nothing. Later ones count, so a removal can still be
    /// undone.
    ///
    /// The time for a log that nobody shares is that of the log, [`time`](Self::time). A server can
    /// use a time that all its clients have confirmed. The checksum of the log is that of
    /// what is left: machines that compare theirs must compact up to the same time. The time is not
    /// written to files; compact a log again after reading it.
    ///
    /// ```
    /// use orogeny::edits::{EditLog, Raise};
    ///
    /// let mut log = EditLog::new();
    /// for _ in 0..1000 {
    ///     let stroke = log.add(1, Raise::default())?;
    ///     log.undo(1, &stroke)?;
    /// }
    /// assert_eq!(log.compact(log.time()), 999);
    /// assert_eq!(log.changes().count(), 1);
    /// # Ok::<(), orogeny::DataError>(())
    /// ```
    pub fn compact(&mut self, until: u64) -> usize {
        let (complete, last) = (self.complete_up_to(until), self.time());
        self.records.remove_all(|id, record| {
            let Record { time: EditId { time, .. }, state, .. } = record;
            // The last change stays, or the log that is read from a file would use its time again.
            *state == State::Removed && *time <= complete && id.time.max(*time) < last
        })
    }

    /// Merges the strokes of brushes: raises of one area that follow each other, with no other edit
    /// of heights in between that meets them. They become one raise of the sum of their heights, or
    /// a few, if it has more digits than an `f32`, with the first ids. Returns how many edits that
    /// saves. The ground stays as it is, bit for bit.
    ///
    /// This is for a log that nobody shares, when it is opened: no other machine may have changes
    /// of its strokes to come, and an [`Applied`](crate::edits::Applied) change from before must
    /// not be undone or redone any more. A file gets the merged log as a whole, since the ids that
    /// are gone would stay in it otherwise.
    pub fn merge_strokes(&mut self) -> usize {
        self.complete_up_to(self.time());
        let (mut open, mut runs) = (Vec::new(), Vec::new());
        for (id, record) in self.records.iter() {
            let Some((region, edit)) = placed(record) else { continue };
            let raise = match &record.state {
                State::Shown(Edit::Raise(raise)) => Some(raise),
                _ => None,
            };
            let goes_on = |run: &BrushStrokes| raise.is_some_and(|raise| run.takes(raise));
            let mut own = open.extract_if(.., |run| goes_on(run)).next();
            runs.extend(open.extract_if(.., |run| run.region.meets(&region) && ends_strokes(edit)));
            if let Some(raise) = raise {
                let area = raise.area;
                let run = own.get_or_insert(BrushStrokes { area, region, ids: Vec::new(), sum: 0 });
                run.ids.push(id);
                run.sum += units(raise.height);
            }
            open.extend(own);
            if open.len() > BRUSHES {
                runs.push(open.remove(0));
            }
        }
        runs.append(&mut open);
        let saved = runs.iter().map(|run| self.merge(run)).sum();
        if saved > 0 {
            // At once: taking strokes out of the index one by one sums up the others each time.
            let shown = self.records.iter().filter_map(|(id, record)| record.indexed(id));
            self.edits = Edits::of(shown.collect());
        }
        saved
    }

    fn complete_up_to(&mut self, until: u64) -> u64 {
        self.complete = self.complete.max(until.min(self.time()));
        self.complete
    }

    /// Merges a run into its first edits, in the records alone.
    fn merge(&mut self, run: &BrushStrokes) -> usize {
        let parts = parts(run.sum);
        if parts.len() >= run.ids.len() {
            return 0;
        }
        for (i, &id) in run.ids.iter().enumerate() {
            let record = self.records.remove(id);
            if let (Some(record), Some(&height)) = (record, parts.get(i)) {
                let state = State::Shown(Raise { area: run.area, height }.into());
                self.records.insert(id, Record { state, ..record });
            }
        }
        run.ids.len() - parts.len()
    }
}

/// Heights that add up exactly to a sum: one or more, as an `f32` has few digits.
fn parts(mut sum: i128) -> Vec<f32> {
    let mut parts = Vec::new();
    while sum != 0 || parts.is_empty() {
        let height = metres(sum);
        parts.push(height);
        sum -= units(height);
    }
    parts
}

impl BrushStrokes {
    /// Whether a raise can become a part of it.
    fn takes(&self, raise: &Raise) -> bool {
        let height = metres(self.sum + units(raise.height));
        self.area == raise.area && Raise { height, ..*raise }.check_numbers().is_ok()
    }
}

/// The edit of a record, and where it is or would be if it were shown.
fn placed(record: &Record) -> Option<(Region, &Edit)> {
    let edit = record.state.edit()?;
    Some((record.region.or_else(|| edit.region().ok())?, edit))
}

/// Whether strokes before an edit and after it do not count as one where it is.
fn ends_strokes(edit: &Edit) -> bool {
    !matches!(
        edit,
        Edit::Paint(_) | Edit::Flood(_) | Edit::Clear(_) | Edit::Plant(_) | Edit::Hole(_)
    )
}
