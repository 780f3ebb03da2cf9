//! The tags of a GeoTIFF: where it lies, and in which units.
//!
//! OGC GeoTIFF Standard 1.1 (OGC 19-008r4), and the tags of GDAL.

use tiff::TiffError;
use tiff::tags::Tag;

use crate::error::RasterError;
use crate::read::crs::{Vertical, differ, horizontal, vertical};
use crate::read::place::{Coordinates, Georeference};
use crate::read::tiff::{Tiff, problem};
use crate::read::units::{Length, Number, Unit, parse};
use crate::report::Warning;

/// GDAL_METADATA: XML that may have a scale, an offset and a unit of heights.
const GDAL_METADATA: Tag = Tag::Unknown(42112);

pub(super) struct GeoTags {
    /// Where it lies, and whether columns and rows are mirrored.
    pub place: Option<(Georeference, [bool; 2])>,
    /// Whether it says where it lies, even if that cannot be used.
    pub has_place: bool,
    pub keys: Keys,
    pub unit: Unit,
    pub no_data: Option<f64>,
    pub warnings: Vec<Warning>,
}

impl GeoTags {
    /// Reads the tags of an image of `size`.
    pub fn read(tiff: &mut Tiff, size: [usize; 2]) -> Result<Self, RasterError> {
        let mut warnings = Vec::new();
        let keys = Keys::read(tiff)?;
        let grid = Grid::read(tiff, &mut warnings)?;
        let has_place = grid.is_some();
        let place = match &grid {
            Some(grid) => georeference(grid, &keys, &mut warnings)?,
            None => None,
        };
        let mut said = |tag, name: &str| match text(tiff, tag) {
            Ok(text) => text,
            Err(_) => {
                let what = format!("{name} is no text in UTF-8, and not used");
                warnings.push(Warning::Assumed(what));
                None
            }
        };
        let no_data_text = said(Tag::GdalNodata, "GDAL_NODATA");
        let metadata = said(GDAL_METADATA, "GDAL_METADATA").unwrap_or_default();
        let no_data = no_data_text.and_then(|text| no_data(&text, &mut warnings));
        let mut band = Band::read(&metadata, &mut warnings);
        let vertical = vertical(&keys);
        if let Some([scale, offset]) = grid.and_then(|grid| grid.heights) {
            // As in GDAL, they count in GeoTIFF 1.1 if there is a vertical system.
            if keys.revision == 1 && vertical.is_some() && scale != 0.0 {
                (band.scale, band.offset) = (Some(scale), Some(offset));
            } else if ![0.0, 1.0].contains(&scale) || offset != 0.0 {
                warnings.push(Warning::Assumed(format!(
                    "its georeference scales heights by {scale} and adds {offset}, which is not \
                     used, since the file is no GeoTIFF 1.1 with a vertical system; else give \
                     Reading::height_scale and height_offset"
                )));
            }
        }
        let lengths = place.as_ref().and_then(|place| match &place.coordinates {
            Coordinates::Projected { unit, .. } => Some(*unit),
            Coordinates::Degrees => None,
        });
        let unit = unit(band, vertical, lengths);
        let place = place.map(|place| place.upright(size));
        Ok(Self { place, has_place, keys, unit, no_data, warnings })
    }
}

/// The declared value of samples without data. A text that is no number declares none.
fn no_data(text: &str, warnings: &mut Vec<Warning>) -> Option<f64> {
    let shown = text.trim_matches(|c: char| c.is_whitespace() || c == '\0');
    match parse(text) {
        Some(Number::Whole(value)) => Some(value),
        Some(Number::Start(value)) => {
            warnings.push(Warning::Assumed(format!(
                "GDAL_NODATA is {shown:?}, which is taken for {value}; else give Reading::no_data"
            )));
            Some(value)
        }
        None => {
            warnings.push(Warning::Assumed(format!(
                "GDAL_NODATA is {shown:?}, which is no number and not used; if some value marks \
                 missing data, give it as Reading::no_data"
            )));
            None
        }
    }
}

/// Where samples lie, in units of the file.
struct Grid {
    /// The corner of the first pixel, or its centre.
    corner: [f64; 2],
    /// The steps to the east and to the south, which may be negative.
    step: [f64; 2],
    /// The scale and the offset of heights.
    heights: Option<[f64; 2]>,
}

/// Where the first sample is, and the step of samples, which may be negative.
fn georeference(
    &Grid { corner, step, .. }: &Grid,
    keys: &Keys,
    warnings: &mut Vec<Warning>,
) -> Result<Option<Georeference>, RasterError> {
    if step.iter().chain(&corner).any(|x| !x.is_finite()) || step.contains(&0.0) {
        return Err(RasterError::damaged(format!(
            "its georeference is absurd: the first sample at {corner:?}, steps of {step:?}"
        )));
    }
    let Some(found) = horizontal(keys, warnings)? else {
        let model =
            keys.get(1024).map_or("no model type".into(), |model| format!("model type {model}"));
        warnings.push(Warning::Assumed(format!(
            "its georeference is not used: it has {model}, so whether steps of {step:?} are metres \
             or degrees is unknown"
        )));
        return Ok(None);
    };
    let [corner, step] = [corner, step].map(|pair| pair.map(|x| x * found.factor));
    // 1: a pixel is an area, and the tags place its corner. 2: it is a point.
    let is_point = keys.get(1025) == Some(2);
    let half = if is_point { 0.0 } else { 0.5 };
    let first = [corner[0] + half * step[0], corner[1] - half * step[1]];
    let remark = if is_point { " (pixels are points)" } else { " (pixels are areas)" };
    let (coordinates, ellipsoid, epsg) = (found.coordinates, found.ellipsoid, found.epsg);
    if coordinates == Coordinates::Degrees {
        check_degrees(first, step)?;
    }
    Ok(Some(Georeference { first, step, coordinates, ellipsoid, epsg, remark }))
}

/// Checks that a sample and steps are on Earth.
pub(super) fn check_degrees(first: [f64; 2], step: [f64; 2]) -> Result<(), RasterError> {
    if first[1].abs() <= 90.0 && first[0].abs() <= 540.0 && step[1].abs() < 90.0 {
        return Ok(());
    }
    Err(RasterError::damaged(format!(
        "its georeference is absurd: {first:?} are no longitude and latitude in degrees"
    )))
}

impl Grid {
    /// `None` if the file says nothing of it.
    fn read(tiff: &mut Tiff, warnings: &mut Vec<Warning>) -> Result<Option<Self>, RasterError> {
        let scale = numbers(tiff, Tag::ModelPixelScaleTag)?;
        let tie = numbers(tiff, Tag::ModelTiepointTag)?;
        match (scale, tie, numbers(tiff, Tag::ModelTransformationTag)?) {
            (Some(scale), Some(tie), _) if scale.len() >= 2 && tie.len() >= 6 => {
                let [x, mut z] = [scale[0], scale[1]];
                if z < 0.0 {
                    warnings.push(Warning::Assumed(format!(
                        "its pixels have a height of {z}: the north is taken to be up, as GDAL does"
                    )));
                    z = -z;
                }
                let heights = scale.get(2).map(|scale| [*scale, tie[5] - tie[2] * scale]);
                let heights = heights.filter(|pair| pair.iter().all(|x| x.is_finite()));
                let corner = [tie[3] - tie[0] * x, tie[4] + tie[1] * z];
                Ok(Some(Self { corner, step: [x, z], heights }))
            }
            (_, _, Some(m)) if m.len() != 16 => {
                Err(RasterError::damaged("its ModelTransformation has not 16 numbers"))
            }
            (_, _, Some(m)) if m[1] != 0.0 || m[4] != 0.0 => Err(RasterError::unsupported(
                "it is rotated or sheared (ModelTransformation); export it with the north up",
            )),
            (_, _, Some(m)) => {
                Ok(Some(Self { corner: [m[3], m[7]], step: [m[0], -m[5]], heights: None }))
            }
            (None, None, None) => Ok(None),
            (None, Some(tie), None) if tie.len() > 6 => Err(RasterError::unsupported(
                "it is placed by ground control points; warp it to a projection with the north up",
            )),
            _ => Err(RasterError::damaged(
                "its georeference needs both ModelPixelScale (2 or 3 numbers) and ModelTiepoint \
                 (6)",
            )),
        }
    }
}

/// The unit of heights: that of the band, of the vertical system, or metres. `lengths` is the unit
/// of the horizontal system.
fn unit(band: Band, vertical: Option<Vertical>, lengths: Option<Length>) -> Unit {
    let named = band.unit.as_ref().map(|name| (name, Length::of_name(name)));
    let (unit, source, doubts) = match (named, vertical) {
        (Some((name, Some(unit))), vertical) => {
            let other = vertical.filter(|other| differ(&other.unit, &unit)).map(|other| {
                format!(
                    "the band's heights are in {name:?}, while the file has {}: {} are taken; else \
                     give Reading::height_scale",
                    other.source, unit.name
                )
            });
            (unit, format!("{} of the band in the file", unit.name), other.into_iter().collect())
        }
        (Some((name, None)), _) => {
            let what = format!(
                "the unit of heights is {name:?}, which is none that is known: metres are assumed; \
                 else give Reading::height_scale"
            );
            (Length::METRE, "assumed metres".into(), vec![what])
        }
        (None, Some(Vertical { unit, source, doubts })) => (unit, source, doubts),
        (None, None) => {
            let feet = lengths.filter(Length::is_foot).map_or_else(
                || "else give Reading::height_scale".into(),
                |feet| {
                    format!(
                        "its lengths are in {}, so its heights may be, too: then give \
                         Reading::height_scale = Some({:?})",
                        feet.name, feet.metres
                    )
                },
            );
            let what = format!("the file names no unit of heights: metres are assumed; {feet}");
            (Length::METRE, "assumed metres".into(), vec![what])
        }
    };
    Unit {
        scale: band.scale.unwrap_or(1.0),
        offset: band.offset.unwrap_or(0.0),
        metres: unit.metres,
        source,
        doubts,
    }
}

pub(super) fn numbers(tiff: &mut Tiff, tag: Tag) -> Result<Option<Vec<f64>>, RasterError> {
    let value = tiff.find_tag(tag).map_err(problem)?;
    value.map(|value| value.into_f64_vec()).transpose().map_err(|e| named(e, tag))
}

pub(super) fn text(tiff: &mut Tiff, tag: Tag) -> Result<Option<String>, RasterError> {
    let value = tiff.find_tag(tag).map_err(problem)?;
    value.map(|value| value.into_string()).transpose().map_err(|e| named(e, tag))
}

fn named(error: TiffError, tag: Tag) -> RasterError {
    RasterError::damaged(format!("its tag {tag:?} cannot be read: {error}"))
}

/// What a key has if its value follows in other keys.
pub(super) const USER_DEFINED: u16 = 32767;

/// The geo keys of a file; none if it has none.
#[derive(Default)]
pub(super) struct Keys {
    /// The minor revision: 0 of GeoTIFF 1.0, 1 of 1.1.
    pub revision: u16,
    entries: Vec<[u16; 4]>,
    numbers: Vec<f64>,
    text: String,
}

impl Keys {
    pub fn read(tiff: &mut Tiff) -> Result<Self, RasterError> {
        let tag = tiff.find_tag_unsigned_vec::<u16>(Tag::GeoKeyDirectoryTag).map_err(problem)?;
        let Some(directory) = tag else { return Ok(Self::default()) };
        let (entries, _) = directory.as_chunks::<4>();
        let Some(([_, _, revision, count], entries)) = entries.split_first() else {
            return Err(RasterError::damaged("its GeoKeyDirectory is too short"));
        };
        let entries = entries.get(..usize::from(*count)).ok_or_else(|| {
            RasterError::damaged(format!("its GeoKeyDirectory has less than {count} keys"))
        })?;
        Ok(Self {
            revision: *revision,
            entries: entries.to_vec(),
            numbers: numbers(tiff, Tag::GeoDoubleParamsTag)?.unwrap_or_default(),
            // Names in other encodings say nothing that is needed.
            text: text(tiff, Tag::GeoAsciiParamsTag).ok().flatten().unwrap_or_default(),
        })
    }

    /// The value of a key that is stored in the directory itself.
    pub fn get(&self, id: u16) -> Option<u16> {
        let [_, location, _, value] = self.entries.iter().find(|entry| entry[0] == id)?;
        (*location == 0).then_some(*value)
    }

    /// The value of a key, unless it is user-defined.
    pub fn code(&self, id: u16) -> Option<u16> {
        self.get(id).filter(|&code| code != USER_DEFINED)
    }

    /// The number of a key.
    pub fn number(&self, id: u16) -> Option<f64> {
        let [_, location, _, value] = self.entries.iter().find(|entry| entry[0] == id)?;
        match *location {
            0 => Some(f64::from(*value)),
            34736 => self.numbers.get(usize::from(*value)).copied().filter(|x| x.is_finite()),
            _ => None,
        }
    }

    /// All texts of the keys, such as names.
    pub fn texts(&self) -> &str {
        &self.text
    }
}

/// What the metadata says of the first band.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Band {
    pub scale: Option<f64>,
    pub offset: Option<f64>,
    pub unit: Option<String>,
}

impl Band {
    /// Reads `<Item name=".." sample="0" role="scale">0.1</Item>`. Like GDAL, it ignores items of
    /// other bands and those that name no band.
    pub fn read(metadata: &str, warnings: &mut Vec<Warning>) -> Self {
        let mut band = Self::default();
        for item in metadata.split("<Item").skip(1) {
            let Some((tag, rest)) = item.split_once('>') else { continue };
            let text = if tag.ends_with('/') { "" } else { rest.split('<').next().unwrap_or("") };
            let text = plain(text.trim());
            if attribute(tag, "sample").is_none_or(|sample| sample.trim() != "0") {
                continue;
            }
            let mut number = |role: &str, is_fine: fn(f64) -> bool| match parse(&text) {
                Some(Number::Whole(number)) if number.is_finite() && is_fine(number) => {
                    Some(number)
                }
                _ => {
                    warnings.push(Warning::Assumed(format!(
                        "its {role} of heights is {text:?}, which cannot be, and is not used"
                    )));
                    None
                }
            };
            match attribute(tag, "role") {
                Some("scale") => band.scale = number("scale", |scale| scale != 0.0),
                Some("offset") => band.offset = number("offset", |_| true),
                Some("unittype") if !text.is_empty() => band.unit = Some(text),
                _ => {}
            }
        }
        band
    }
}

/// The value of an attribute of a tag.
fn attribute<'a>(tag: &'a str, name: &str) -> Option<&'a str> {
    let mut rest = tag;
    loop {
        let (before, after) = rest.split_once('=')?;
        let after = after.trim_start();
        let quote = after.chars().next().filter(|c| matches!(c, '"' | '\''))?;
        let (value, next) = after[1..].split_once(quote)?;
        if before.trim() == name {
            return Some(value);
        }
        rest = next;
    }
}

/// A text without the entities of XML.
fn plain(text: &str) -> String {
    [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'"), ("&amp;", "&")]
        .iter()
        .fold(text.to_owned(), |text, (entity, character)| text.replace(entity, character))
}
