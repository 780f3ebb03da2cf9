//! The tags of a GeoTIFF: where it lies, and in which units.
//!
//! OGC GeoTIFF Standard 1.1 (OGC 19-008r4), and the tags of GDAL.

use tiff::TiffError;
use tiff::tags::Tag;

use crate::error::RasterError;
use crate::read::source::{Coordinates, Georeference, Unit};
use crate::read::tiff::{Tiff, problem};
use crate::warning::Warning;

/// A US survey foot in metres.
const SURVEY_FOOT: f64 = 1200.0 / 3937.0;
/// GDAL_METADATA: XML that may have a scale and an offset of heights.
const GDAL_METADATA: Tag = Tag::Unknown(42112);

pub(super) struct GeoTags {
    pub georeference: Option<Georeference>,
    pub unit: Unit,
    pub no_data: Option<f64>,
    pub warnings: Vec<Warning>,
}

impl GeoTags {
    pub fn read(tiff: &mut Tiff) -> Result<Self, RasterError> {
        let mut warnings = Vec::new();
        let keys = Keys::read(tiff)?;
        let georeference = georeference(tiff, &keys, &mut warnings)?;
        let no_data = match text(tiff, Tag::GdalNodata)? {
            Some(text) => Some(parse(&text).ok_or_else(|| {
                RasterError::damaged(format!("GDAL_NODATA is {text:?}, which is no number"))
            })?),
            None => None,
        };
        let unit = unit(tiff, &keys)?;
        if matches!(keys.get(3076), Some(9002 | 9003)) && keys.get(4099).is_none() {
            warnings.push(Warning::Assumed(
                "its lengths are in feet, so its heights may be, too: then give \
                 Reading::height_scale = Some(0.3048)"
                    .into(),
            ));
        }
        Ok(Self { georeference, unit, no_data, warnings })
    }
}

/// The geo keys: numbers by their identifiers.
struct Keys(Vec<[u16; 4]>);

impl Keys {
    fn read(tiff: &mut Tiff) -> Result<Self, RasterError> {
        let tag = tiff.find_tag_unsigned_vec::<u16>(Tag::GeoKeyDirectoryTag).map_err(problem)?;
        let Some(directory) = tag else { return Ok(Self(Vec::new())) };
        let (entries, _) = directory.as_chunks::<4>();
        let Some(([_, _, _, count], entries)) = entries.split_first() else {
            return Err(RasterError::damaged("its GeoKeyDirectory is too short"));
        };
        let entries = entries.get(..usize::from(*count)).ok_or_else(|| {
            RasterError::damaged(format!("its GeoKeyDirectory has less than {count} keys"))
        })?;
        Ok(Self(entries.to_vec()))
    }

    /// The value of a key that is stored in the directory itself.
    fn get(&self, id: u16) -> Option<u16> {
        let [_, location, _, value] = self.0.iter().find(|entry| entry[0] == id)?;
        (*location == 0).then_some(*value)
    }
}

/// Where the first sample is, and the step of samples.
fn georeference(
    tiff: &mut Tiff,
    keys: &Keys,
    warnings: &mut Vec<Warning>,
) -> Result<Option<Georeference>, RasterError> {
    let Some([corner, step]) = corner_and_step(tiff)? else { return Ok(None) };
    if step.iter().chain(&corner).any(|x| !x.is_finite()) || step.contains(&0.0) {
        return Err(RasterError::damaged(format!(
            "its georeference is absurd: the first sample at {corner:?}, steps of {step:?}"
        )));
    }
    if !step.iter().all(|&x| x > 0.0) {
        return Err(RasterError::unsupported(
            "its rows run north or its columns west; export it with the north up",
        ));
    }
    // 1: a pixel is an area, and the tags place its corner. 2: it is a point.
    let is_point = keys.get(1025) == Some(2);
    let half = if is_point { 0.0 } else { 0.5 };
    let first = [corner[0] + half * step[0], corner[1] - half * step[1]];
    let remark = if is_point { " (pixels are points)" } else { " (pixels are areas)" };
    let (coordinates, epsg) = match keys.get(1024) {
        Some(1) => projected(keys, warnings)?,
        Some(2) => {
            if let Some(unit) = keys.get(2054).filter(|&unit| unit != 9102) {
                return Err(RasterError::unsupported(format!(
                    "its angles are in the unit EPSG:{unit}, but must be in degrees (9102)"
                )));
            }
            (Coordinates::Degrees, keys.get(2048))
        }
        other => {
            let model = other.map_or("no model type".into(), |model| format!("model type {model}"));
            warnings.push(Warning::Assumed(format!(
                "its georeference is not used: it has {model}, so whether steps of {step:?} are \
                 metres or degrees is unknown"
            )));
            return Ok(None);
        }
    };
    if coordinates == Coordinates::Degrees {
        let is_on_earth = first[1].abs() <= 90.0 && first[0].abs() <= 540.0 && step[1] < 90.0;
        if !is_on_earth {
            return Err(RasterError::damaged(format!(
                "its georeference is absurd: {first:?} are no longitude and latitude in degrees"
            )));
        }
    }
    let epsg = epsg.filter(|&code| code != 32767);
    Ok(Some(Georeference { first, step, coordinates, epsg, remark }))
}

/// The coordinates of the corner of the first pixel, or of its centre, and the steps to the east
/// and to the south.
fn corner_and_step(tiff: &mut Tiff) -> Result<Option<[[f64; 2]; 2]>, RasterError> {
    if let Some(m) = numbers(tiff, Tag::ModelTransformationTag)? {
        if m.len() != 16 {
            return Err(RasterError::damaged("its ModelTransformation has not 16 numbers"));
        }
        if m[1] != 0.0 || m[4] != 0.0 {
            return Err(RasterError::unsupported(
                "it is rotated or sheared (ModelTransformation); export it with the north up",
            ));
        }
        return Ok(Some([[m[3], m[7]], [m[0], -m[5]]]));
    }
    let scale = numbers(tiff, Tag::ModelPixelScaleTag)?;
    let tie = numbers(tiff, Tag::ModelTiepointTag)?;
    match (scale, tie) {
        (Some(scale), Some(tie)) if scale.len() >= 2 && tie.len() >= 6 => {
            let [x, z] = [scale[0], scale[1]];
            Ok(Some([[tie[3] - tie[0] * x, tie[4] + tie[1] * z], [x, z]]))
        }
        (None, None) => Ok(None),
        (None, Some(tie)) if tie.len() > 6 => Err(RasterError::unsupported(
            "it is placed by ground control points; warp it to a projection with the north up",
        )),
        _ => Err(RasterError::damaged(
            "its georeference needs both ModelPixelScale (2 or 3 numbers) and ModelTiepoint (6)",
        )),
    }
}

fn projected(
    keys: &Keys,
    warnings: &mut Vec<Warning>,
) -> Result<(Coordinates, Option<u16>), RasterError> {
    let epsg = keys.get(3072);
    if epsg == Some(3857) {
        return Ok((Coordinates::WebMercator, epsg));
    }
    let (metres, unit) = match keys.get(3076) {
        Some(code) => length(code).ok_or_else(|| {
            RasterError::unsupported(format!(
                "its lengths are in the unit EPSG:{code}, but must be metres or feet"
            ))
        })?,
        None => {
            warnings.push(Warning::Assumed(
                "the projection names no unit of lengths: metres are assumed; else give \
                 Reading::spacing"
                    .into(),
            ));
            (1.0, "metres")
        }
    };
    Ok((Coordinates::Projected(metres, unit), epsg))
}

/// A unit of lengths in metres, and its name, by its EPSG code.
fn length(code: u16) -> Option<(f64, &'static str)> {
    match code {
        9001 => Some((1.0, "metres")),
        9002 => Some((0.3048, "feet")),
        9003 => Some((SURVEY_FOOT, "US survey feet")),
        _ => None,
    }
}

/// The unit of heights.
fn unit(tiff: &mut Tiff, keys: &Keys) -> Result<Unit, RasterError> {
    let metadata = text(tiff, GDAL_METADATA)?.unwrap_or_default();
    let scale = item(&metadata, "scale")?.unwrap_or(1.0);
    let offset = item(&metadata, "offset")?.unwrap_or(0.0);
    let (metres, source) = match keys.get(4099) {
        Some(code) => {
            let (metres, name) = length(code).ok_or_else(|| {
                RasterError::unsupported(format!(
                    "its heights are in the unit EPSG:{code}, but must be metres or feet"
                ))
            })?;
            (metres, format!("{name} in the file"))
        }
        None => (1.0, "assumed metres".into()),
    };
    let scaled = scale != 1.0 || offset != 0.0;
    let source =
        if scaled { source + ", with the scale and offset of GDAL_METADATA" } else { source };
    Ok(Unit { scale: scale * metres, offset: offset * metres, source })
}

/// The number of `<Item .. role="scale">0.1</Item>` in the metadata of GDAL.
fn item(metadata: &str, role: &str) -> Result<Option<f64>, RasterError> {
    let Some((_, rest)) = metadata.split_once(&format!("role=\"{role}\"")) else {
        return Ok(None);
    };
    let number = rest.split_once('>').and_then(|(_, rest)| rest.split_once('<'));
    let number = number.and_then(|(number, _)| parse(number)).filter(|x| x.is_finite());
    number.map(Some).ok_or_else(|| {
        RasterError::damaged(format!("its GDAL_METADATA has a {role} that is no number"))
    })
}

fn parse(text: &str) -> Option<f64> {
    text.trim_matches(|c: char| c.is_whitespace() || c == '\0').parse().ok()
}

fn numbers(tiff: &mut Tiff, tag: Tag) -> Result<Option<Vec<f64>>, RasterError> {
    let value = tiff.find_tag(tag).map_err(problem)?;
    value.map(|value| value.into_f64_vec()).transpose().map_err(|e| named(e, tag))
}

fn text(tiff: &mut Tiff, tag: Tag) -> Result<Option<String>, RasterError> {
    let value = tiff.find_tag(tag).map_err(problem)?;
    value.map(|value| value.into_string()).transpose().map_err(|e| named(e, tag))
}

fn named(error: TiffError, tag: Tag) -> RasterError {
    RasterError::damaged(format!("its tag {tag:?} cannot be read: {error}"))
}
