//! The project's own files: what its packages say and contain, the links in its Markdown, the
//! licences of its dependencies, which rooms of the sources use which, and what the first pages of
//! the documentation show.
//!
//! No package contains these tests.

mod links;
mod packages;
mod pages;
mod rooms;

use std::path::Path;
use std::process::Command;

use serde_json::Value;

/// The root of the workspace.
fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

/// What Cargo prints.
fn cargo(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO")).args(arguments).current_dir(root()).output();
    let output = output.expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// The packages of `cargo metadata`: members of the workspace, and with `--all-features` all
/// dependencies for all systems.
fn metadata(option: &str) -> Vec<Value> {
    let text = cargo(&["metadata", "--format-version", "1", "--locked", option]);
    let mut all: Value = serde_json::from_str(&text).expect("JSON");
    let Value::Array(packages) = all["packages"].take() else { panic!("no packages") };
    packages
}

/// The packages that are for crates.io.
fn published() -> Vec<Value> {
    let mut members = metadata("--no-deps");
    members.retain(|package| package["publish"].is_null());
    assert!(members.len() >= 6, "{} packages", members.len());
    members
}

fn text<'a>(package: &'a Value, key: &str) -> &'a str {
    package[key].as_str().unwrap_or_else(|| panic!("{} has no {key}", package["name"]))
}
