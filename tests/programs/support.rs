//! Running programs, and their folders and files.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use tempfile::TempDir;

/// An example program, which `cargo test` builds.
pub fn program(name: &str) -> Command {
    built(&Path::new("examples").join(name))
}

/// The program of `orogeny_cli`, which `cargo test` builds.
pub fn orogeny() -> Command {
    built(Path::new("orogeny"))
}

fn built(path: &Path) -> Command {
    let test = std::env::current_exe().unwrap();
    let built = test.parent().unwrap().parent().unwrap().join(path);
    let built = built.with_extension(std::env::consts::EXE_EXTENSION);
    assert!(built.exists(), "{built:?} is not built: cargo test --no-run");
    let mut command = Command::new(built);
    command.env("CARGO_MANIFEST_DIR", env!("CARGO_MANIFEST_DIR"));
    command
}

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
