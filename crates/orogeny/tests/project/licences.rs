//! `deny.toml` allows the licences of all dependencies, and no other licence.

use std::collections::BTreeSet;
use std::fs;

use serde_json::Value;

use crate::{metadata, root, text};

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
