//! What was saved is read back.

use orogeny::edits::{Change, EditId, EditLog, EditedField, MAX_TIME, Raise, State};
use orogeny::{Node, Recipe};
use orogeny_world::{Saver, WorldFile};
use rand::seq::SliceRandom;
use tempfile::tempdir;

use crate::{assert_same, island, log, numbered, random, world};

#[test]
fn changes_saved_in_any_order_are_the_log() {
    let folder = tempdir().unwrap();
    for seed in 0..5 {
        let (log, mut changes) = log(seed, 300);
        let path = folder.path().join(format!("{seed}.world"));
        let file = WorldFile::create(&path, &world(EditLog::new())).unwrap();
        // Some are saved twice.
        changes.extend(changes[..50].to_vec());
        changes.shuffle(&mut random(seed));
        for part in changes.chunks(37) {
            file.save(part.iter().cloned()).unwrap();
        }
        drop(file);
        let (file, read) = WorldFile::open(&path).unwrap();
        assert_same(&read, &log);
        assert_eq!(read.recipe.seed, 7);
        // The recipe can be replaced, and a world with a log can be created.
        file.set_recipe(&Recipe { seed: 8, ..read.recipe.clone() }).unwrap();
        drop(file);
        let (_, read) = WorldFile::open(&path).unwrap();
        assert_eq!(read.recipe.seed, 8);
        let copy = folder.path().join(format!("{seed}.copy"));
        drop(WorldFile::create(&copy, &read).unwrap());
        assert_same(&WorldFile::open(&copy).unwrap().1, &log);
        // The same by way of text.
        let [ron, json] = [read.log.to_ron().unwrap(), read.log.to_json().unwrap()];
        for text in [EditLog::from_ron(&ron).unwrap(), EditLog::from_json(&json).unwrap()] {
            assert_same(&read, &text);
        }
    }
}

#[test]
fn a_saver_saves_all_before_it_ends() {
    let (_folder, path) = island();
    let file = WorldFile::create(&path, &world(EditLog::new())).unwrap();
    let mut saver = Saver::new(file);
    let mut expected = EditLog::new();
    for n in 1..=1000 {
        expected.apply(numbered(n)).unwrap();
        assert_eq!(saver.save(numbered(n)).unwrap(), n);
        assert!(saver.saved() <= n);
    }
    while saver.waiting() > 0 {
        std::thread::yield_now();
    }
    assert_eq!((saver.saved(), saver.error()), (1000, None));
    saver.save(numbered(1001)).unwrap();
    expected.apply(numbered(1001)).unwrap();
    for seed in [11, 12] {
        saver.save_recipe(Recipe { seed, ..world(EditLog::new()).recipe }).unwrap();
    }
    drop(saver);
    let (_, read) = WorldFile::open(&path).unwrap();
    assert_same(&read, &expected);
    assert_eq!(read.recipe.seed, 12);
}

#[test]
fn what_cannot_be_opened_created_or_saved() {
    let (folder, path) = island();
    let missing = WorldFile::open(&path).unwrap_err().to_string();
    assert!(missing.contains("island.world: ") && missing.contains("No such file"), "{missing}");
    let file = WorldFile::create(&path, &world(EditLog::new())).unwrap();
    let twice = WorldFile::open(&path).unwrap_err().to_string();
    assert!(twice.ends_with("another program has the file open"), "{twice}");
    let exists = WorldFile::create(&path, &world(EditLog::new())).unwrap_err().to_string();
    assert!(exists.ends_with("the file exists already"), "{exists}");
    let lost = WorldFile::create(folder.path().join("no/such/folder"), &world(EditLog::new()));
    assert!(lost.is_err());
    // Invalid changes are refused with all others of the call.
    let mut bad = numbered(2);
    bad.state = State::Shown(Raise { height: f32::NAN, ..Raise::default() }.into());
    let error = file.save([numbered(1), bad]).unwrap_err().to_string();
    assert!(error.contains("edit.Raise.height"), "{error}");
    // Times that a log refuses, and those that would leave it none for later changes.
    for time in [u64::MAX, MAX_TIME, MAX_TIME / 2 + 1] {
        let id = EditId { time, author: 1 };
        let error = file.save([Change { id, ..numbered(3) }]).unwrap_err().to_string();
        assert!(error.contains("id.time"), "{error}");
        let error = file.save([Change { time: id, ..numbered(3) }]).unwrap_err().to_string();
        assert!(error.contains("time.time"), "{error}");
    }
    drop(file);
    let (file, world) = WorldFile::open(&path).unwrap();
    assert!(world.log.is_empty());
    // What is saved can be read, whatever the gaps.
    let late = EditId { time: MAX_TIME / 2, author: 1 };
    file.save([numbered(1), Change { id: late, time: late, ..numbered(2) }]).unwrap();
    drop(file);
    let mut log = WorldFile::open(&path).unwrap().1.log;
    assert_eq!((log.len(), log.time()), (2, MAX_TIME / 2));
    log.add(1, Raise::default()).unwrap();
}

#[test]
fn compaction_forgets_removed_edits_and_keeps_the_ground() {
    let folder = tempdir().unwrap();
    for seed in 0..4 {
        let path = folder.path().join(format!("{seed}.world"));
        let (mut log, _) = log(seed, 300);
        let ids: Vec<_> = log.ids().collect();
        // Every other time the last change is a removal.
        for &id in &ids[..ids.len() - 50] {
            log.set(1, id, State::Removed).unwrap();
        }
        let last = State::Shown(Raise::default().into());
        log.set(1, ids[1], if seed % 2 == 0 { last } else { State::Removed }).unwrap();
        let file = WorldFile::create(&path, &world(log.clone())).unwrap();
        for n in 0..2 {
            file.compact().unwrap();
            file.set_recipe(&Recipe { seed: n, ..world(EditLog::new()).recipe }).unwrap();
        }
        drop(file);
        let (file, read) = WorldFile::open(&path).unwrap();
        let (kept, removed): (Vec<_>, Vec<_>) =
            read.log.changes().partition(|change| change.state != State::Removed);
        assert!(log.changes().filter(|change| change.state != State::Removed).eq(kept));
        assert_eq!((read.log.time(), removed.len() as u64), (log.time(), seed % 2));
        // Later edits go on as if nothing had happened.
        for state in [State::Shown(Raise::default().into()), State::Removed] {
            let change = log.set(1, ids[0], state).unwrap().change;
            file.save([change]).unwrap();
        }
        drop(file);
        assert_eq!(WorldFile::open(&path).unwrap().1.log.time(), log.time());
    }
}

#[test]
fn compaction_gives_space_back() {
    let (_folder, path) = island();
    let file = WorldFile::create(&path, &world(EditLog::new())).unwrap();
    file.save((1..=20_000).map(numbered)).unwrap();
    let remove = |n| Change { state: State::Removed, ..numbered(n) };
    let later = |n| EditId { time: 20_000 + n, author: 1 };
    file.save((1..=20_000).map(|n| Change { time: later(n), ..remove(n) })).unwrap();
    let size = || std::fs::metadata(&path).unwrap().len();
    let before = size();
    file.compact().unwrap();
    let after = size();
    println!("{before} bytes, {after} after compaction");
    assert!(after < before / 10, "{before} {after}");
    drop(file);
    let (_, read) = WorldFile::open(&path).unwrap();
    assert_eq!((read.log.len(), read.log.time()), (0, 40_000));
}

/// Strokes that are merged are not added once more by those that the file had.
#[test]
fn compaction_merges_strokes() {
    let (_folder, path) = island();
    let mut log = EditLog::new();
    for _ in 0..1000 {
        log.add(1, Raise { height: 0.125, ..Raise::default() }).unwrap();
    }
    let file = WorldFile::create(&path, &world(log.clone())).unwrap();
    let merged = file.compact().unwrap();
    drop(file);
    let (_, read) = WorldFile::open(&path).unwrap();
    assert_eq!((merged.len(), read.log.len()), (1, 1));
    assert!(read.log.changes().eq(merged.changes()));
    let height = |log: &EditLog| {
        let level = Node::<2>::Constant(0.0).build().unwrap();
        EditedField::new(level, log.edits()).value([1.0, 2.0])
    };
    assert_eq!((height(&read.log), height(&log)), (125.0, 125.0));
}
