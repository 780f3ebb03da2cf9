//! Reads elevation files, and reports what they say.

mod beside;
pub(crate) mod conversion;
mod crs;
mod crs_codes;
mod earth;
mod exr;
mod flipped;
mod gdal_metadata;
mod geo_keys;
mod geo_tags;
mod height_codes;
mod hgt;
mod intake;
mod number;
mod patched;
pub(crate) mod pixels;
mod place;
mod png;
mod projection;
mod raw;
mod raw_samples;
pub(crate) mod resources;
mod shared_file;
mod signature;
mod source;
pub(crate) mod survey;
mod tiff;
mod tiff_chunks;
mod tiff_directories;
mod tiff_window;
mod units;
pub(crate) mod window;
mod wkt;

use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use crate::error::RasterError;
use crate::raster::{MAX_SAMPLES, MAX_SIDE, Raster, checked_size};
use crate::read::conversion::Conversion;
use crate::read::flipped::{Flipped, flip};
use crate::read::intake::Intake;
use crate::read::place::Place;
use crate::read::raw_samples::RawType;
use crate::read::resources::{Resources, Share};
use crate::read::source::{Input, Source};
use crate::read::survey::Survey;
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
        let (said, intake) = load(path, reading)?;
        let report = said.report(Some(&intake.survey), reading);
        match (report.spacing, report.position) {
            (Some(spacing), Some(position)) if report.missing.is_empty() => {
                let mut heights = intake.heights;
                flip(&mut heights, report.size[0], 1, said.mirrored);
                let raster = Raster::new(report.size, spacing, position, heights)?;
                Ok((raster.on(said.place(reading).earth), report))
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
        Ok((said, _)) if checked_size(said.source.size).is_err() => {
            let mut report = said.report(None, reading);
            report.warnings.push(Warning::LargerThanMemory);
            Ok(report)
        }
        _ => {
            let loaded = load(path, reading);
            loaded
                .map(|(said, intake)| said.report(Some(&intake.survey), reading))
                .map_err(|e| e.in_file(path))
        }
    }
}

/// What a file says of its samples and of where they lie.
pub(crate) struct Said {
    format: Format,
    source: Source,
    conversion: Conversion,
    mirrored: [bool; 2],
}

/// Opens a file to read parts of it.
pub(crate) fn open(
    path: &Path,
    reading: &Reading,
    share: Share,
) -> Result<(Said, Box<dyn Window>), RasterError> {
    let read = || {
        let (format, input) = input(path, reading)?;
        let (source, conversion, inner): (_, _, Box<dyn Window>) = match format {
            Format::GeoTiff => boxed(tiff::open(input, share)?),
            Format::Srtm => boxed(hgt::open(input, &share)?),
            Format::Raw16 => boxed(raw::open(input, RawType::U16, &share)?),
            Format::Raw32 => boxed(raw::open(input, RawType::F32, &share)?),
            Format::Png | Format::Terrarium | Format::TerrainRgb | Format::Exr => {
                return Err(not_in_tiles(format));
            }
        };
        let (size, mirrored) = (source.size, mirrored(&source, reading)?);
        let window = match mirrored {
            [false, false] => inner,
            mirrored => Box::new(Flipped { inner, size, mirrored }),
        };
        Ok((Said { format, source, conversion, mirrored }, window))
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

/// Whether the columns of a file run from the east, and its rows from the south.
fn mirrored(source: &Source, reading: &Reading) -> Result<[bool; 2], RasterError> {
    let given = [("east_first", reading.east_first), ("south_first", reading.south_first)];
    match (source.mirrored, given.iter().find(|(_, is)| *is)) {
        (Some(_), Some((field, _))) => {
            let problem = "the file has a georeference, which says the order of its samples";
            Err(RasterError::setting(field, problem))
        }
        (said, _) => Ok(said.unwrap_or(given.map(|(_, is)| is))),
    }
}

/// What a file says, and its samples in the order of the file.
fn load(path: &Path, reading: &Reading) -> Result<(Said, Intake), RasterError> {
    let (format, input) = input(path, reading)?;
    let (source, intake) = match format {
        Format::GeoTiff => tiff::load(input)?,
        Format::Srtm => hgt::load(input)?,
        Format::Png => png::load(input)?,
        Format::Terrarium => png::load_colours(input, format, png::terrarium)?,
        Format::TerrainRgb => png::load_colours(input, format, png::terrain_rgb)?,
        Format::Exr => exr::load(input)?,
        Format::Raw16 => raw::load(input, RawType::U16)?,
        Format::Raw32 => raw::load(input, RawType::F32)?,
    };
    let mirrored = mirrored(&source, reading)?;
    Ok((Said { format, source, conversion: intake.conversion.clone(), mirrored }, intake))
}

impl Said {
    /// Where the samples lie.
    pub fn place(&self, reading: &Reading) -> Place {
        place::place(&self.source, reading)
    }

    /// The report, with what was seen of all samples, if they were read.
    pub fn report(&self, survey: Option<&Survey>, reading: &Reading) -> Report {
        let Self { format, source, conversion, .. } = self;
        let place = self.place(reading);
        let mut missing = place.missing;
        let unit = conversion.unit.clone();
        if unit.is_none() {
            missing.push(
                "Give Reading::height_scale, the height of one unit in metres: the format has none"
                    .into(),
            );
        }
        let samples = source.size[0] * source.size[1];
        let mut warnings = source.warnings.clone();
        warnings.extend(place.warnings);
        warnings.extend(conversion.warnings());
        if let Some(survey) = survey {
            warnings.extend(survey.warnings(conversion, samples, place.spacing));
        }
        let values = survey.and_then(Survey::values);
        let heights = unit.as_ref().and(values).map(|values| {
            let [a, b] = values.map(|value| conversion.height(value));
            [a.min(b), a.max(b)]
        });
        Report {
            format: *format,
            sample_type: source.sample_type.clone(),
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
            has_mask: source.has_mask,
            no_data: conversion.no_data,
            no_data_count: survey.map(|survey| samples - survey.count() as usize),
            values,
            heights,
            missing,
            warnings,
        }
    }
}
