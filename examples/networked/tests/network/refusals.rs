//! Which changes the server takes.

use bevy_orogeny::orogeny::edits::{Change, Crater, EditId, EditLog, State};

use crate::accept::check;

fn change(id: [u64; 2], time: [u64; 2], radius: f64) -> Change {
    let [id, time] = [id, time].map(|[time, author]| EditId { time, author });
    let state = State::Shown(Crater { radius, ..Crater::default() }.into());
    Change { id, time, state }
}

#[test]
fn honest_changes_are_taken_and_others_refused_with_the_reason() {
    let mut log = EditLog::new();
    let first = change([1, 7], [1, 7], 10.0);
    assert_eq!(check(&log, 7, &first), Ok(()));
    log.apply(first).unwrap();
    // Another player changes the same edit.
    assert_eq!(check(&log, 8, &change([1, 7], [2, 8], 20.0)), Ok(()));
    for (id, time, radius, expected) in [
        ([2, 7], [2, 9], 10.0, "author of the change"),
        ([2, 9], [2, 8], 10.0, "author of a new edit"),
        ([2, 8], [1 << 40, 8], 10.0, "time.time: is"),
        ([1 << 40, 8], [2, 8], 10.0, "id.time: is"),
        ([u64::MAX, 8], [u64::MAX, 8], 10.0, "id.time: is"),
        ([2, 8], [2, 8], f64::NAN, "radius"),
        ([2, 8], [2, 8], 1e300, "radius"),
    ] {
        let error = check(&log, 8, &change(id, time, radius)).unwrap_err();
        assert!(error.contains(expected), "{error}");
    }
}
