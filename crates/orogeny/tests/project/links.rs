//! Links in Markdown: each leads somewhere, on GitHub, crates.io and docs.rs.

use std::fs;
use std::path::{Component, Path, PathBuf};

use crate::{published, root, text};

/// A link to a file, relative to the page.
struct Link {
    to: String,
    /// The name, of a definition `[name]: to`.
    name: Option<String>,
}

/// Links to files, but neither addresses, nor places on the page, nor items for rustdoc.
fn links(page: &str) -> Vec<Link> {
    let mut found = Vec::new();
    let mut is_code = false;
    for line in page.lines() {
        if line.trim_start().starts_with("```") {
            is_code = !is_code;
            continue;
        }
        if is_code {
            continue;
        }
        if let Some((name, to)) = line.strip_prefix('[').and_then(|line| line.split_once("]: ")) {
            found.push(Link { to: to.trim().into(), name: Some(name.into()) });
        }
        for rest in line.split("](").skip(1) {
            let to = rest.split([')', ' ']).next().unwrap_or_default();
            found.push(Link { to: to.into(), name: None });
        }
    }
    found.retain(|link| !["://", "::", "mailto:"].iter().any(|part| link.to.contains(part)));
    for link in &mut found {
        link.to.truncate(link.to.find('#').unwrap_or(link.to.len()));
    }
    found.retain(|link| !link.to.is_empty());
    found
}

fn pages(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if path.is_dir() && !path.is_symlink() && !name.starts_with('.') && name != "target" {
            found.extend(pages(&path));
        } else if name.ends_with(".md") {
            found.push(path);
        }
    }
    found
}

/// Whether a path leads out of the folder that lies `depth` above it.
fn leaves(path: &str, mut depth: i32) -> bool {
    Path::new(path).components().any(|part| {
        depth += if part == Component::ParentDir { -1 } else { 1 };
        depth < 0
    })
}

#[test]
fn every_link_leads_to_a_file() {
    let pages = pages(root());
    let mut total = 0;
    for page in &pages {
        for Link { to, .. } in links(&fs::read_to_string(page).unwrap()) {
            total += 1;
            assert!(page.parent().unwrap().join(&to).exists(), "{}: {to}", page.display());
        }
    }
    assert!(pages.len() > 15 && total > 60, "{total} links in {} pages", pages.len());
}

/// crates.io resolves links in a README, but docs.rs does not. So a page that rustdoc includes
/// names its links and defines them at its end, and `lib.rs` defines them before: the first counts.
#[test]
fn links_of_packages_work_in_documentation() {
    for package in published() {
        let folder = Path::new(text(&package, "manifest_path")).parent().unwrap();
        // A program has no pages of documentation.
        let code = fs::read_to_string(folder.join("src/lib.rs")).unwrap_or_default();
        for page in pages(folder) {
            let name = page.strip_prefix(folder).unwrap().display().to_string();
            let depth = name.matches('/').count() as i32;
            let is_included = code.contains(&format!("/{name}"));
            for Link { to, name: link } in links(&fs::read_to_string(&page).unwrap()) {
                let place = format!("{} of {}: {to}", name, package["name"]);
                assert!(!leaves(&to, depth), "{place} is not in the package");
                let is_defined = |link| code.contains(&format!("\"[{link}]: "));
                assert!(!is_included || link.is_some_and(is_defined), "{place} is not in lib.rs");
            }
        }
    }
}

#[test]
fn links_are_found() {
    let page =
        "[a](b.md#c) ![](d/e.png) [f](https://g) [h](i::J)\n```\n[k](l)\n```\n[m]: n.md\n[o](#p)";
    let found: Vec<_> = links(page).into_iter().map(|link| (link.to, link.name)).collect();
    let expected = [("b.md", None), ("d/e.png", None), ("n.md", Some("m"))];
    assert_eq!(found, expected.map(|(to, name)| (to.to_owned(), name.map(str::to_owned))));
    assert!(leaves("../a", 0) && leaves("../../a", 1) && leaves("a/../../b", 0));
    assert!(!leaves("a/../b", 0) && !leaves("../a", 1));
}
