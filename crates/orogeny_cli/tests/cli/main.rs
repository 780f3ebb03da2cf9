//! The program as a user runs it: what it writes is read back and compared with the terrain.

mod commands;
mod export;
mod maps;
mod numbers;
mod objects;
mod support;

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use orogeny::{Landscape, Recipe};

use support::{fail, names, output_path};

/// The program.
fn orogeny() -> Command {
    Command::new(env!("CARGO_BIN_EXE_orogeny"))
}

/// Runs it with arguments that are separated by spaces.
fn run(arguments: &str, out: &Path) -> Output {
    orogeny().args(arguments.split_whitespace()).arg("--out").arg(out).output().unwrap()
}

/// What a run that succeeds prints.
#[track_caller]
fn succeed(arguments: &str, out: &Path) -> String {
    printed(run(arguments, out))
}

/// What a run printed, which succeeded.
#[track_caller]
fn printed(Output { status, stdout, stderr }: Output) -> String {
    let errors = String::from_utf8(stderr).unwrap();
    assert!(status.success(), "{errors}");
    // No bar and no colour if the output is not a terminal.
    assert!(!errors.contains('\u{1b}'), "{errors:?}");
    errors + &String::from_utf8(stdout).unwrap()
}

/// The message of a run that fails without leaving a file in its folder.
#[track_caller]
fn message(arguments: &str, name: &str) -> String {
    let (folder, out) = output_path(name);
    let output = run(arguments, &out);
    assert!(!output.status.success(), "{arguments}");
    assert!(names(&folder).is_empty(), "{:?}", names(&folder));
    String::from_utf8(output.stderr).unwrap()
}

/// A preset.
fn load(name: &str) -> (Recipe, Landscape) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("presets");
    let text = fs::read_to_string(folder.join(format!("{name}.terrain.ron"))).unwrap();
    Recipe::build_ron(&text).unwrap()
}

/// The positions of pixels, row by row.
fn positions([w, h]: [usize; 2], origin: [f64; 2], spacing: f64) -> Vec<[f64; 2]> {
    let at = |k: usize, index: usize| origin[k] + spacing * index as f64;
    (0..h).flat_map(|j| (0..w).map(move |i| [at(0, i), at(1, j)])).collect()
}

/// A PNG file.
struct Picture {
    /// Its header and text chunks.
    info: png::Info<'static>,
    /// Its pixels.
    bytes: Vec<u8>,
}

impl Picture {
    fn read(path: &Path) -> Self {
        let decoder = png::Decoder::new(std::io::BufReader::new(fs::File::open(path).unwrap()));
        let mut reader = decoder.read_info().unwrap();
        let mut bytes = vec![0; reader.output_buffer_size().unwrap()];
        reader.next_frame(&mut bytes).unwrap();
        reader.finish().unwrap();
        Self { info: reader.info().clone(), bytes }
    }

    fn text(&self, key: &str) -> String {
        let chunk = self.info.utf8_text.iter().find(|chunk| chunk.keyword == key);
        chunk.unwrap_or_else(|| panic!("no {key}")).get_text().unwrap()
    }

    fn size(&self) -> [usize; 2] {
        [self.info.width, self.info.height].map(|side| side as usize)
    }

    fn pixels16(&self) -> Vec<u16> {
        self.bytes.chunks_exact(2).map(|pixel| u16::from_be_bytes([pixel[0], pixel[1]])).collect()
    }
}
