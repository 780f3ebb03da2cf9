//! Rooms import from the rooms below them alone, by their real paths.

use std::fs;
use std::path::{Path, PathBuf};

use super::root;

/// Rooms, from the ground up, each with the other rooms that it may use.
type Rooms = [(&'static str, &'static str)];

/// The rooms of `orogeny`.
const CORE: &Rooms = &[
    ("arrays", ""),
    ("float", ""),
    ("simd", ""),
    ("tiles", ""),
    ("real", "float"),
    ("limits", ""),
    ("error", "limits"),
    ("text", "error"),
    ("derivative", "arrays float"),
    ("band", "arrays derivative error limits"),
    ("lattice", "arrays derivative float limits"),
    ("kernel", "arrays derivative float lattice simd"),
    ("samples", "arrays derivative kernel simd"),
    ("field", "derivative samples"),
    ("parallel", "field samples"),
    ("kind_id", ""),
    ("position", "arrays"),
    ("region", "arrays"),
    ("noise", "arrays derivative error float kernel lattice limits"),
    ("fractal", "arrays derivative error float kernel lattice limits noise samples"),
    (
        "node",
        "arrays band derivative error field float fractal kernel lattice limits noise samples simd",
    ),
    ("texture", "arrays error field float limits node samples"),
    ("climate", "arrays derivative error field float fractal limits node noise samples"),
    ("cover", "arrays band climate error field float fractal limits node noise texture"),
    ("ray", "arrays derivative field float limits"),
    (
        "drainage",
        "arrays derivative error field float fractal lattice limits node position real region \
         samples simd tiles",
    ),
    (
        "edits",
        "arrays cover derivative drainage error field float fractal kernel kind_id lattice limits \
         node noise position real region samples simd text",
    ),
    (
        "scatter",
        "arrays band climate cover derivative drainage edits error field float fractal kind_id \
         lattice limits node noise position ray region samples tiles",
    ),
];

/// The rooms of `bevy_orogeny`.
const PLUGIN: &Rooms = &[
    ("slices", ""),
    ("stream", ""),
    ("images", ""),
    ("chunk", "slices"),
    ("terrain", "chunk"),
    ("lod", "chunk slices"),
    ("base", "chunk lod slices terrain"),
    ("query", "base chunk lod terrain"),
    ("colliders", "base chunk lod query slices stream terrain"),
    ("standing", "base chunk colliders query slices terrain"),
    ("streaming", "base chunk lod query slices stream terrain"),
    ("scatter", "base chunk lod query slices stream streaming"),
    ("render", "base chunk lod streaming terrain"),
    ("ground", "base chunk images lod render scatter slices streaming terrain"),
    ("plants", "base chunk images lod query render scatter slices stream streaming terrain"),
    ("water", "base lod query render slices streaming terrain"),
];

/// Parts of rooms of `orogeny`, and what else of their room each may use.
const PARTS: [(&str, &str); 2] =
    [("drainage::network", "drainage::Drainage"), ("drainage::ground", "drainage::network")];

fn sources(path: &Path) -> Vec<PathBuf> {
    if path.is_file() {
        return vec![path.into()];
    }
    let entries = fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| sources(&path)).collect()
}

fn src(package: &str) -> PathBuf {
    root().join("crates").join(package).join("src")
}

/// The paths after each `crate::` in the sources of a room or a part of one, with their lines.
/// Tests may use everything.
fn imports(package: &str, room: &str) -> Vec<(String, String)> {
    let src = src(package);
    let folder = src.join(room.replace("::", "/"));
    let path = if folder.is_dir() { folder } else { folder.with_extension("rs") };
    let mut found = Vec::new();
    for file in sources(&path) {
        let name = file.strip_prefix(&src).unwrap().display().to_string();
        let is_test =
            |part: &str| part == "tests" || part.trim_end_matches(".rs").ends_with("tests");
        if name.split('/').any(is_test) {
            continue;
        }
        let text = fs::read_to_string(&file).unwrap();
        let code = text.split("\nmod tests {").next().unwrap();
        for line in code.lines().filter(|line| !line.trim_start().starts_with("//")) {
            assert!(!line.contains("super::super::"), "{name}: {line}");
            // A macro says `$crate` for its callers, and visibility is no use.
            for path in
                line.replace("$crate::", "").replace("(in crate::", "(").split("crate::").skip(1)
            {
                let end = path.find(|c: char| !c.is_alphanumeric() && c != '_' && c != ':');
                let path = path[..end.unwrap_or(path.len())].to_owned();
                found.push((path, format!("{name}: {line}")));
            }
        }
    }
    found
}

fn is_in(path: &str, room: &str) -> bool {
    path.strip_prefix(room).is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
}

/// `tops` may use all rooms, and no room uses them, so there is no circle.
fn check(package: &str, rooms: &Rooms, tops: &[&str]) {
    let mut total = 0;
    for (k, (room, allowed)) in rooms.iter().enumerate() {
        let imports = imports(package, room);
        for other in allowed.split_whitespace() {
            let is_below = rooms[..k].iter().any(|(below, _)| *below == other);
            assert!(is_below, "{room} is below {other}, which it uses");
            let is_used = imports.iter().any(|(path, _)| is_in(path, other));
            assert!(is_used, "{room} no longer uses {other}");
        }
        for (path, line) in imports {
            total += 1;
            let mut allowed = allowed.split_whitespace().chain([*room]);
            assert!(allowed.any(|other| is_in(&path, other)), "{room} uses {path}: {line}");
        }
    }
    assert!(total > 300, "only {total} imports were read");
    let entries = fs::read_dir(src(package)).unwrap().map(|entry| entry.unwrap().path());
    let names = entries.map(|path| path.file_stem().unwrap().to_str().unwrap().to_owned());
    for name in names.filter(|name| !["lib", "tests"].contains(&name.as_str())) {
        let is_listed =
            tops.contains(&name.as_str()) || rooms.iter().any(|(room, _)| *room == name);
        assert!(is_listed, "{name} is in no list");
    }
}

#[test]
fn rooms_use_those_below_them() {
    check("orogeny", CORE, &["terrain"]);
    check("bevy_orogeny", PLUGIN, &["advanced", "plugin", "prelude"]);
}

#[test]
fn parts_of_a_room_use_those_below_them() {
    for (part, other) in PARTS {
        let room = part.split("::").next().unwrap();
        let own: Vec<_> =
            imports("orogeny", part).into_iter().filter(|(path, _)| is_in(path, room)).collect();
        assert!(own.len() > 8, "{part} has moved");
        for (path, line) in own {
            assert!(is_in(&path, part) || is_in(&path, other), "{part} uses {path}: {line}");
        }
    }
}
