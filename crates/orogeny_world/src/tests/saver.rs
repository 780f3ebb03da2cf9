//! A saver whose disk fails, and one that is given bad changes.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::thread::sleep;
use std::time::Duration;

use log::{LevelFilter, Log, Metadata, Record};
use tempfile::{TempDir, tempdir};

use super::disk::Disk;
use super::{raise, recipe, world};
use crate::{Batch, Saver, WorldFile};

/// Keeps all messages.
struct Messages(Mutex<Vec<String>>);

static MESSAGES: Messages = Messages(Mutex::new(Vec::new()));

impl Log for Messages {
    fn enabled(&self, _: &Metadata) -> bool {
        true
    }

    fn log(&self, record: &Record) {
        self.0.lock().unwrap().push(record.args().to_string());
    }

    fn flush(&self) {}
}

/// The messages about a file.
fn messages(path: &Path) -> Vec<String> {
    let (all, path) = (MESSAGES.0.lock().unwrap(), path.display().to_string());
    all.iter().filter(|message| message.starts_with(&path)).cloned().collect()
}

/// Waits, at most ten seconds.
fn wait_until(is_done: impl Fn() -> bool) {
    for _ in 0..1000 {
        if is_done() {
            return;
        }
        sleep(Duration::from_millis(10));
    }
    panic!("it takes too long");
}

/// A saver on a disk of its own that has saved one edit, and the name of the file.
fn saver(name: &str) -> (TempDir, PathBuf, Disk, Saver) {
    let folder = tempdir().unwrap();
    let path = folder.path().join(name);
    let disk = Disk::with(&path, &world());
    let mut saver = Saver::new(Disk::open(&path).0);
    saver.save(raise(1, 1.0)).unwrap();
    wait_until(|| saver.saved() == 1);
    (folder, path, disk, saver)
}

#[test]
fn bad_items_are_refused_and_do_not_block_good_ones() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("island.world");
    let mut saver = Saver::new(WorldFile::create(&path, &world()).unwrap());
    let error = saver.save(raise(1, f32::NAN)).unwrap_err().to_string();
    assert!(error.contains("island.world: edit.Raise.height"), "{error}");
    let error = saver.save_recipe(recipe(1e9)).unwrap_err().to_string();
    assert!(error.contains("height"), "{error}");
    let error = saver.save_data("", Some(Vec::new())).unwrap_err().to_string();
    assert!(error.ends_with("data: the key \"\" has 0 bytes, but must have 1 to 255"), "{error}");
    let data = [("good".into(), Some(vec![1])), ("a".repeat(256), None)].into();
    let batch = Batch { changes: vec![raise(9, 1.0)], data, ..Batch::default() };
    let error = saver.save_batch(batch).unwrap_err().to_string();
    assert!(error.contains("has 256 bytes"), "{error}");
    for n in 2..5 {
        assert_eq!(saver.save(raise(n, 1.0)).unwrap(), n - 1);
    }
    wait_until(|| saver.waiting() == 0);
    assert_eq!((saver.saved(), saver.error()), (3, None));
    saver.finish().unwrap();
    let (_, read) = WorldFile::open(&path).unwrap();
    assert_eq!((read.log.len(), read.recipe), (3, recipe(100.0)));
    assert!(read.data.is_empty());
}

#[test]
fn saving_goes_on_when_a_full_disk_has_room_again() {
    let (_folder, path, disk, mut saver) = saver("full");
    disk.fail_after(Some(2));
    saver.save(raise(2, 1.0)).unwrap();
    wait_until(|| saver.error().is_some());
    // Not an attempt later.
    sleep(Duration::from_millis(1500));
    saver.save_recipe(recipe(50.0)).unwrap();
    for n in 0..3 {
        saver.save_data("player", Some(vec![n])).unwrap();
    }
    assert_eq!((saver.saved(), saver.waiting()), (1, 5));
    let error = saver.error().unwrap();
    assert!(error.contains("full: ") && !error.contains("Previous"), "{error}");
    disk.fail_after(None);
    wait_until(|| saver.waiting() == 0);
    assert_eq!((saver.saved(), saver.error()), (6, None));
    saver.finish().unwrap();
    let read = Disk::open(&path).1;
    assert_eq!(read.data, BTreeMap::from([("player".into(), vec![2])]));
    assert_eq!((read.log.len(), read.recipe), (2, recipe(50.0)));
}

#[test]
fn what_cannot_be_saved_comes_back() {
    let (_folder, path, disk, mut saver) = saver("broken");
    disk.fail_after(Some(0));
    saver.save(raise(2, 1.0)).unwrap();
    wait_until(|| saver.error().is_some());
    saver.save(raise(3, 1.0)).unwrap();
    saver.save_recipe(recipe(20.0)).unwrap();
    saver.save_recipe(recipe(30.0)).unwrap();
    saver.save_data("player", Some(vec![7])).unwrap();
    saver.save_data("boat", None).unwrap();
    let unsaved = saver.finish().unwrap_err();
    let expected = Batch {
        changes: vec![raise(2, 1.0), raise(3, 1.0)],
        replaces_log: false,
        recipe: Some(recipe(30.0)),
        data: [("boat".into(), None), ("player".into(), Some(vec![7]))].into(),
    };
    assert_eq!(unsaved.batch, expected);
    let text = unsaved.to_string();
    let end = "2 changes and a recipe and the data of boat, player were not saved";
    assert!(text.ends_with(end), "{text}");
    disk.fail_after(None);
    let (file, read) = Disk::open(&path);
    assert_eq!(read.log.len(), 1);
    file.save_batch(&unsaved.batch).unwrap();
    drop(file);
    let read = Disk::open(&path).1;
    assert_eq!((read.log.len(), read.data["player"].as_slice()), (3, &[7][..]));
}

#[test]
fn a_panic_is_seen_and_nothing_is_lost() {
    let (_folder, path, disk, mut saver) = saver("panic");
    disk.state().panics = 1;
    saver.save(raise(2, 1.0)).unwrap();
    let seen = RefCell::new(None);
    // A second later it is forgotten.
    wait_until(|| {
        *seen.borrow_mut() = saver.error();
        seen.borrow().is_some()
    });
    let error = seen.take().unwrap();
    assert!(error.contains("the disk is on fire"), "{error}");
    wait_until(|| saver.waiting() == 0);
    assert_eq!(saver.error(), None);
    // Also if an attempt is made before the last one.
    disk.state().panics = usize::MAX;
    saver.save(raise(3, 1.0)).unwrap();
    let unsaved = saver.finish().unwrap_err();
    assert_eq!(unsaved.batch.changes, [raise(3, 1.0)]);
    disk.state().panics = 0;
    assert_eq!(Disk::open(&path).1.log.len(), 2);
}

#[test]
fn a_dropped_saver_logs_what_it_could_not_save() {
    log::set_logger(&MESSAGES).unwrap();
    log::set_max_level(LevelFilter::Error);
    let (_folder, path, disk, mut saver) = saver("dropped");
    saver.save(raise(2, 1.0)).unwrap();
    drop(saver);
    assert!(messages(&path).is_empty());
    let mut saver = Saver::new(Disk::open(&path).0);
    saver.save(raise(3, 1.0)).unwrap();
    wait_until(|| saver.saved() == 1);
    disk.fail_after(Some(0));
    saver.save(raise(4, 1.0)).unwrap();
    wait_until(|| messages(&path).len() == 1);
    drop(saver);
    let messages = messages(&path);
    assert!(messages[0].ends_with("the next attempt is made in a second"), "{messages:?}");
    assert!(messages[1].ends_with("1 changes were not saved"), "{messages:?}");
}
