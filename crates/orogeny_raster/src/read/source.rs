//! A file to read, its format, and what the reader of the format finds, before the caller's
//! settings are applied.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;

use crate::error::RasterError;
use crate::raster::{checked_size, checked_tiled_size};
use crate::read::place::Georeference;
use crate::reading::{Format, Reading};
use crate::report::Warning;

/// The most bytes that one byte of a compressed file may stand for: above what deflate and LZW
/// reach.
pub(super) const MOST_PACKED: u64 = 1500;

/// A file to read, and the caller's settings.
pub(super) struct Input<'a> {
    pub path: &'a Path,
    pub file: File,
    /// The length of the file in bytes.
    pub len: u64,
    /// Whether all of it is read at once.
    pub is_whole: bool,
    pub reading: &'a Reading,
}

impl Input<'_> {
    /// Checks that a raster of `size` is not too large.
    pub fn check(&self, size: [usize; 2]) -> Result<(), RasterError> {
        match self.is_whole {
            true => checked_size(size).map(|_| ()),
            false => checked_tiled_size(size).map(|_| ()),
        }
    }
}

/// Checks that a file of `len` bytes can hold unpacked `bytes`, before memory is reserved for them.
pub(super) fn check_packing(bytes: u64, len: u64) -> Result<(), RasterError> {
    if bytes / MOST_PACKED <= len {
        return Ok(());
    }
    Err(RasterError::damaged(format!(
        "it declares {bytes} bytes of samples, but its {len} bytes cannot hold them"
    )))
}

/// What a file says.
pub(super) struct Source {
    pub sample_type: String,
    pub size: [usize; 2],
    pub georeference: Option<Georeference>,
    /// Whether its columns run from the east, and its rows from the south, if the file says so or
    /// has a georeference. What is read is mirrored then.
    pub mirrored: Option<[bool; 2]>,
    /// Whether the file has a mask of where it has data, or an alpha band.
    pub has_mask: bool,
    /// The sizes of its overviews.
    pub overviews: Vec<[usize; 2]>,
    /// Whether parts of the file can be read on demand.
    pub can_be_tiled: bool,
    pub warnings: Vec<Warning>,
}

impl Source {
    /// A file that says nothing but its size.
    pub fn plain(sample_type: impl Into<String>, size: [usize; 2]) -> Self {
        Self {
            sample_type: sample_type.into(),
            size,
            georeference: None,
            mirrored: None,
            has_mask: false,
            overviews: Vec::new(),
            can_be_tiled: false,
            warnings: Vec::new(),
        }
    }

    /// Takes what says where the file lies.
    pub fn place(&mut self, found: Option<(Georeference, [bool; 2])>) {
        if let Some((georeference, mirrored)) = found {
            self.georeference = Some(georeference);
            self.mirrored = Some(mirrored);
        }
    }
}

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
