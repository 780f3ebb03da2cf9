//! Numbers of one type, row by row, and nothing else: raw files, and tiles of the Shuttle Radar
//! Topography Mission, a degree square of big-endian 16-bit integers.

use std::io::{Read, Seek, SeekFrom};

use crate::error::RasterError;
use crate::raster::checked_tiled_size;
use crate::read::place::{Coordinates, Georeference};
use crate::read::projection::Ellipsoid;
use crate::read::source::{Input, Source};
use crate::read::survey::{Row, Survey, Surveyed};
use crate::read::units::{Conversion, Unit};
use crate::read::window::{Opened, Rect, Share, SharedFile, Window};
use crate::reading::ByteOrder;
use crate::report::Warning;

/// The samples along a side of a block that is surveyed. What neighbouring tiles read has more in
/// common, so each block is whole in what one of them reads.
const BLOCK: usize = 64;
/// The value of voids in an SRTM tile.
const VOID: f64 = -32768.0;

/// The type of a number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum RawType {
    U16,
    I16,
    F32,
}

impl RawType {
    fn bytes(self) -> usize {
        if self == Self::F32 { 4 } else { 2 }
    }
}

/// The numbers of a file, from its first byte to its last.
#[derive(Clone, Copy, Debug)]
struct Numbers {
    kind: RawType,
    order: ByteOrder,
}

impl Numbers {
    /// Appends the numbers that some bytes are.
    fn decode(self, bytes: &[u8], out: &mut Vec<f64>) {
        let is_little = self.order == ByteOrder::LittleEndian;
        match self.kind {
            RawType::U16 => extend(bytes, is_little, out, |b| u16::from_le_bytes(b).into()),
            RawType::I16 => extend(bytes, is_little, out, |b| i16::from_le_bytes(b).into()),
            RawType::F32 => extend(bytes, is_little, out, |b| f32::from_le_bytes(b).into()),
        }
    }
}

fn extend<const B: usize>(
    bytes: &[u8],
    is_little: bool,
    out: &mut Vec<f64>,
    number: impl Fn([u8; B]) -> f64,
) {
    let (all, _) = bytes.as_chunks::<B>();
    if is_little {
        out.extend(all.iter().map(|&b| number(b)));
    } else {
        out.extend(all.iter().map(|&b| {
            let mut b = b;
            b.reverse();
            number(b)
        }));
    }
}

/// Opens a raw file.
pub(super) fn open(input: &Input, kind: RawType, share: &Share) -> Result<Opened, RasterError> {
    let (source, order) = header(input, kind)?;
    let conversion = Conversion::new(None, None, input.reading);
    opened(input, share, source, conversion, Numbers { kind, order })
}

/// Opens an SRTM tile.
pub(super) fn open_srtm(input: &Input, share: &Share) -> Result<Opened, RasterError> {
    let source = srtm_header(input)?;
    let unit = Unit::metres("the format's");
    let conversion = Conversion::new(Some(unit), Some(VOID), input.reading);
    let numbers = Numbers { kind: RawType::I16, order: ByteOrder::BigEndian };
    opened(input, share, source, conversion, numbers)
}

fn opened(
    input: &Input,
    share: &Share,
    source: Source,
    conversion: Conversion,
    numbers: Numbers,
) -> Result<Opened, RasterError> {
    let (file, size) = (share.file(input)?, source.size);
    let [across, down] = size.map(|side| side.div_ceil(BLOCK));
    let surveyed = Surveyed::new(across * down, numbers.kind == RawType::U16);
    let window = RawWindow { file, size, numbers, conversion: conversion.clone(), surveyed };
    Ok(Opened { source, conversion, window: Box::new(window), rows: BLOCK })
}

/// A file of numbers.
struct RawWindow {
    file: SharedFile,
    size: [usize; 2],
    numbers: Numbers,
    conversion: Conversion,
    surveyed: Surveyed,
}

impl RawWindow {
    /// Surveys the blocks that a rectangle has whole, of its values and heights.
    fn survey(&self, part: Rect, values: &[f64], heights: &mut [f32]) {
        let end = part.end();
        let blocks = [0, 1].map(|k| {
            let is_last = end[k] == self.size[k];
            let last = if is_last { end[k].div_ceil(BLOCK) } else { end[k] / BLOCK };
            part.first[k].div_ceil(BLOCK)..last
        });
        let across = self.size[0].div_ceil(BLOCK);
        for (j, i) in blocks[1].clone().flat_map(|j| blocks[0].clone().map(move |i| (j, i))) {
            let Some(mut survey) = self.surveyed.claim(j * across + i) else { continue };
            let first = [i, j].map(|x| x * BLOCK);
            let size = [0, 1].map(|k| BLOCK.min(self.size[k] - first[k]));
            for (k, own) in part.rows(Rect { first, size }).enumerate() {
                let (before, heights) = heights.split_at_mut(own.start);
                let above = (k > 0).then(|| &before[own.start - part.size[0]..][..size[0]]);
                let index = ((first[1] + k) * self.size[0] + first[0]) as u64;
                let row = Row { index, above, mask: None };
                let values = values[own].iter().copied();
                survey.row(&self.conversion, &row, values, &mut heights[..size[0]]);
            }
            self.surveyed.add(&survey);
        }
    }
}

impl Window for RawWindow {
    fn read(&self, part: Rect, out: &mut [f32]) -> Result<(), RasterError> {
        let bytes = self.numbers.kind.bytes();
        let mut file = self.file.clone();
        let mut row = vec![0; part.size[0] * bytes];
        let mut values = Vec::new();
        let is_surveyed = self.surveyed.is_open();
        for (j, out) in (part.first[1]..).zip(out.chunks_exact_mut(part.size[0])) {
            let start = (j * self.size[0] + part.first[0]) * bytes;
            file.seek(SeekFrom::Start(start as u64))?;
            file.read_exact(&mut row)?;
            if !is_surveyed {
                values.clear();
            }
            let known = values.len();
            self.numbers.decode(&row, &mut values);
            for (out, value) in out.iter_mut().zip(&values[known..]) {
                *out = self.conversion.height_or_nan(*value);
            }
        }
        if is_surveyed {
            self.survey(part, &values, out);
        }
        Ok(())
    }

    fn finish_survey(&self) -> Option<Survey> {
        self.surveyed.finish()
    }
}

/// What the settings and the length of a raw file say, and its byte order.
fn header(input: &Input, kind: RawType) -> Result<(Source, ByteOrder), RasterError> {
    let mut missing = Vec::new();
    let (Input { len, reading, .. }, bytes) = (input, kind.bytes() as u64);
    let samples = len / bytes;
    let is_whole = len.is_multiple_of(bytes);
    let side = samples.isqrt();
    let size = match reading.size {
        Some(size) => Some(size),
        None if is_whole && side * side == samples => Some([side as usize; 2]),
        None => {
            missing.push(format!(
                "Give Reading::size: {len} bytes are no square of {bytes}-byte samples"
            ));
            None
        }
    };
    if reading.byte_order.is_none() {
        missing.push("Give Reading::byte_order: a raw file says none".into());
    }
    let (Some(size), Some(order)) = (size, reading.byte_order) else {
        return Err(RasterError::Missing(missing));
    };
    input.check(size)?;
    let needed = checked_tiled_size(size)? * bytes;
    if needed != *len {
        let [columns, rows] = size;
        return Err(RasterError::damaged(format!(
            "{columns} x {rows} samples of {bytes} bytes need {needed} bytes, but there are {len}"
        )));
    }
    let mut warnings = Vec::new();
    if reading.size.is_none() {
        let side = size[0];
        warnings.push(Warning::Assumed(format!(
            "the size {side} x {side} is inferred from the length; else give Reading::size"
        )));
    }
    let name = if kind == RawType::F32 { "32-bit float" } else { "16-bit unsigned integer" };
    let end = if order == ByteOrder::BigEndian { "big endian" } else { "little endian" };
    let mut source = Source::plain(format!("{name}, {end}"), size);
    source.can_be_tiled = true;
    source.warnings = warnings;
    Ok((source, order))
}

/// What the length and the name of an SRTM tile say.
fn srtm_header(input: &Input) -> Result<Source, RasterError> {
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
    Ok(source)
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
