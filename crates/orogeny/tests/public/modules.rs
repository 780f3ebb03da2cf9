//! Rooms import from the rooms below them alone, by their real paths.

use std::fs;
use std::path::{Path, PathBuf};

/// The rooms, from the ground up, each with the other rooms that it may use.
const ROOMS: [(&str, &str); 26] = [
    ("float", ""),
    ("simd", ""),
    ("tiles", ""),
    ("real", "float"),
    ("limits", ""),
    ("error", "limits"),
    ("text", "error"),
    ("derivative", "float"),
    ("lattice", "derivative float limits"),
    ("kernel", "derivative float lattice simd"),
    ("samples", "derivative kernel simd"),
    ("field", "derivative samples"),
    ("parallel", "field samples"),
    ("kind_id", ""),
    ("position", ""),
    ("region", ""),
    ("noise", "derivative error float kernel lattice limits"),
    ("fractal", "derivative error float kernel lattice limits noise samples"),
    ("node", "derivative error field float fractal kernel lattice limits noise samples simd"),
    ("texture", "error field float limits node samples"),
    ("climate", "derivative error field float fractal limits node noise samples"),
    ("cover", "climate error field float fractal limits node noise texture"),
    ("ray", "derivative field float limits"),
    (
        "drainage",
        "derivative error field float fractal lattice limits node position real region samples \
         simd tiles",
    ),
    (
        "edits",
        "cover derivative drainage error field float fractal kernel kind_id lattice limits node \
         noise position real region samples simd text",
    ),
    (
        "scatter",
        "climate cover derivative drainage edits error field float fractal kind_id lattice limits \
         node noise position ray region samples tiles",
    ),
];

/// The only one that may use all others, so the list above has no circle.
const TOP: &str = "terrain";

/// Parts of rooms, and what else of their room each may use.
const PARTS: [(&str, &str); 2] =
    [("drainage::network", "drainage::Drainage"), ("drainage::ground", "drainage::network")];

fn sources(path: &Path) -> Vec<PathBuf> {
    if path.is_file() {
        return vec![path.into()];
    }
    let entries = fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| sources(&path)).collect()
}

/// The paths after each `crate::` in the sources of a room or a part of one, with their lines.
/// Tests may use everything.
fn imports(room: &str) -> Vec<(String, String)> {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
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

#[test]
fn rooms_use_those_below_them() {
    let mut total = 0;
    for (k, (room, allowed)) in ROOMS.iter().enumerate() {
        let imports = imports(room);
        for other in allowed.split_whitespace() {
            let is_below = ROOMS[..k].iter().any(|(below, _)| *below == other);
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
    assert!(total > 500, "only {total} imports were read");
    // All rooms are in the list.
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let entries = fs::read_dir(src).unwrap().map(|entry| entry.unwrap().path());
    let names = entries.map(|path| path.file_stem().unwrap().to_str().unwrap().to_owned());
    for name in names.filter(|name| !["lib", "tests"].contains(&name.as_str())) {
        assert!(name == TOP || ROOMS.iter().any(|(room, _)| *room == name), "{name}");
    }
}

#[test]
fn parts_of_a_room_use_those_below_them() {
    for (part, other) in PARTS {
        let room = part.split("::").next().unwrap();
        let own: Vec<_> = imports(part).into_iter().filter(|(path, _)| is_in(path, room)).collect();
        assert!(own.len() > 8, "{part} has moved");
        for (path, line) in own {
            assert!(is_in(&path, part) || is_in(&path, other), "{part} uses {path}: {line}");
        }
    }
}
