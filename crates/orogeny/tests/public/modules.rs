//! The lower modules of the crate import nothing from the modules above them.

use std::fs;
use std::path::{Path, PathBuf};

/// A module, and the other modules that it may use.
const MODULES: [(&str, &[&str]); 2] = [
    ("kernel", &["derivative", "float", "lattice", "simd"]),
    ("lattice", &["derivative", "float", "limits"]),
];

fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { sources(&path) } else { vec![path] }).collect()
}

#[test]
fn kernel_and_lattice_import_only_lower_modules() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    for (module, allowed) in MODULES {
        let files = sources(&src.join(module));
        assert!(files.len() > 8, "{module} has moved");
        for file in files {
            let text = fs::read_to_string(&file).unwrap();
            let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
            for line in code {
                for path in line.split("crate::").skip(1) {
                    let end = path.find(|c: char| !c.is_alphanumeric() && c != '_');
                    let used = &path[..end.unwrap_or(path.len())];
                    let is_below = used == module || allowed.contains(&used);
                    assert!(is_below, "{} uses {used}: {line}", file.display());
                }
            }
        }
    }
}
