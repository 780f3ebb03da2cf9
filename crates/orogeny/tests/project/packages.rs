//! The packages for crates.io.

use std::fs;
use std::path::Path;

use crate::{cargo, published, root, text};

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
