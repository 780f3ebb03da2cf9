//! Tests of what the program writes: each file is read back and compared with the terrain.

mod climate;
mod cover;
mod depth;
mod lands;
mod map;
mod mesh;
mod options;
mod outputs;
mod plants;
mod round_trip;
mod tiles;

use std::fs;
use std::path::{Path, PathBuf};

use clap::Parser;
use orogeny::{Landscape, Recipe};
use tempfile::TempDir;

use crate::args::Args;
use crate::failure::Failure;
use crate::{job, preset};

/// Runs the program with arguments that are separated by spaces.
fn run(arguments: &str, out: &Path) -> Result<String, Failure> {
    let arguments = ["heightmap"].into_iter().chain(arguments.split_whitespace());
    let parsed = Args::try_parse_from(arguments.chain(["--out", out.to_str().unwrap()]));
    let parsed = parsed.map_err(|error| Failure::Request(error.to_string()))?;
    job::run(&parsed)
}

#[track_caller]
fn succeed(arguments: &str, out: &Path) -> String {
    run(arguments, out).unwrap_or_else(|failure| panic!("{arguments}: {failure}"))
}

/// The message of a run that fails without leaving a file in its folder.
#[track_caller]
fn message(arguments: &str, name: &str) -> String {
    let (folder, out) = output(name);
    let failure = run(arguments, &out).expect_err(arguments);
    assert!(names(&folder).is_empty(), "{:?}", names(&folder));
    failure.to_string()
}

fn load(name: &str) -> (Recipe, Landscape) {
    preset::read(name).unwrap()
}

/// A new folder, and the path of a file in it that does not exist yet.
fn output(name: &str) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join(name);
    (folder, file)
}

/// The files of a folder.
fn names(folder: &TempDir) -> Vec<String> {
    let files = fs::read_dir(folder.path()).unwrap();
    let mut names: Vec<_> =
        files.map(|file| file.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// The size of a PNG, its pixels, and the text of a key.
struct Png {
    size: [usize; 2],
    bytes: Vec<u8>,
    info: png::Info<'static>,
}

impl Png {
    fn read(path: &Path) -> Self {
        let decoder = png::Decoder::new(std::io::BufReader::new(fs::File::open(path).unwrap()));
        let mut reader = decoder.read_info().unwrap();
        let mut bytes = vec![0; reader.output_buffer_size().unwrap()];
        reader.next_frame(&mut bytes).unwrap();
        let info = reader.info().clone();
        Self { size: [info.width as usize, info.height as usize], bytes, info }
    }

    fn text(&self, key: &str) -> String {
        let found = self.info.utf8_text.iter().find(|chunk| chunk.keyword == key);
        found.unwrap_or_else(|| panic!("no {key}")).get_text().unwrap()
    }

    fn greys(&self) -> Vec<u16> {
        let (pixels, _) = self.bytes.as_chunks();
        pixels.iter().map(|&bytes| u16::from_be_bytes(bytes)).collect()
    }
}
