//! Tiles of the Shuttle Radar Topography Mission: a degree square of big-endian 16-bit integers.

use crate::error::RasterError;
use crate::read::conversion::Conversion;
use crate::read::earth::Ellipsoid;
use crate::read::intake::Intake;
use crate::read::raw_samples::{RawSamples, RawType, RawWindow, load_rows};
use crate::read::resources::Share;
use crate::read::source::{Coordinates, Georeference, Input, Source, Unit};
use crate::read::survey::Survey;
use crate::reading::ByteOrder;

/// The value of voids.
const VOID: f64 = -32768.0;

/// Loads a whole tile.
pub(super) fn load(input: Input) -> Result<(Source, Intake), RasterError> {
    let (source, samples) = header(&input)?;
    let conversion = Conversion::new(Some(unit()), Some(VOID), input.reading);
    let mut intake = Intake::new(source.size, conversion, Survey::new(false))?;
    load_rows(input.file, &samples, &mut intake)?;
    Ok((source, intake))
}

/// Opens a tile to read parts of it.
pub(super) fn open(
    input: Input,
    share: &Share,
) -> Result<(Source, Conversion, RawWindow), RasterError> {
    let (source, samples) = header(&input)?;
    let conversion = Conversion::new(Some(unit()), Some(VOID), input.reading);
    let file = share.file(&input)?;
    Ok((source, conversion.clone(), RawWindow::new(file, samples, conversion)))
}

fn unit() -> Unit {
    Unit::metres("the format's")
}

/// What the length and the name of a file say.
fn header(input: &Input) -> Result<(Source, RawSamples), RasterError> {
    let side = [1201, 3601].into_iter().find(|side| side * side * 2 == input.len);
    let Some(side) = side.map(|side| side as usize) else {
        let len = input.len;
        return Err(RasterError::damaged(format!(
            "an .hgt file has 2884802 bytes (1201 x 1201 samples, 3 arc seconds) or 25934402 \
             (3601 x 3601, 1 arc second), but this one has {len}"
        )));
    };
    let name = input.path.file_stem().and_then(|name| name.to_str()).unwrap_or_default();
    let georeference = corner(name).map(|[longitude, latitude]| {
        let step = 1.0 / (side - 1) as f64;
        Georeference {
            // The name is that of the south-west corner, the first sample is in the north-west.
            first: [longitude, latitude + 1.0],
            step: [step; 2],
            coordinates: Coordinates::Degrees,
            ellipsoid: Ellipsoid::WGS84,
            epsg: Some(4326),
            remark: ", from the file's name",
        }
    });
    if georeference.is_none() && input.reading.spacing.is_none() {
        return Err(RasterError::Missing(vec![format!(
            "Rename it to its south-west corner, such as N45E006.hgt, or give Reading::spacing: \
             the name {name:?} says no latitude"
        )]));
    }
    let size = [side; 2];
    let mut source = Source::plain("16-bit signed integer, big endian", size);
    source.place(georeference.map(|georeference| (georeference, [false; 2])));
    source.can_be_tiled = true;
    Ok((source, RawSamples { size, kind: RawType::I16, order: ByteOrder::BigEndian }))
}

/// The longitude and the latitude of a name such as N45E006.
fn corner(name: &str) -> Option<[f64; 2]> {
    let name = name.as_bytes().get(..7)?;
    let sign = |letter: u8, plus: u8, minus: u8| match letter.to_ascii_uppercase() {
        letter if letter == plus => Some(1.0),
        letter if letter == minus => Some(-1.0),
        _ => None,
    };
    let number = |digits: &[u8]| {
        let digits = digits.iter().map(|d| d.is_ascii_digit().then(|| f64::from(d - b'0')));
        digits.into_iter().try_fold(0.0, |number, digit| Some(number * 10.0 + digit?))
    };
    let latitude = sign(name[0], b'N', b'S')? * number(&name[1..3])?;
    let longitude = sign(name[3], b'E', b'W')? * number(&name[4..7])?;
    let is_on_earth = (-90.0..90.0).contains(&latitude) && (-180.0..180.0).contains(&longitude);
    is_on_earth.then_some([longitude, latitude])
}
