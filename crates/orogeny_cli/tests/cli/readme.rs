//! The commands of the documentation.

use std::fs;
use std::path::Path;

use crate::support::{orogeny, printed};

/// The commands in the code of a page, as lists of arguments without quotes.
fn commands(page: &str) -> Vec<Vec<String>> {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join(page);
    let text = fs::read_to_string(page).unwrap();
    let lines = text.lines().map(|line| line.trim_start_matches("# "));
    let commands = lines.filter_map(|line| line.strip_prefix("orogeny "));
    commands.map(|it| it.replace('"', "").split_whitespace().map(str::to_owned).collect()).collect()
}

fn run(folder: &Path, arguments: &[String]) -> String {
    printed(orogeny().current_dir(folder).args(arguments).output().unwrap())
}

/// As they are: each command of the program is there, in its order.
#[test]
fn the_commands_of_the_readme_run() {
    let folder = tempfile::tempdir().unwrap();
    let commands = commands("README.md");
    let names: Vec<&str> = commands.iter().map(|arguments| arguments[0].as_str()).collect();
    assert_eq!(names, ["export", "map", "gallery", "inspect"]);
    for arguments in &commands {
        run(folder.path(), arguments);
    }
}

/// With few pixels.
#[test]
fn the_commands_for_other_engines_run() {
    let commands = commands("../../docs/other_engines.md");
    assert!(commands.len() > 8, "{}", commands.len());
    for mut arguments in commands {
        let folder = tempfile::tempdir().unwrap();
        if let Some(size) = arguments.iter().position(|argument| argument == "--size") {
            arguments[size + 1] = "9".into();
        }
        run(folder.path(), &arguments);
    }
}
