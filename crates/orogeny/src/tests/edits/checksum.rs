//! Checksums depend on the set of changes and on nothing else.

use super::{Waves, random};
use crate::edits::{Change, EditId, EditLog, EditedField, Raise, State, ground_checksum};
use crate::tests::edits::log::{history, shuffled};
use crate::tests::random::Random;

fn log_of(changes: impl IntoIterator<Item = Change>) -> EditLog {
    let mut log = EditLog::new();
    for change in changes {
        log.apply(change).unwrap();
    }
    log
}

#[test]
fn any_order_of_arrival_gives_the_same_checksum() {
    for seed in 0..20 {
        let mut r = Random::new(seed);
        let (log, changes) = history(&mut r, 60);
        let mut arriving = changes.clone();
        arriving.extend((0..30).map(|_| changes[r.below(changes.len())].clone()));
        assert_eq!(log_of(shuffled(&mut r, arriving)).checksum(), log.checksum(), "seed {seed}");
        // The kept sum is the sum over the records.
        assert_eq!(log_of(log.changes()).checksum(), log.checksum(), "seed {seed}");
        let loaded = EditLog::from_changes(changes.clone()).unwrap();
        assert_eq!(loaded.checksum(), log.checksum(), "seed {seed}");
        // Each record counts.
        for left_out in 0..log.changes().count() {
            let others = log.changes().enumerate().filter(|(i, _)| *i != left_out);
            let others = log_of(others.map(|(_, change)| change));
            assert_ne!(others.checksum(), log.checksum(), "seed {seed}, without {left_out}");
        }
    }
}

#[test]
fn every_field_counts() {
    let mut r = Random::new(5);
    let edit = random::edit(&mut r, [0.0; 2], true);
    let id = EditId { time: 7, author: 3 };
    let raise = |height| State::Shown(Raise { height, ..Raise::default() }.into());
    let change = Change { id, time: id, state: State::Shown(edit.clone()) };
    let later = EditId { time: 8, ..id };
    let other = EditId { author: 4, ..id };
    let changes = [
        Change { id: later, ..change.clone() },
        Change { id: other, ..change.clone() },
        Change { time: later, ..change.clone() },
        Change { time: other, ..change.clone() },
        Change { state: State::Hidden(edit), ..change.clone() },
        Change { state: State::Removed, ..change.clone() },
        Change { state: raise(1.0), ..change.clone() },
        // The next number.
        Change { state: raise(f32::from_bits(1.0f32.to_bits() + 1)), ..change.clone() },
        Change { state: raise(0.0), ..change.clone() },
        change.clone(),
    ];
    // All but the sign of zero.
    let [zero, negative] =
        [0.0, -0.0].map(|height| log_of([Change { state: raise(height), ..change.clone() }]));
    assert_eq!(zero.checksum(), negative.checksum());
    let mut sums: Vec<u64> =
        changes.into_iter().map(|change| log_of([change]).checksum()).collect();
    sums.push(EditLog::new().checksum());
    let count = sums.len();
    sums.sort_unstable();
    sums.dedup();
    assert_eq!(sums.len(), count);
}

#[test]
fn undo_returns_the_ground_but_not_the_log() {
    let sum =
        |log: &EditLog| ground_checksum(&EditedField::new(Waves, log.edits()), [3.0, -5.0], 2.0);
    let mut log = EditLog::new();
    let (empty, flat) = (log.checksum(), sum(&log));
    let raised = log.add(1, Raise::default()).unwrap();
    let (after, high) = (log.checksum(), sum(&log));
    assert_ne!((after, high), (empty, flat));
    assert_ne!(high, flat);
    log.undo(1, &raised).unwrap();
    assert_eq!(sum(&log), flat);
    assert!(log.checksum() != empty && log.checksum() != after);
}
