//! Writing PNG files and animations.

#[cfg(not(target_family = "wasm"))]
use std::{fs, path::Path};

use image::RgbImage;
use png::{BitDepth, ColorType, Compression, Encoder, EncodingError, Filter};

use crate::picture::Made;

/// The frame rate of animations.
const FRAMES_PER_SECOND: u16 = 12;

/// Creates a folder and its parents.
///
/// # Errors
/// A message for the user.
#[cfg(not(target_family = "wasm"))]
pub fn make_folder(path: &Path) -> Result<(), String> {
    fs::create_dir_all(path).map_err(|error| format!("{}: {error}", path.display()))
}

/// Writes NAME.png. An animation is an animated PNG, with its frames in a folder next to it:
/// NAME/01.png and so on.
///
/// # Errors
/// A message for the user, naming the file.
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

/// Writes a file.
///
/// # Errors
/// A message for the user, naming the file.
#[cfg(not(target_family = "wasm"))]
pub fn write_bytes(path: &Path, bytes: &[u8]) -> Result<(), String> {
    fs::write(path, bytes).map_err(|error| format!("{}: {error}", path.display()))
}

#[cfg(not(target_family = "wasm"))]
fn write_png(path: &Path, frames: &[&RgbImage]) -> Result<(), String> {
    let bytes = encode(frames).map_err(|error| format!("{}: {error}", path.display()))?;
    write_bytes(path, &bytes)
}

/// A picture as the bytes of a PNG.
///
/// # Errors
/// A message for the user.
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
