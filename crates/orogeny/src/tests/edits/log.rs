//! What a log takes from others, and what it forgets.

use super::order::{ground, history, shuffled};
use super::random;
use crate::edits::{
    Area, Change, Crater, Disc, Edit, EditId, EditLog, Flatten, MAX_LEAD, MAX_TIME, Path, Plant,
    Raise, Raster, Rectangle, Roughen, Stamp, State,
};
use crate::tests::random::Random;

fn change(time: u64, state: State) -> Change {
    let id = EditId { time, author: 9 };
    Change { id, time: id, state }
}

/// A regression test: one change at the end of all times once disabled the log, and each log that
/// received it.
#[test]
fn no_change_uses_up_the_times() {
    let mut log = EditLog::new();
    let crater = log.add(1, Crater::default()).unwrap();
    for time in [MAX_TIME, u64::MAX, MAX_LEAD + 2] {
        for change in [
            change(time, State::Removed),
            Change { id: crater.change.id, ..change(time, State::Removed) },
            Change { time: crater.change.id, ..change(time, State::Removed) },
        ] {
            let error = log.apply(change.clone()).unwrap_err().to_string();
            assert!(error.contains("time: is ") && error.contains("at most"), "{error}");
            assert_eq!(log.check(&change).unwrap_err().to_string(), error);
        }
        assert_eq!(log.time(), 1);
    }
    // An honest author may be far ahead, and a whole log may have any gaps, but not the end.
    assert!(log.apply(change(MAX_LEAD + 1, State::Removed)).unwrap().is_new);
    assert!(EditLog::from_changes([change(MAX_TIME, State::Removed)]).is_err());
    let mut late = EditLog::from_changes([change(MAX_TIME / 2, State::Removed)]).unwrap();
    for log in [&mut log, &mut late] {
        let undone = log.add(1, Crater::default()).unwrap();
        log.undo(1, &undone).unwrap();
    }
}

#[test]
fn compaction_forgets_removed_edits_and_nothing_else() {
    let mut all = 0;
    for seed in 0..10 {
        let mut r = Random::new(seed);
        let (full, changes) = history(&mut r, 150);
        let mut log = full.clone();
        let gone = log.compact(log.time());
        let removed =
            |log: &EditLog| log.changes().filter(|change| change.state == State::Removed).count();
        assert_eq!(removed(&log) + gone, removed(&full), "seed {seed}");
        assert!(removed(&log) <= 1, "seed {seed}: {}", removed(&log));
        all += gone;
        assert_eq!((log.len(), log.time()), (full.len(), full.time()));
        assert!(log.ids().eq(full.ids()) && ground(&log) == ground(&full));
        // Late copies of old changes bring nothing back.
        for change in shuffled(&mut r, changes) {
            assert!(!log.apply(change).unwrap().is_new);
        }
        assert!(log.ids().eq(full.ids()) && ground(&log) == ground(&full));
        // A log that is read again uses no time twice, and is compact.
        let mut again = EditLog::from_changes(log.changes()).unwrap();
        assert_eq!(again.time(), full.time());
        assert_eq!(again.compact(again.time()), 0);
        #[cfg(feature = "checksum")]
        assert_eq!(again.checksum(), log.checksum());
        // A removal can be undone.
        let forgotten = full.changes().find(|c| c.state == State::Removed).unwrap().id;
        let state = State::Shown(random::edit(&mut r, [0.0; 2], false));
        assert!(log.set(1, forgotten, state).unwrap().is_new && log.len() == full.len() + 1);
    }
    assert!(all > 40, "{all}");
    assert_eq!(EditLog::new().compact(MAX_TIME), 0);
}

#[test]
fn merged_strokes_leave_the_bits_of_the_ground() {
    for seed in 0..10 {
        let mut r = Random::new(seed);
        let mut full = EditLog::new();
        super::strokes::add(&mut r, &mut full, [0.0; 2], 200);
        let mut log = full.clone();
        let saved = log.merge_strokes();
        assert!(saved > 50 && log.len() + saved == full.len(), "seed {seed}: {saved}");
        assert_eq!(ground(&log), ground(&full), "seed {seed}");
        for change in full.changes() {
            assert!(!log.apply(change).unwrap().is_new);
        }
        let again = EditLog::from_changes(log.changes()).unwrap();
        assert_eq!((again.len(), ground(&again)), (log.len(), ground(&full)));
        #[cfg(feature = "checksum")]
        assert_eq!(again.checksum(), log.checksum());
    }
}

/// All edits with numbers that can be zero, each of them `zero`.
fn zeros(zero: f64) -> Vec<Edit> {
    let (center, small) = ([zero; 2], zero as f32);
    let disc = Area::Disc(Disc { center, radius: zero, falloff: 1.0 });
    let rectangle = Rectangle { center, length: zero, width: zero, angle: zero, falloff: 1.0 };
    let flat = Flatten { area: disc, height: small, slope_x: small, slope_z: small };
    let points = vec![[-20.0, zero, zero], [20.0, zero, zero]];
    let raster = Raster::new(4, vec![small; 16]).unwrap();
    vec![
        flat.into(),
        Raise { area: Area::Rectangle(rectangle), height: small }.into(),
        Roughen { area: disc, amplitude: small, ..Roughen::default() }.into(),
        Crater { center, depth: small, rim: small, ..Crater::default() }.into(),
        Path { points, depth: small, max_grade: small, ..Path::default() }.into(),
        Stamp { center, raster, angle: zero, height: small, level: small, ..Stamp::default() }
            .into(),
        Plant { center, turn: small, ..Plant::default() }.into(),
    ]
}

/// Equal edits that differ in the signs of zeros were once kept in the order of their arrival.
#[test]
fn the_signs_of_zeros_make_no_difference() {
    let written = |log: &EditLog| format!("{:?}", log.changes().collect::<Vec<_>>());
    for (positive, negative) in zeros(0.0).into_iter().zip(zeros(-0.0)) {
        assert!(format!("{negative:?}").contains("-0.0"));
        let [a, b] = [positive, negative].map(|edit| change(1, State::Shown(edit)));
        let mut logs = [EditLog::new(), EditLog::new()];
        for (log, order) in logs.iter_mut().zip([[&a, &b], [&b, &a]]) {
            order.into_iter().for_each(|change| drop(log.apply(change.clone()).unwrap()));
        }
        let read = EditLog::from_changes([b, a]).unwrap();
        assert!(!written(&logs[0]).contains("-0.0"), "{}", written(&logs[0]));
        assert_eq!(written(&logs[0]), written(&logs[1]));
        assert_eq!(written(&logs[0]), written(&read));
    }
}

/// Noise beyond the last cell of its lattice is NaN.
#[test]
fn roughness_has_a_value_wherever_it_is_accepted() {
    use crate::Node;
    use crate::edits::EditedField;
    let rough = |x: f64, wavelength: f64| {
        let area = Area::Disc(Disc { center: [x, -x], ..Disc::default() });
        Edit::from(Roughen { area, wavelength, octaves: 8.0, ..Roughen::default() })
    };
    let error = rough(9.9e14, 0.1).check().unwrap_err().to_string();
    assert!(error.starts_with("Roughen.wavelength: is 0.1 m, but must be at least 0.1"), "{error}");
    let (mut refused, mut accepted) = (0, 0);
    for i in 0..100 {
        let x = 8.9e14 + 1e12 * f64::from(i);
        let edit = rough(x, 0.1);
        if edit.check().is_err() {
            refused += 1;
            continue;
        }
        accepted += 1;
        let mut log = EditLog::new();
        log.add(1, edit).unwrap();
        let ground = EditedField::new(Node::Constant(0.0).build().unwrap(), log.edits());
        for p in [[x, -x], [x + 19.0, -x], [x, -x - 19.0]] {
            assert!(ground.value(p).is_finite(), "{p:?}");
        }
    }
    assert!(refused > 50 && accepted > 5, "{refused} {accepted}");
}
