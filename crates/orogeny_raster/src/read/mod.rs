//! Reads elevation files, and reports what they say.

mod earth;
mod geo_tags;
mod hgt;
mod intake;
mod place;
mod png;
mod raw;
mod signature;
mod source;
mod tiff;
mod tiff_directory;
mod widened;

use std::fs::File;
use std::path::Path;

use crate::error::RasterError;
use crate::raster::Raster;
use crate::read::intake::Intake;
use crate::read::source::{Input, Source};
use crate::reading::{Format, Reading};
use crate::report::Report;

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

/// Says what a file says and what looks wrong, also where something is missing.
///
/// # Errors
/// If the file cannot be read, is damaged or of an unsupported kind, or is larger than a raster
/// may be.
pub fn inspect(path: impl AsRef<Path>, reading: &Reading) -> Result<Report, RasterError> {
    let path = path.as_ref();
    load(path, reading).map(|(report, _)| report).map_err(|e| e.in_file(path))
}

/// The report and the heights of a file.
fn load(path: &Path, reading: &Reading) -> Result<(Report, Vec<f32>), RasterError> {
    reading.check()?;
    let mut file = File::open(path)?;
    let metadata = file.metadata()?;
    if !metadata.is_file() {
        return Err(RasterError::unsupported("it is not a file"));
    }
    let format = signature::format(path, &mut file, reading)?;
    let input = Input { path, file, len: metadata.len(), reading };
    let (source, intake) = match format {
        Format::GeoTiff => tiff::load(input)?,
        Format::Srtm => hgt::load(input)?,
        Format::Png => png::load(input)?,
        Format::Terrarium => png::load_terrarium(input)?,
        Format::Raw16 => raw::load(input, 2)?,
        Format::Raw32 => raw::load(input, 4)?,
    };
    Ok(report(format, source, intake, reading))
}

fn report(format: Format, source: Source, intake: Intake, reading: &Reading) -> (Report, Vec<f32>) {
    let place = place::place(&source, reading);
    let mut missing = place.missing;
    let unit = intake.unit.clone();
    if unit.is_none() {
        missing.push(
            "Give Reading::height_scale, the height of one unit in metres: the format has none"
                .into(),
        );
    }
    let mut warnings = source.warnings;
    warnings.extend(place.warnings);
    warnings.extend(intake.warnings(source.has_assumed_unit));
    warnings.extend(place.spacing.and_then(|s| intake.steepness(source.size, s)));
    let values = intake.values();
    let heights = unit.as_ref().and(values).map(|values| {
        let [a, b] = values.map(|value| intake.height(value));
        [a.min(b), a.max(b)]
    });
    let report = Report {
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
        no_data: intake.no_data,
        no_data_count: intake.no_data_count,
        values,
        heights,
        missing,
        warnings,
    };
    (report, intake.heights)
}
