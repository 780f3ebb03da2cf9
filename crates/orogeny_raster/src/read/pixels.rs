//! Reads images of several channels whole.

use std::path::Path;

use crate::error::RasterError;
use crate::read::flipped::flip;
use crate::read::source::Source;
use crate::read::{input, mirrored, place, png, tiff};
use crate::reading::{Format, Reading};

/// An image, and where it lies.
pub(crate) struct Pixels {
    pub size: [usize; 2],
    pub spacing: [f64; 2],
    pub position: [f64; 2],
    pub channels: usize,
    /// The largest number: 255 or 65535.
    pub largest: u16,
    /// The numbers of the first pixel, then those of the second, row by row.
    pub values: Vec<u16>,
}

/// The pixels of a format's reader.
pub(super) struct Raw {
    pub source: Source,
    pub channels: usize,
    pub largest: u16,
    pub values: Vec<u16>,
}

/// Reads an image of 8 or 16 bits.
pub(crate) fn pixels(path: &Path, reading: &Reading) -> Result<Pixels, RasterError> {
    let (format, input) = input(path, reading)?;
    let raw = match format {
        Format::Png => png::pixels(&input)?,
        Format::GeoTiff => tiff::pixels(&input)?,
        format => {
            return Err(RasterError::unsupported(format!(
                "weights are read from PNG and TIFF, not {format:?}"
            )));
        }
    };
    let place = place::place(&raw.source, reading);
    let (Some(spacing), Some(position)) = (place.spacing, place.position) else {
        return Err(RasterError::Missing(place.missing));
    };
    let mirrored = mirrored(&raw.source, reading)?;
    let Raw { source, channels, largest, mut values } = raw;
    flip(&mut values, source.size[0], channels, mirrored);
    Ok(Pixels { size: source.size, spacing, position, channels, largest, values })
}
