//! The ground depends on the set of edits and their ids alone; what a log takes from others, and
//! what it forgets.

use crate::edits::{
    Area, Change, Crater, Disc, Edit, EditId, EditLog, EditedField, Flatten, MAX_LEAD, MAX_TIME,
    Path, Plant, Raise, Raster, Rectangle, Roughen, Stamp, State,
};
use crate::region::Region;
use crate::tests::edits::{edited, random, shown, strokes};
use crate::tests::random::Random;
use crate::{DataError, Field, Node};

pub fn shuffled<T>(r: &mut Random, mut list: Vec<T>) -> Vec<T> {
    for i in (1..list.len()).rev() {
        list.swap(i, r.below(i + 1));
    }
    list
}

/// The bits of the ground at places of all edits.
pub fn ground(log: &EditLog) -> Vec<u32> {
    let base = Node::<2>::noise(7).fbm(4.0).frequency(0.01).amplitude(20.0).build().unwrap();
    let field = EditedField::new(base, log.edits());
    let mut r = Random::new(99);
    (0..500)
        .map(|_| field.value([r.within(-120.0, 120.0), r.within(-120.0, 120.0)]).to_bits())
        .collect()
}

/// A history of adding, moving, hiding, showing and removing.
pub fn history(r: &mut Random, count: usize) -> (EditLog, Vec<Change>) {
    let (mut log, mut changes) = (EditLog::new(), Vec::new());
    let mut ids: Vec<EditId> = Vec::new();
    for _ in 0..count {
        let author = r.below(3) as u64;
        let applied = if ids.is_empty() || r.below(2) == 0 {
            log.add(author, random::edit(r, [0.0; 2], true)).unwrap()
        } else {
            let id = ids[r.below(ids.len())];
            let state = match (r.below(3), log.get(id).and_then(State::edit).cloned()) {
                (0, Some(edit)) => State::Hidden(edit),
                (1, Some(edit)) => State::Shown(edit),
                (2, _) => State::Removed,
                _ => State::Shown(random::edit(r, [0.0; 2], true)),
            };
            log.set(author, id, state).unwrap()
        };
        ids.push(applied.change.id);
        changes.push(applied.change);
    }
    (log, changes)
}

#[test]
fn any_order_of_arrival_gives_the_same_ground() {
    for seed in 0..20 {
        let mut r = Random::new(seed);
        let (log, changes) = history(&mut r, 120);
        let expected = ground(&log);
        for _ in 0..3 {
            // Some arrive twice.
            let mut arriving = changes.clone();
            arriving.extend((0..40).map(|_| changes[r.below(changes.len())].clone()));
            let arriving = shuffled(&mut r, arriving);
            let mut other = EditLog::new();
            for change in arriving.clone() {
                other.apply(change).unwrap();
            }
            // One by one, and all at once.
            for other in [other, EditLog::from_changes(arriving).unwrap()] {
                assert_eq!(ground(&other), expected, "seed {seed}");
                assert!(other.changes().eq(log.changes()), "seed {seed}");
                let left = log.changes().filter(|change| change.state != State::Removed).count();
                assert_eq!([other.len(), log.len(), log.ids().count()], [left; 3]);
                for change in log.changes() {
                    let region = match &change.state {
                        State::Shown(edit) => Some(edit.region().unwrap()),
                        State::Hidden(_) | State::Removed => None,
                    };
                    assert_eq!([&log, &other].map(|log| log.region(change.id)), [region; 2]);
                }
                let bounds = |log: &EditLog| {
                    EditedField::new(crate::tests::edits::Waves, log.edits()).bounds()
                };
                assert_eq!(bounds(&other), bounds(&log));
            }
        }
        // A late joiner gets the last changes only, in parts.
        let mut late = EditLog::new();
        let mut last = None;
        while late.changes().count() < log.changes().count() {
            for change in log.changes_after(last).take(7) {
                last = Some(change.id);
                assert!(late.apply(change).unwrap().is_new);
            }
        }
        assert_eq!(ground(&late), expected, "seed {seed}");
    }
}

#[test]
fn undoing_in_any_order_returns_the_ground() {
    for seed in 0..10 {
        let mut r = Random::new(seed);
        let (mut log, _) = history(&mut r, 60);
        let before = ground(&log);
        let added = (0..40).map(|_| log.add(9, random::edit(&mut r, [0.0; 2], true)).unwrap());
        let added: Vec<_> = added.collect();
        let between = ground(&log);
        assert_ne!(between, before);
        let undone: Vec<_> =
            shuffled(&mut r, added).iter().map(|applied| log.undo(4, applied).unwrap()).collect();
        assert_eq!(ground(&log), before, "seed {seed}");
        // Undone again.
        for applied in shuffled(&mut r, undone) {
            log.undo(5, &applied).unwrap();
        }
        assert_eq!(ground(&log), between, "seed {seed}");
    }
}

#[test]
fn undoing_a_change_that_did_nothing_does_nothing() {
    let mut r = Random::new(6);
    let (mut log, changes) = history(&mut r, 60);
    let before = ground(&log);
    for change in changes {
        let applied = log.apply(change).unwrap();
        assert_eq!((applied.is_new, applied.regions), (false, [None; 2]));
        log.undo(3, &applied).unwrap();
    }
    assert_eq!(ground(&log), before);
}

#[test]
fn a_snapshot_stays_as_it_was() {
    let mut r = Random::new(3);
    let (mut log, _) = history(&mut r, 100);
    let field = EditedField::new(crate::tests::edits::Waves, log.edits());
    let values = |field: &dyn Field<2>| -> Vec<u32> {
        (0..200).map(|i| field.value([f64::from(i) - 100.0, 3.0]).to_bits()).collect()
    };
    let before = values(&field);
    for _ in 0..100 {
        log.add(1, random::edit(&mut r, [0.0; 2], false)).unwrap();
    }
    assert_eq!(values(&field), before);
    assert_ne!(values(&EditedField::new(crate::tests::edits::Waves, log.edits())), before);
}

/// The index against a look at every edit.
#[test]
fn the_index_finds_what_touches_a_place() {
    let mut r = Random::new(8);
    let mut log = EditLog::new();
    let mut all = Vec::new();
    for i in 0..2000 {
        let near = [r.within(-1.0, 1.0), r.within(-1.0, 1.0)].map(|x| x * 10f64.powi(i % 13));
        let edit = random::edit(&mut r, near, false);
        let applied = log.add(0, edit.clone()).unwrap();
        all.push((applied.change.id, edit.region().unwrap()));
    }
    for (id, _) in all.extract_if(.., |(id, _)| id.time % 3 == 0) {
        log.set(0, id, State::Removed).unwrap();
    }
    let edits = log.edits();
    for i in 0..2000 {
        let center = [r.within(-1.0, 1.0), r.within(-1.0, 1.0)].map(|x| x * 10f64.powi(i % 13));
        let region = Region::around(center, [r.magnitude(0.1, 1e6), r.magnitude(0.1, 1e6)]);
        let steps = edits.within(&region);
        let found = steps.iter().flat_map(|step| step.edits()).map(|placed| placed.id);
        let found: Vec<_> = found.collect();
        let expected: Vec<_> =
            all.iter().filter(|(_, own)| own.meets(&region)).map(|(id, _)| *id).collect();
        assert_eq!(found, expected, "{region:?}");
        assert_eq!(edits.touch(&region), !expected.is_empty());
    }
    let ids: Vec<_> = all.iter().map(|(id, _)| *id).collect();
    for id in ids {
        log.set(0, id, State::Removed).unwrap();
    }
    assert!(log.edits().is_empty() && log.is_empty());
}

#[test]
fn differences_are_the_regions_of_changed_edits() {
    for seed in 0..20 {
        let mut r = Random::new(seed);
        let (mut log, _) = history(&mut r, 80);
        let before = log.edits();
        assert!(before.is_same(&log.edits()) && before.all_differences(&log.edits()).is_empty());
        let mut changed = Vec::new();
        for i in 0..5 {
            // Far ones raise the root.
            let near = if i == 4 { [1e9, -1e5] } else { [0.0; 2] };
            let applied = log.add(1, random::edit(&mut r, near, true)).unwrap();
            changed.extend(applied.regions.into_iter().flatten());
            if i == 2 {
                let undone = log.undo(1, &applied).unwrap();
                assert_eq!(undone.regions[0], changed.pop());
            }
        }
        let after = log.edits();
        assert!(!before.is_same(&after));
        for found in [after.all_differences(&before), before.all_differences(&after)] {
            assert!(changed.iter().all(|region| found.contains(region)), "seed {seed}");
            assert!(found.iter().all(|region| changed.contains(region)), "seed {seed}");
        }
        let all = after.all_differences(&EditLog::new().edits());
        assert_eq!(all.len(), shown(&log).len());
    }
}

#[test]
fn errors_name_the_field_and_leave_the_log_as_it_was() {
    let mut log = EditLog::new();
    let raise = |area: Disc, height| Edit::from(Raise { area: Area::Disc(area), height });
    let disc = Disc::default();
    for (edit, path) in [
        (raise(disc, f32::NAN), "edit.Raise.height"),
        (raise(disc, 1e30), "edit.Raise.height"),
        (raise(Disc { radius: -1.0, ..disc }, 1.0), "edit.Raise.area.Disc.radius"),
        (raise(Disc { falloff: 0.0, ..disc }, 1.0), "edit.Raise.area.Disc.falloff"),
        (raise(Disc { center: [0.0, 2e15], ..disc }, 1.0), "edit.Raise.area.Disc.center[1]"),
    ] {
        let error: DataError = log.add(0, edit).unwrap_err();
        assert_eq!(error.path, path, "{error}");
    }
    let id = EditId { time: u64::MAX, author: 0 };
    let error = log.apply(Change { id, time: id, state: State::Removed }).unwrap_err();
    assert_eq!(error.path, "id.time");
    assert!(log.is_empty() && log.changes().count() == 0);
}

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
        strokes::add(&mut r, &mut full, [0.0; 2], 200);
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
        let ground = EditedField::new(Node::Constant(0.0).build().unwrap(), edited([edit]));
        for p in [[x, -x], [x + 19.0, -x], [x, -x - 19.0]] {
            assert!(ground.value(p).is_finite(), "{p:?}");
        }
    }
    assert!(refused > 50 && accepted > 5, "{refused} {accepted}");
}
