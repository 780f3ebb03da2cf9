//! The format of a file: by its extension, confirmed by its first bytes.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;

use crate::error::RasterError;
use crate::reading::{Format, Reading};

/// The format, with the file at its start. What the first bytes contradict is an error.
pub(super) fn format(
    path: &Path,
    file: &mut File,
    reading: &Reading,
) -> Result<Format, RasterError> {
    let format = match reading.format {
        Some(format) => format,
        None => by_extension(path)?,
    };
    let mut start = Vec::new();
    file.take(8).read_to_end(&mut start)?;
    file.seek(SeekFrom::Start(0))?;
    let found = by_signature(&start);
    let wanted = match format {
        Format::GeoTiff => Some("a TIFF"),
        Format::Png | Format::Terrarium | Format::TerrainRgb => Some("a PNG"),
        Format::Exr => Some("an EXR"),
        Format::Srtm | Format::Raw16 | Format::Raw32 => None,
    };
    if found == wanted {
        return Ok(format);
    }
    let problem = match (found, wanted) {
        _ if start.is_empty() => "the file is empty".into(),
        (Some(found), _) => format!(
            "it should be {format:?}, but it is {found}: give Reading::format, or rename it"
        ),
        (None, wanted) => {
            let kind = if start.is_ascii() { " (it looks like text)" } else { "" };
            let wanted = wanted.unwrap_or_default();
            format!("it should be {wanted}, but it does not start like one{kind}")
        }
    };
    Err(RasterError::damaged(problem))
}

fn by_extension(path: &Path) -> Result<Format, RasterError> {
    let extension = path.extension().and_then(|e| e.to_str()).unwrap_or_default();
    Ok(match extension.to_ascii_lowercase().as_str() {
        "tif" | "tiff" => Format::GeoTiff,
        "hgt" => Format::Srtm,
        "png" => Format::Png,
        "exr" => Format::Exr,
        "r16" => Format::Raw16,
        "r32" => Format::Raw32,
        _ => {
            return Err(RasterError::unsupported(format!(
                "the extension {extension:?} names no known format (tif, tiff, hgt, png, exr, \
                 r16, r32): give Reading::format"
            )));
        }
    })
}

fn by_signature(start: &[u8]) -> Option<&'static str> {
    const TIFF: [&[u8]; 4] = [b"II*\0", b"MM\0*", b"II+\0", b"MM\0+"];
    match start {
        [0x89, b'P', b'N', b'G', ..] => Some("a PNG"),
        [0x76, 0x2F, 0x31, 0x01, ..] => Some("an EXR"),
        start if TIFF.iter().any(|tiff| start.starts_with(tiff)) => Some("a TIFF"),
        _ => None,
    }
}
