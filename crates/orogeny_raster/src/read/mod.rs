//! Reads elevation files, and reports what they say.

pub(crate) mod conversion;
mod earth;
mod exr;
mod geo_tags;
mod hgt;
mod intake;
pub(crate) mod pixels;
mod place;
mod png;
mod raw;
mod raw_samples;
pub(crate) mod resources;
mod shared_file;
mod signature;
mod source;
mod tiff;
mod tiff_chunks;
mod tiff_directory;
mod tiff_window;
mod widened;
pub(crate) mod window;

use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use crate::error::RasterError;
use crate::raster::{MAX_SAMPLES, MAX_SIDE, Raster, checked_size};
use crate::read::conversion::Conversion;
use crate::read::intake::Intake;
use crate::read::raw_samples::RawType;
use crate::read::resources::{Resources, Share};
use crate::read::source::{Input, Source};
use crate::read::window::Window;
use crate::reading::{Format, Reading};
use crate::report::Report;
use crate::warning::Warning;

/// Reads a file. The report says what the file says, and what looks wrong: print it, or check
/// [`Report::warnings`].
///
/// # Errors
/// If the file cannot be read, is damaged or of an unsupported kind, is beyond the limits of
/// [`Raster::new`], or if it does not say something that `reading` does not give either.
pub fn read(path: impl AsRef<Path>, reading: &Reading) -> Result<(Raster, Report), RasterError> {
    let path = path.as_ref();
    let read = || {
        let (report, heights) = load(path, reading)?;
        match (report.spacing, report.position) {
            (Some(spacing), Some(position)) if report.missing.is_empty() => {
                let raster = Raster::new(report.size, spacing, position, heights)?;
                Ok((raster, report))
            }
            _ => Err(RasterError::Missing(report.missing)),
        }
    };
    read().map_err(|e| e.in_file(path))
}

/// Says what a file says and what looks wrong, also where something is missing. Of a file that is
/// too large for memory it reads the header only, and the report has no range of values.
///
/// # Errors
/// If the file cannot be read, is damaged or of an unsupported kind, or is larger than a raster
/// may be.
pub fn inspect(path: impl AsRef<Path>, reading: &Reading) -> Result<Report, RasterError> {
    let path = path.as_ref();
    let resources = Arc::new(Resources::new(usize::MAX, usize::MAX));
    match open(path, reading, Share { resources, index: 0 }) {
        Ok((mut report, _)) if checked_size(report.size).is_err() => {
            report.warnings.push(Warning::LargerThanMemory);
            Ok(report)
        }
        _ => load(path, reading).map(|(report, _)| report).map_err(|e| e.in_file(path)),
    }
}

/// Opens a file to read parts of it. The report says only what is known without reading samples.
pub(crate) fn open(
    path: &Path,
    reading: &Reading,
    share: Share,
) -> Result<(Report, Box<dyn Window>), RasterError> {
    let read = || {
        let (format, input) = input(path, reading)?;
        let (source, conversion, window): (_, _, Box<dyn Window>) = match format {
            Format::GeoTiff => boxed(tiff::open(input, share)?),
            Format::Srtm => boxed(hgt::open(input, &share)?),
            Format::Raw16 => boxed(raw::open(input, RawType::U16, &share)?),
            Format::Raw32 => boxed(raw::open(input, RawType::F32, &share)?),
            Format::Png | Format::Terrarium | Format::Exr => return Err(not_in_tiles(format)),
        };
        Ok((report(format, source, &conversion, None, reading), window))
    };
    read().map_err(|e| e.in_file(path))
}

fn not_in_tiles(format: Format) -> RasterError {
    RasterError::unsupported(format!(
        "an image of the format {format:?} is always read whole: use `read`, which takes up to \
         {MAX_SIDE} samples a side and {MAX_SAMPLES} in all, or convert it to a tiled GeoTIFF"
    ))
}

fn boxed<W: Window + 'static>(
    (source, conversion, window): (Source, Conversion, W),
) -> (Source, Conversion, Box<dyn Window>) {
    (source, conversion, Box::new(window))
}

/// A file with its format.
fn input<'a>(path: &'a Path, reading: &'a Reading) -> Result<(Format, Input<'a>), RasterError> {
    reading.check()?;
    let mut file = File::open(path)?;
    let metadata = file.metadata()?;
    if !metadata.is_file() {
        return Err(RasterError::unsupported("it is not a file"));
    }
    let format = signature::format(path, &mut file, reading)?;
    Ok((format, Input { path, file, len: metadata.len(), reading }))
}

/// The report and the heights of a file.
fn load(path: &Path, reading: &Reading) -> Result<(Report, Vec<f32>), RasterError> {
    let (format, input) = input(path, reading)?;
    let (source, intake) = match format {
        Format::GeoTiff => tiff::load(input)?,
        Format::Srtm => hgt::load(input)?,
        Format::Png => png::load(input)?,
        Format::Terrarium => png::load_terrarium(input)?,
        Format::Exr => exr::load(input)?,
        Format::Raw16 => raw::load(input, RawType::U16)?,
        Format::Raw32 => raw::load(input, RawType::F32)?,
    };
    let report = report(format, source, &intake.conversion, Some(&intake), reading);
    Ok((report, intake.heights))
}

/// The report on a file, of whose samples `intake` knows.
fn report(
    format: Format,
    source: Source,
    conversion: &Conversion,
    intake: Option<&Intake>,
    reading: &Reading,
) -> Report {
    let place = place::place(&source, reading);
    let mut missing = place.missing;
    let unit = conversion.unit.clone();
    if unit.is_none() {
        missing.push(
            "Give Reading::height_scale, the height of one unit in metres: the format has none"
                .into(),
        );
    }
    let mut warnings = source.warnings;
    warnings.extend(place.warnings);
    if source.has_assumed_unit {
        warnings.extend(conversion.assumed_unit());
    }
    if let Some(intake) = intake {
        warnings.extend(intake.warnings());
        warnings.extend(place.spacing.and_then(|s| intake.steepness(source.size, s)));
    }
    let values = intake.and_then(Intake::values);
    let heights = unit.as_ref().and(values).map(|values| {
        let [a, b] = values.map(|value| conversion.height(value));
        [a.min(b), a.max(b)]
    });
    Report {
        format,
        sample_type: source.sample_type,
        size: source.size,
        spacing: place.spacing,
        spacing_source: place.spacing_source,
        position: place.position,
        georeference: source.georeference.as_ref().map(|geo| geo.to_string()),
        epsg: source.georeference.as_ref().and_then(|geo| geo.epsg),
        height_scale: unit.as_ref().map(|unit| unit.scale),
        height_offset: unit.as_ref().map_or(0.0, |unit| unit.offset),
        height_source: unit.map_or_else(String::new, |unit| unit.source),
        can_be_tiled: source.can_be_tiled,
        no_data: conversion.no_data,
        no_data_count: intake.map(|intake| intake.no_data_count),
        values,
        heights,
        missing,
        warnings,
    }
}
