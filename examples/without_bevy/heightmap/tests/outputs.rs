//! Files appear when all of them are complete, and otherwise none does.

use std::fs;
use std::io::Write;

use crate::outputs::Outputs;
use crate::tests::{names, output};

/// Three complete files that are not yet persisted.
fn complete(paths: &[std::path::PathBuf], force: bool) -> Outputs {
    let mut outputs = Outputs::create(paths, force).unwrap();
    for path in paths {
        let target = outputs.open(path).unwrap();
        target.file().write_all(b"new").unwrap();
        outputs.add(target).unwrap();
    }
    outputs
}

#[test]
fn files_that_are_not_persisted_vanish() {
    let (folder, path) = output("a");
    let outputs = complete(&[path], false);
    // A probe, and the file.
    assert_eq!(names(&folder).len(), 2);
    drop(outputs);
    assert!(names(&folder).is_empty());
}

#[test]
fn a_file_that_appears_meanwhile_stops_all() {
    let (folder, _) = output("");
    let paths = ["a", "b", "c"].map(|name| folder.path().join(name));
    let outputs = complete(&paths, false);
    fs::write(&paths[1], "precious").unwrap();
    let failure = outputs.persist().unwrap_err().to_string();
    assert!(failure.contains("b: "), "{failure}");
    assert_eq!(names(&folder), ["b"]);
    assert_eq!(fs::read(&paths[1]).unwrap(), b"precious");
}

#[test]
fn replaced_files_come_back_if_another_cannot_be_placed() {
    let (folder, _) = output("");
    let paths = ["a", "b", "c"].map(|name| folder.path().join(name));
    fs::write(&paths[0], "old").unwrap();
    let outputs = complete(&paths, true);
    // A folder cannot be replaced by a file.
    fs::create_dir(&paths[2]).unwrap();
    fs::write(paths[2].join("inside"), "").unwrap();
    outputs.persist().unwrap_err();
    assert_eq!(names(&folder), ["a", "c"]);
    assert_eq!(fs::read(&paths[0]).unwrap(), b"old");
    assert!(paths[2].join("inside").exists());

    fs::remove_dir_all(&paths[2]).unwrap();
    complete(&paths, true).persist().unwrap();
    assert_eq!(names(&folder), ["a", "b", "c"]);
    assert!(paths.iter().all(|path| fs::read(path).unwrap() == b"new"));
}
