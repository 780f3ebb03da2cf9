//! Writing PNG files, animations and the index page.

#[cfg(not(target_family = "wasm"))]
use std::{fmt::Write, fs, path::Path};

use image::RgbImage;
use png::{BitDepth, ColorType, Compression, Encoder, EncodingError, Filter};

use crate::gallery::picture::Made;
#[cfg(not(target_family = "wasm"))]
use crate::gallery::{Entry, GALLERY};

/// The frame rate of animations.
const FRAMES_PER_SECOND: u16 = 12;

/// The file name of the index.
#[cfg(not(target_family = "wasm"))]
pub const INDEX: &str = "index.html";

#[cfg(not(target_family = "wasm"))]
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

/// Creates a folder and its parents.
#[cfg(not(target_family = "wasm"))]
pub fn make_folder(path: &Path) -> Result<(), String> {
    fs::create_dir_all(path).map_err(|error| format!("{}: {error}", path.display()))
}

/// Writes NAME.png. An animation is an animated PNG, with its frames in a folder next to it:
/// NAME/01.png and so on.
#[cfg(not(target_family = "wasm"))]
pub fn write(folder: &Path, name: &str, made: &Made) -> Result<(), String> {
    let whole = folder.join(name).with_extension("png");
    match made {
        Made::Still(picture) => write_png(&whole, &[picture]),
        Made::Film(frames) => {
            let folder = folder.join(name);
            make_folder(&folder)?;
            for (i, frame) in frames.iter().enumerate() {
                write_png(&folder.join(format!("{:02}.png", i + 1)), &[frame])?;
            }
            write_png(&whole, &frames.iter().collect::<Vec<_>>())
        }
    }
}

#[cfg(not(target_family = "wasm"))]
fn write_bytes(path: &Path, bytes: &[u8]) -> Result<(), String> {
    fs::write(path, bytes).map_err(|error| format!("{}: {error}", path.display()))
}

#[cfg(not(target_family = "wasm"))]
fn write_png(path: &Path, frames: &[&RgbImage]) -> Result<(), String> {
    let bytes = encode(frames).map_err(|error| format!("{}: {error}", path.display()))?;
    write_bytes(path, &bytes)
}

/// A picture as the bytes of a PNG.
#[cfg(target_family = "wasm")]
pub fn bytes(made: &Made) -> Result<Vec<u8>, String> {
    let frames = match made {
        Made::Still(picture) => vec![picture],
        Made::Film(frames) => frames.iter().collect(),
    };
    encode(&frames).map_err(|error| error.to_string())
}

/// Encodes a PNG, animated if there are several frames.
fn encode(frames: &[&RgbImage]) -> Result<Vec<u8>, EncodingError> {
    let Some(first) = frames.first() else { return Ok(Vec::new()) };
    let mut bytes = Vec::new();
    let mut encoder = Encoder::new(&mut bytes, first.width(), first.height());
    encoder.set_color(ColorType::Rgb);
    encoder.set_depth(BitDepth::Eight);
    encoder.set_compression(Compression::High);
    encoder.set_filter(Filter::Adaptive);
    if frames.len() > 1 {
        encoder.set_animated(frames.len() as u32, 0)?;
        encoder.set_frame_delay(1, FRAMES_PER_SECOND)?;
    }
    let mut writer = encoder.write_header()?;
    for frame in frames {
        writer.write_image_data(frame)?;
    }
    writer.finish()?;
    Ok(bytes)
}

/// Writes the index of all pictures in the folder, including those of earlier runs.
#[cfg(not(target_family = "wasm"))]
pub fn write_index(folder: &Path) -> Result<(), String> {
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

#[cfg(not(target_family = "wasm"))]
fn figure(entry: &Entry) -> String {
    let (name, caption) = (entry.name, escape(entry.caption));
    format!(
        "<figure><a href=\"{name}.png\">\
         <img src=\"{name}.png\" alt=\"{caption}\" loading=\"lazy\"></a>\
         <figcaption>{name}</figcaption></figure>\n"
    )
}

#[cfg(not(target_family = "wasm"))]
fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
