//! Reads elevation files, and reports what they say.

mod beside;
mod codes;
mod crs;
mod exr;
mod geo_tags;
mod place;
mod png;
mod projection;
mod raw;
mod source;
pub(crate) mod survey;
mod tiff;
mod units;
pub(crate) mod window;
mod wkt;

use std::fs::File;
use std::path::Path;

use crate::error::RasterError;
use crate::field::spline::Frame;
use crate::raster::{MAX_SAMPLES, MAX_SIDE, Raster, checked_size};
use crate::read::place::Place;
use crate::read::raw::RawType;
use crate::read::source::{Input, Source};
use crate::read::survey::{Intake, Survey};
use crate::read::units::Conversion;
use crate::read::window::{Opened, Share, Window, flip};
use crate::reading::{Format, Reading};
use crate::report::{Report, Warning};

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
    match open(path, reading, Share::alone()) {
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
        let (format, input) = input(path, reading, false)?;
        let opened = opened(format, &input, share)?;
        let mirrored = mirrored(&opened.source, reading)?;
        let Opened { source, conversion, window, .. } = opened.flipped(mirrored);
        Ok((Said { format, source, conversion, mirrored }, window))
    };
    read().map_err(|e: RasterError| e.in_file(path))
}

fn opened(format: Format, input: &Input, share: Share) -> Result<Opened, RasterError> {
    match format {
        Format::GeoTiff => tiff::open(input, share),
        Format::Srtm => raw::open_srtm(input, &share),
        Format::Raw16 => raw::open(input, RawType::U16, &share),
        Format::Raw32 => raw::open(input, RawType::F32, &share),
        Format::Png | Format::Terrarium | Format::TerrainRgb | Format::Exr => {
            Err(RasterError::unsupported(format!(
                "an image of the format {format:?} is always read whole: use `read`, which takes \
                 up to {MAX_SIDE} samples a side and {MAX_SAMPLES} in all, or convert it to a \
                 tiled GeoTIFF"
            )))
        }
    }
}

/// A file with its format. `is_whole`: all of it is read at once.
fn input<'a>(
    path: &'a Path,
    reading: &'a Reading,
    is_whole: bool,
) -> Result<(Format, Input<'a>), RasterError> {
    reading.check()?;
    let mut file = File::open(path)?;
    let metadata = file.metadata()?;
    if !metadata.is_file() {
        return Err(RasterError::unsupported("it is not a file"));
    }
    let format = source::format(path, &mut file, reading)?;
    Ok((format, Input { path, file, len: metadata.len(), is_whole, reading }))
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
    let (format, input) = input(path, reading, true)?;
    let (source, intake) = match format {
        Format::Png => png::load(input)?,
        Format::Terrarium => png::load_colours(input, format, png::terrarium)?,
        Format::TerrainRgb => png::load_colours(input, format, png::terrain_rgb)?,
        Format::Exr => exr::load(input)?,
        format => opened(format, &input, Share::alone())?.load()?,
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
            overviews: source.overviews.clone(),
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

/// The pixels of an image.
pub(crate) struct Pixels {
    source: Source,
    pub channels: usize,
    /// The largest number: 255 or 65535.
    pub largest: u16,
    /// The numbers of the first pixel, then those of the second, row by row.
    pub values: Vec<u16>,
}

/// Reads all channels of an image of 8 or 16 bits, and where it lies.
pub(crate) fn pixels(path: &Path, reading: &Reading) -> Result<(Frame, Pixels), RasterError> {
    let (format, input) = input(path, reading, true)?;
    let mut pixels = match format {
        Format::Png => png::pixels(&input)?,
        Format::GeoTiff => tiff::pixels(&input)?,
        format => {
            return Err(RasterError::unsupported(format!(
                "weights are read from PNG and TIFF, not {format:?}"
            )));
        }
    };
    let (place, size) = (place::place(&pixels.source, reading), pixels.source.size);
    let (Some(spacing), Some(position)) = (place.spacing, place.position) else {
        return Err(RasterError::Missing(place.missing));
    };
    let mirrored = mirrored(&pixels.source, reading)?;
    flip(&mut pixels.values, size[0], pixels.channels, mirrored);
    Ok((Frame::new(size, spacing, position), pixels))
}
