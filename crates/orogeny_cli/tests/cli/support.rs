//! Folders and failures of programs, here and in the tests of all examples.

use std::fs;
use std::path::PathBuf;
use std::process::Output;

use tempfile::TempDir;

/// A new folder, and the path of a file in it that does not exist yet.
pub fn output_path(name: &str) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join(name);
    (folder, file)
}

/// Checks that a run fails with an exit code and a message of one line that contains certain words.
#[track_caller]
pub fn fail(output: &Output, code: i32, expected: &[&str]) {
    let message = String::from_utf8(output.stderr.clone()).unwrap();
    assert_eq!(output.status.code(), Some(code), "{message}");
    assert!(!message.contains("panicked"), "{message}");
    // After the first line, the argument parser only prints the usage.
    let said = message.split("\n\n").next().unwrap().trim();
    assert_eq!(said.lines().count(), 1, "{message}");
    for word in expected {
        assert!(said.contains(word), "{word:?} is not in {said:?}");
    }
}

/// The files of a folder.
#[track_caller]
pub fn names(folder: &TempDir) -> Vec<String> {
    let files = fs::read_dir(folder.path()).unwrap();
    let mut names: Vec<_> =
        files.map(|file| file.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}
