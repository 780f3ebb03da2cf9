//! Logs in files: what is written is read back, and damage is an error that names its place.

use super::random;
use crate::DataError;
use crate::edits::EditLog;
use crate::tests::random::Random;

#[test]
fn logs_are_read_back_unchanged() {
    for seed in 0..20 {
        let mut r = Random::new(seed);
        let mut log = random::log(&mut r, [1e6, -2e3], 30, true);
        let last = log.add(7, random::edit(&mut r, [0.0; 2], true)).unwrap();
        log.undo(8, &last).unwrap();
        let [ron, json] = [log.to_ron().unwrap(), log.to_json().unwrap()];
        let serde = serde_json::to_string(&log).unwrap();
        for read in [
            EditLog::from_ron(&ron).unwrap(),
            EditLog::from_json(&json).unwrap(),
            serde_json::from_str(&serde).unwrap(),
        ] {
            assert!(read.changes().eq(log.changes()), "seed {seed}");
            assert!(!read.edits().is_empty());
        }
    }
}

#[test]
fn faults_are_named() {
    let id = "id: (time: 1, author: 2), time: (time: 1, author: 2)";
    let raise = |what: &str| format!("[({id}, state: Shown(Raise(height: 1, {what})))]");
    let error = |text: &str| -> DataError { EditLog::from_ron(text).unwrap_err() };
    assert!(EditLog::from_ron(&raise("area: Disc(radius: 3)")).is_ok());
    for (text, path, problem) in [
        (raise("area: Disc(radius: -3)"), "changes[0].edit.Raise.area.Disc.radius", "between 0"),
        (raise("area: Disc(radius: NaN)"), "changes[0].edit.Raise.area.Disc.radius", "NaN"),
        (raise("area: Blob(radius: 3)"), "changes[0].state.Shown.Raise.area", "Blob"),
        (
            format!("[({id}, state: Shown(Smooth(wavelength: 0)))]"),
            "changes[0].edit.Smooth.wavelength",
            "between 1 and 32768",
        ),
        (
            format!("[({id}, state: Shown(Smooth(wavelengths: 9)))]"),
            "changes[0].state.Shown.Smooth",
            "wavelengths",
        ),
        (
            format!("[({id}, state: Shown(Paint(layer: 16)))]"),
            "changes[0].edit.Paint.layer",
            "must be 0 to 15",
        ),
        (format!("[({id}, state: Shown(Stamp(height: NaN)))]"), "changes[0].edit.Stamp", "NaN"),
        (raise("areas: 3"), "changes[0].state.Shown.Raise", "areas"),
        (format!("[({id}, state: Vanished)]"), "changes[0].state", "Vanished"),
        (format!("[({id})]"), "changes[0]", "state"),
        (
            raise("area: Disc(radius: 3)").replace("time: 1,", "time: -1,"),
            "changes[0].id.time",
            "1:",
        ),
        ("[".into(), "changes[0]", "1:1"),
        ("(seed: 3)".into(), "changes", ""),
    ] {
        let DataError { path: found, problem: why } = error(&text);
        assert!(found.starts_with(path) && why.contains(problem), "{text}: {found}: {why}");
    }
}

/// Cut off or changed anywhere, a file is read or refused, without a panic.
#[test]
fn damaged_files_are_refused() {
    let mut r = Random::new(4);
    let log = random::log(&mut r, [0.0; 2], 6, true);
    let [ron, json] = [log.to_ron().unwrap(), log.to_json().unwrap()];
    let mut refused = 0;
    for i in 0..4000 {
        let text = if i % 2 == 0 { &ron } else { &json };
        let mut bytes = text.clone().into_bytes();
        let at = r.below(bytes.len());
        match i % 3 {
            0 => bytes.truncate(at),
            1 => bytes[at] ^= 1 << r.below(7),
            _ => drop(bytes.drain(at..(at + 1 + r.below(20)).min(text.len()))),
        }
        let Ok(text) = String::from_utf8(bytes) else { continue };
        let read = if i % 2 == 0 { EditLog::from_ron(&text) } else { EditLog::from_json(&text) };
        refused += usize::from(read.is_err());
    }
    println!("{refused} of 4000 damaged files were refused");
    assert!(refused > 2000);
}
