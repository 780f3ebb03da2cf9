//! Copies beside a file, and files of others.

use std::fs;
use std::path::Path;

use orogeny::edits::EditLog;
use orogeny_world::{Saver, WorldFile};
use tempfile::tempdir;

use crate::support::{numbered, world};

fn names(folder: &Path) -> Vec<String> {
    let names = fs::read_dir(folder).unwrap();
    let mut names: Vec<_> =
        names.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

fn count(path: &Path) -> usize {
    WorldFile::open(path).unwrap().1.log.len()
}

#[test]
fn two_copies_take_turns() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("island.world");
    let [one, two] = [1, 2].map(|n| folder.path().join(format!("island.world.copy{n}")));
    let file = WorldFile::create(&path, &world(EditLog::new())).unwrap();
    assert_eq!(file.back_up().unwrap(), one);
    assert_eq!(file.back_up().unwrap(), one);
    for (n, copy) in (1..).zip([&two, &one, &two, &one]) {
        file.save([numbered(n)]).unwrap();
        assert_eq!(&file.back_up().unwrap(), copy);
        assert_eq!(&file.back_up().unwrap(), copy);
        assert_eq!(count(copy), n as usize);
    }
    assert_eq!(names(folder.path()), ["island.world", "island.world.copy1", "island.world.copy2"]);
    drop(file);
    // The error names the newer one, which can take the place of the file.
    fs::write(&path, b"damage").unwrap();
    let error = WorldFile::open(&path).unwrap_err();
    assert_eq!(error.copy(), Some(&*one));
    assert!(error.to_string().ends_with("island.world.copy1"), "{error}");
    fs::rename(&one, &path).unwrap();
    assert_eq!(count(&path), 4);
    // Without a copy it names none.
    fs::remove_file(two).unwrap();
    fs::write(&path, b"damage").unwrap();
    assert_eq!(WorldFile::open(&path).unwrap_err().copy(), None);
}

#[test]
fn a_saver_makes_a_copy_of_what_it_opened() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("island.world");
    drop(WorldFile::create(&path, &world(EditLog::new())).unwrap());
    for n in 1..=3 {
        let (file, read) = WorldFile::open(&path).unwrap();
        assert_eq!(read.log.len() as u64, n - 1);
        let mut saver = Saver::new(file);
        saver.save(numbered(n)).unwrap();
        saver.finish().unwrap();
        let last = folder.path().join(format!("island.world.copy{}", 2 - n % 2));
        assert_eq!(count(&last) as u64, n - 1);
    }
}

#[test]
fn files_of_others_are_left_alone() {
    let folder = tempdir().unwrap();
    let named = |name: &str| folder.path().join(name);
    let path = named("island.world");
    fs::write(named("island.world.new"), b"a letter").unwrap();
    fs::write(named("island.world.copy1"), b"a picture").unwrap();
    let file = WorldFile::create(&path, &world(EditLog::new())).unwrap();
    // A copy that somebody went on with is a world of its own, and so is any other world.
    let copy = file.back_up().unwrap();
    assert_eq!(copy, named("island.world.copy2"));
    WorldFile::open(&copy).unwrap().0.save((1..=5).map(numbered)).unwrap();
    drop(WorldFile::create(named("island.world.copy3"), &world(EditLog::new())).unwrap());
    // A damaged copy is left for whoever wants to look into it.
    assert_eq!(file.back_up().unwrap(), named("island.world.copy4"));
    fs::write(named("island.world.copy4"), b"damage").unwrap();
    for (n, copy) in (11..).zip([5, 6, 5, 6]) {
        file.save([numbered(n)]).unwrap();
        assert_eq!(file.back_up().unwrap(), named(&format!("island.world.copy{copy}")));
    }
    assert_eq!(fs::read(named("island.world.new")).unwrap(), b"a letter");
    assert_eq!(fs::read(named("island.world.copy1")).unwrap(), b"a picture");
    assert_eq!(fs::read(named("island.world.copy4")).unwrap(), b"damage");
    assert_eq!(count(&copy), 5);
    assert_eq!(count(&named("island.world.copy3")), 0);
    assert_eq!(names(folder.path()).len(), 8);
    // When all names are taken, nothing is written.
    for n in 5..=9 {
        fs::write(named(&format!("island.world.copy{n}")), b"mine").unwrap();
    }
    let error = file.back_up().unwrap_err().to_string();
    assert!(error.ends_with("exists already"), "{error}");
    assert_eq!(names(folder.path()).len(), 11);
}
