//! The command `gallery`: draws the pictures into files, on all cores.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::Args;
use image::RgbImage;
use indicatif::{ProgressBar, ProgressFinish, ProgressStyle};
use rayon::prelude::*;

use crate::cli::Failure;
use crate::gallery::picture::encode;
use crate::gallery::{Entry, GALLERY};

/// The file name of the index.
const INDEX: &str = "index.html";

const HEAD: &str = r#"<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>orogeny: a gallery of noise</title>
<style>
body { margin: 2rem auto; max-width: 110rem; padding: 0 1rem; background: #e9e9e6;
  color: #1c1e26; font: 16px/1.4 system-ui, sans-serif }
main { display: flex; flex-wrap: wrap; gap: 1rem; align-items: flex-start }
figure { margin: 0; flex: 1 1 26rem; max-width: 50rem }
img { display: block; width: 100%; box-shadow: 0 1px 4px #0003 }
figcaption { margin-top: .3rem; font-size: .85rem; color: #5c5f6a }
</style>
</head>
<body>
<h1>A gallery of noise</h1>
"#;

const HELP: &str = "\
Each picture is NAME.png. An animation is an animated PNG, with its frames in a folder beside it:
NAME/01.png and so on. Pictures of earlier runs stay in the folder and in its index; those of the
same name are replaced.

Exit codes: 0 done, 1 cannot write a file, 2 invalid arguments.

Examples:
  orogeny gallery --out gallery
  orogeny gallery --out gallery --only cellular --size 256";

/// The arguments of `gallery`.
#[derive(Args, Clone, Debug)]
#[command(after_long_help = HELP)]
pub struct GalleryArgs {
    /// The output folder, created if missing
    #[arg(long, value_name = "DIR")]
    pub out: PathBuf,

    /// The side of each panel in pixels, 256 to 1024
    #[arg(long, value_name = "PIXELS", default_value_t = 384,
        value_parser = clap::value_parser!(u32).range(256..=1024))]
    pub size: u32,

    /// Draw only pictures whose names contain this text
    #[arg(long, value_name = "NAME", default_value = "", hide_default_value = true)]
    pub only: String,
}

/// Draws the pictures. Returns a report.
pub fn run(args: &GalleryArgs) -> Result<String, Failure> {
    let all = || GALLERY.iter().flat_map(|group| group.entries);
    let chosen: Vec<&Entry> = all().filter(|entry| entry.name.contains(&args.only)).collect();
    if chosen.is_empty() {
        let names: Vec<_> = all().map(|entry| entry.name).collect();
        let problem = format!("no picture name contains this; the names are {}", names.join(", "));
        return Err(Failure::request(format!("--only {}", args.only), problem));
    }
    let begun = Instant::now();
    make(&chosen, &args.out, args.size).map_err(Failure::File)?;
    let (pictures, seconds) = (chosen.len(), begun.elapsed().as_secs_f32());
    let index = args.out.join(INDEX);
    Ok(format!("{pictures} pictures in {seconds:.1} s: see {}\n", index.display()))
}

/// Draws and writes the pictures on all cores, then their index.
fn make(chosen: &[&Entry], out: &Path, side: u32) -> Result<(), String> {
    make_folder(out)?;
    let bar = ProgressBar::new(chosen.len() as u64)
        .with_style(style())
        .with_finish(ProgressFinish::AndClear);
    chosen.par_iter().try_for_each(|entry| {
        let named = |problem| format!("{}: {problem}", entry.name);
        let frames = entry.picture.make(entry.caption, side).map_err(named)?;
        write(out, entry.name, &frames)?;
        bar.inc(1);
        Ok::<(), String>(())
    })?;
    drop(bar);
    write_index(out)
}

/// The progress bar shows only if standard error is a terminal.
fn style() -> ProgressStyle {
    ProgressStyle::with_template("{wide_bar} {pos} of {len} pictures")
        .unwrap_or_else(|_| ProgressStyle::default_bar())
}

/// Writes NAME.png. An animation is an animated PNG, with its frames in a folder next to it:
/// NAME/01.png and so on.
fn write(folder: &Path, name: &str, frames: &[RgbImage]) -> Result<(), String> {
    if frames.len() > 1 {
        let folder = folder.join(name);
        make_folder(&folder)?;
        for (i, frame) in frames.iter().enumerate() {
            write_png(&folder.join(format!("{:02}.png", i + 1)), std::slice::from_ref(frame))?;
        }
    }
    write_png(&folder.join(name).with_extension("png"), frames)
}

fn make_folder(path: &Path) -> Result<(), String> {
    fs::create_dir_all(path).map_err(|error| format!("{}: {error}", path.display()))
}

fn write_png(path: &Path, frames: &[RgbImage]) -> Result<(), String> {
    let bytes = encode(frames).map_err(|error| format!("{}: {error}", path.display()))?;
    write_bytes(path, &bytes)
}

fn write_bytes(path: &Path, bytes: &[u8]) -> Result<(), String> {
    fs::write(path, bytes).map_err(|error| format!("{}: {error}", path.display()))
}

/// Writes the index of all pictures in the folder, including those of earlier runs.
fn write_index(folder: &Path) -> Result<(), String> {
    let mut page = String::from(HEAD);
    for group in GALLERY {
        let there = |entry: &&Entry| folder.join(entry.name).with_extension("png").exists();
        let figures: String = group.entries.iter().filter(there).map(figure).collect();
        if !figures.is_empty() {
            let _ = write!(page, "<h2>{}</h2>\n<main>\n{figures}</main>\n", group.title);
        }
    }
    page.push_str("</body>\n</html>\n");
    write_bytes(&folder.join(INDEX), page.as_bytes())
}

fn figure(entry: &Entry) -> String {
    let (name, caption) = (entry.name, escape(entry.caption));
    format!(
        "<figure><a href=\"{name}.png\">\
         <img src=\"{name}.png\" alt=\"{caption}\" loading=\"lazy\"></a>\
         <figcaption>{name}</figcaption></figure>\n"
    )
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
