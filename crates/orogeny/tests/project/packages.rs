//! The packages for crates.io, and the licences of their dependencies: `deny.toml` allows all of
//! them, and no other licence.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::{cargo, metadata, published, root, text};

/// The largest file in a package, in bytes: no pictures, no tables.
const LARGEST: u64 = 40_000;

/// What crates.io limits.
#[test]
fn packages_describe_themselves() {
    let all = published();
    for package in &all {
        let name = text(package, "name");
        assert_eq!(text(package, "license"), "MIT OR Apache-2.0", "{name}");
        assert_eq!(text(package, "repository"), text(&all[0], "repository"), "{name}");
        assert_eq!(text(package, "readme"), "README.md", "{name}");
        assert!(text(package, "description").len() > 30, "{name}");
        let targets = package["targets"].as_array().unwrap();
        let is_library = targets.iter().any(|target| target["kind"][0] == "lib");
        let for_docs = &package["metadata"]["docs"]["rs"];
        assert_eq!(for_docs.is_object(), is_library, "{name}: docs.rs");
        let keywords = package["keywords"].as_array().unwrap();
        assert!((1..=5).contains(&keywords.len()), "{name}");
        assert!(keywords.iter().all(|word| word.as_str().unwrap().len() <= 20), "{name}");
        assert!((1..=5).contains(&package["categories"].as_array().unwrap().len()), "{name}");
    }
}

/// Each member builds by itself, too, on a system without -dev packages: features of other members
/// must not be needed for it.
#[test]
fn packages_need_no_library_of_the_system_to_build() {
    let linux = "x86_64-unknown-linux-gnu";
    let mut with_wayland = 0;
    for package in metadata("--no-deps") {
        let name = text(&package, "name");
        let arguments = ["tree", "--locked", "--target", linux, "-p", name];
        let tree = cargo(&[&arguments[..], &["--prefix", "none", "--format", "{p} {f}"]].concat());
        for line in tree.lines() {
            let library = line.split(' ').next().unwrap();
            let is_loaded = library == "wayland-sys" && line.contains("dlopen");
            with_wayland += u32::from(is_loaded);
            let is_linked = ["alsa-sys", "libudev-sys", "openssl-sys", "wayland-sys"];
            assert!(is_loaded || !is_linked.contains(&library), "{name}: {line}");
        }
    }
    assert!(with_wayland > 0);
}

/// A release of one package names the release of the others that it was tested with.
#[test]
fn packages_need_each_other_in_this_version() {
    let all = published();
    for package in &all {
        let name = text(package, "name");
        for dependency in package["dependencies"].as_array().unwrap() {
            let other = text(dependency, "name");
            if dependency["path"].is_null() || other == name {
                continue;
            }
            let other = all.iter().find(|package| text(package, "name") == other);
            let other = other.unwrap_or_else(|| panic!("{name} needs {}", dependency["name"]));
            assert_eq!(text(dependency, "req"), format!("^{}", text(other, "version")), "{name}");
        }
    }
}

#[test]
fn packages_have_licences_and_no_large_files() {
    for package in published() {
        let name = text(&package, "name");
        let folder = Path::new(text(&package, "manifest_path")).parent().unwrap();
        let list = cargo(&["package", "--list", "--allow-dirty", "--offline", "-p", name]);
        for licence in ["LICENSE-MIT", "LICENSE-APACHE"] {
            assert!(list.lines().any(|file| file == licence), "{name} lacks {licence}");
            let read = |folder: &Path| fs::read_to_string(folder.join(licence)).unwrap();
            assert!(read(folder) == read(root()), "{name}: {licence}");
        }
        // Cargo makes the others.
        for file in list.lines().filter(|file| folder.join(file).exists()) {
            let size = fs::metadata(folder.join(file)).unwrap().len();
            assert!(size <= LARGEST, "{name}: {file} has {size} bytes");
        }
    }
}

/// The list in `deny.toml`.
fn allowed() -> BTreeSet<String> {
    let file = fs::read_to_string(root().join("deny.toml")).unwrap();
    let list = file.split("\nallow = [\n").nth(1).unwrap().split("\n]").next().unwrap();
    list.lines().map(|line| line.split('"').nth(1).unwrap().to_owned()).collect()
}

/// The words of an SPDX expression. Old ones have a slash for OR.
fn words(expression: &str) -> Vec<String> {
    let spaced = expression.replace('/', " OR ").replace('(', " ( ").replace(')', " ) ");
    spaced.split_whitespace().map(str::to_owned).collect()
}

/// Whether the terms at the front, joined by OR, are satisfied, and the words after them.
fn either<'a>(words: &'a [String], allowed: &BTreeSet<String>) -> (bool, &'a [String]) {
    let (mut satisfied, mut rest) = both(words, allowed);
    while rest.first().is_some_and(|word| word == "OR") {
        let (next, after) = both(&rest[1..], allowed);
        (satisfied, rest) = (satisfied | next, after);
    }
    (satisfied, rest)
}

/// The same for AND, which binds more tightly.
fn both<'a>(words: &'a [String], allowed: &BTreeSet<String>) -> (bool, &'a [String]) {
    let (mut satisfied, mut rest) = term(words, allowed);
    while rest.first().is_some_and(|word| word == "AND") {
        let (next, after) = term(&rest[1..], allowed);
        (satisfied, rest) = (satisfied & next, after);
    }
    (satisfied, rest)
}

/// A licence, one with an exception, or an expression in parentheses.
fn term<'a>(words: &'a [String], allowed: &BTreeSet<String>) -> (bool, &'a [String]) {
    if words[0] == "(" {
        let (satisfied, rest) = either(&words[1..], allowed);
        assert_eq!(rest[0], ")");
        return (satisfied, &rest[1..]);
    }
    if words.get(1).is_some_and(|word| word == "WITH") {
        return (allowed.contains(&words[..3].join(" ")), &words[3..]);
    }
    (allowed.contains(&words[0]), &words[1..])
}

fn satisfied(expression: &str, allowed: &BTreeSet<String>) -> bool {
    let words = words(expression);
    let (satisfied, rest) = either(&words, allowed);
    assert!(rest.is_empty(), "{expression}");
    satisfied
}

#[test]
fn every_dependency_has_an_allowed_licence_and_every_allowed_licence_a_dependency() {
    let allowed = allowed();
    let packages = metadata("--all-features");
    assert!(packages.len() > 300, "{} packages", packages.len());
    let is_foreign = |package: &&Value| !package["source"].is_null();
    let licences = packages.iter().filter(is_foreign).map(|package| text(package, "license"));
    let licences: BTreeSet<&str> = licences.collect();
    for licence in &licences {
        assert!(satisfied(licence, &allowed), "{licence}");
    }
    for licence in &allowed {
        let others = allowed.iter().filter(|other| *other != licence).cloned().collect();
        assert!(licences.iter().any(|all| !satisfied(all, &others)), "no use for {licence}");
    }
}

#[test]
fn expressions_are_read_as_spdx_defines_them() {
    let allowed = ["MIT", "Zlib", "A WITH B"].map(str::to_owned).into();
    for (expression, expected) in [
        ("MIT", true),
        ("GPL-3.0", false),
        ("GPL-3.0 OR MIT", true),
        ("GPL-3.0/MIT", true),
        ("MIT AND GPL-3.0", false),
        ("MIT OR GPL-3.0 AND GPL-2.0", true),
        ("(MIT OR GPL-3.0) AND GPL-2.0", false),
        ("Zlib AND (GPL-3.0 OR MIT)", true),
        ("A WITH B", true),
        ("A", false),
        ("MIT WITH B", false),
    ] {
        assert_eq!(satisfied(expression, &allowed), expected, "{expression}");
    }
}
