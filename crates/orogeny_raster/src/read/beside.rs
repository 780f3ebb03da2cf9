//! Files beside an image: world files and .prj files, which say where it lies, and those of GDAL.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use crate::error::RasterError;
use crate::read::crs::{Horizontal, horizontal, stretched};
use crate::read::geo_tags::{Keys, check_degrees};
use crate::read::place::{Coordinates, Georeference};
use crate::read::projection::{Ellipsoid, Projection};
use crate::read::units::{Length, Number, parse};
use crate::read::wkt::{self, System};
use crate::report::Warning;

/// The most bytes of such a file that are read.
const MOST: u64 = 1 << 20;
/// Steps below are taken for degrees, if all samples can be on Earth then.
const DEGREES: f64 = 0.2;
const REMARK: &str = " (from a world file)";

/// Where a world file beside an image of `size` places it, and whether columns and rows are
/// mirrored. Its units are those that the image's `keys` name, or a .prj file.
pub(super) fn world_file(
    image: &Path,
    size: [usize; 2],
    keys: Option<&Keys>,
    warnings: &mut Vec<Warning>,
) -> Result<Option<(Georeference, [bool; 2])>, RasterError> {
    let Some((path, text)) = endings(image).iter().find_map(|ending| beside(image, ending)) else {
        return Ok(None);
    };
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let Some([x, d, b, z, east, north]) = numbers(&text) else {
        warnings.push(Warning::Assumed(format!("{name} has not the six numbers of a world file")));
        return Ok(None);
    };
    if d != 0.0 || b != 0.0 {
        return Err(RasterError::unsupported(format!(
            "it is rotated or sheared ({name}); export it with the north up"
        )));
    }
    if x == 0.0 || z == 0.0 {
        warnings.push(Warning::Assumed(format!("{name} has steps of 0, and is not used")));
        return Ok(None);
    }
    let own = match keys {
        Some(keys) => horizontal(keys, warnings)?,
        None => None,
    };
    let own = own.or_else(|| projection_file(image, warnings));
    let Horizontal { coordinates, factor, epsg, ellipsoid } = own.unwrap_or_else(|| {
        let last = [east + (size[0] - 1) as f64 * x, north + (size[1] - 1) as f64 * z];
        let on_earth =
            [[east, north], last].iter().all(|p| p[0].abs() <= 360.0 && p[1].abs() <= 90.0);
        let (unit, coordinates) = match on_earth && x.abs().max(z.abs()) < DEGREES {
            true => ("degrees", Coordinates::Degrees),
            false => {
                let projection = Projection::True;
                ("metres", Coordinates::Projected { unit: Length::METRE, projection })
            }
        };
        warnings.push(Warning::Assumed(format!(
            "{name} says no unit: its steps of {x} by {z} are taken for {unit}; else give \
             Reading::spacing"
        )));
        Horizontal { coordinates, factor: 1.0, epsg: None, ellipsoid: Ellipsoid::WGS84 }
    });
    // A world file places the centre of the first pixel.
    let [first, step] = [[east, north], [x, -z]].map(|pair| pair.map(|x| x * factor));
    if coordinates == Coordinates::Degrees {
        check_degrees(first, step)?;
    }
    let georeference = Georeference { first, step, coordinates, ellipsoid, epsg, remark: REMARK };
    Ok(Some(georeference.upright(size)))
}

/// The first six numbers of a text; `None` if they are not finite, or fewer.
fn numbers(text: &str) -> Option<[f64; 6]> {
    let mut numbers = text.split_whitespace().map_while(|number| match parse(number) {
        Some(Number::Whole(number)) if number.is_finite() => Some(number),
        _ => None,
    });
    let mut all = [0.0; 6];
    for number in &mut all {
        *number = numbers.next()?;
    }
    Some(all)
}

/// What a .prj file beside an image says.
fn projection_file(image: &Path, warnings: &mut Vec<Warning>) -> Option<Horizontal> {
    let (_, text) = beside(image, "prj")?;
    let System { horizontal, vertical } = wkt::read(&text);
    if let Some(metres) = vertical.filter(|metres| (metres - 1.0).abs() > 1e-9) {
        warnings.push(Warning::Assumed(format!(
            "the heights of its .prj file are in units of {metres} m, which is not used: give \
             Reading::height_scale = Some({metres:?}) if those of the image are"
        )));
    }
    if horizontal.as_ref().is_some_and(|found| found.coordinates.is_stretched()) {
        warnings.push(stretched("the projection of its .prj file"));
    }
    horizontal
}

/// Warnings of files beside an image that GDAL reads and this reader does not.
pub(super) fn ignored(image: &Path) -> Vec<Warning> {
    let mut warnings = Vec::new();
    let longer = |ending: &str| {
        let mut path = image.as_os_str().to_owned();
        path.push(ending);
        PathBuf::from(path)
    };
    let name = image.file_name().unwrap_or_default().to_string_lossy();
    if longer(".msk").is_file() {
        warnings.push(Warning::Assumed(format!(
            "the mask {name}.msk is not read: without data is only what the image itself says"
        )));
    }
    let says: Vec<_> = read(&longer(".aux.xml")).map_or(Vec::new(), |text| {
        ["SRS", "GeoTransform", "NoDataValue", "UnitType", "Scale", "Offset"]
            .into_iter()
            .filter(|tag| [">", " "].iter().any(|end| text.contains(&format!("<{tag}{end}"))))
            .collect()
    });
    if !says.is_empty() {
        warnings.push(Warning::Assumed(format!(
            "{name}.aux.xml has {}, which is not read: write it into the image (gdal_translate), \
             or give it in Reading",
            says.join(", ")
        )));
    }
    warnings
}

/// The endings of world files: of "tif" they are "tfw", "tifw" and "wld".
fn endings(image: &Path) -> Vec<String> {
    let own = image.extension().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
    let mut all = Vec::new();
    if let (Some(first), Some(last)) = (own.chars().next(), own.chars().last()) {
        all.extend([format!("{first}{last}w"), format!("{own}w")]);
    }
    all.push("wld".into());
    all
}

/// A file with the name of an image and another ending, in any case.
fn beside(image: &Path, ending: &str) -> Option<(PathBuf, String)> {
    let mut capital = ending.to_owned();
    capital[..1].make_ascii_uppercase();
    [ending.to_owned(), ending.to_ascii_uppercase(), capital].into_iter().find_map(|ending| {
        let path = image.with_extension(ending);
        read(&path).map(|text| (path, text))
    })
}

/// The text of a file; `None` if there is none, or no text.
fn read(path: &Path) -> Option<String> {
    let file = File::open(path).ok().filter(|_| path.is_file())?;
    let mut bytes = Vec::new();
    file.take(MOST).read_to_end(&mut bytes).ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}
