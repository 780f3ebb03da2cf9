//! Raw files: nothing but numbers, row by row.

use std::io::{BufReader, Read};

use crate::error::RasterError;
use crate::raster::{checked_size, checked_tiled_size};
use crate::read::conversion::Conversion;
use crate::read::intake::Intake;
use crate::read::raw_samples::{RawSamples, RawType, RawWindow};
use crate::read::resources::Share;
use crate::read::source::{Input, Source};
use crate::reading::ByteOrder;
use crate::warning::Warning;

/// Loads a whole file.
pub(super) fn load(input: Input, kind: RawType) -> Result<(Source, Intake), RasterError> {
    let (mut source, samples) = header(&input, kind)?;
    let size = source.size;
    checked_size(size)?;
    let mut intake = Intake::new(size, None, None, input.reading)?;
    let mut reader = BufReader::new(input.file);
    let mut row = vec![0; size[0] * kind.bytes()];
    let mut values = Vec::with_capacity(size[0]);
    let mut roughness = [0.0; 2];
    for j in 0..size[1] {
        reader.read_exact(&mut row)?;
        samples.decode(&row, &mut values);
        intake.take(j * size[0], values.iter().copied());
        if kind == RawType::U16 {
            roughness[0] += rough(values.iter().map(|&x| x as u16));
            roughness[1] += rough(values.iter().map(|&x| (x as u16).swap_bytes()));
        }
    }
    if roughness[0] > 4.0 * roughness[1] {
        source.warnings.insert(0, Warning::ByteOrder);
    }
    Ok((source, intake))
}

/// Opens a file to read parts of it.
pub(super) fn open(
    input: Input,
    kind: RawType,
    share: &Share,
) -> Result<(Source, Conversion, RawWindow), RasterError> {
    let (source, samples) = header(&input, kind)?;
    let conversion = Conversion::new(None, None, input.reading);
    let file = share.file(&input)?;
    Ok((source, conversion.clone(), RawWindow { file, samples, conversion }))
}

/// The size and the type of the samples, from the settings and the length of the file.
fn header(input: &Input, kind: RawType) -> Result<(Source, RawSamples), RasterError> {
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
    let source = Source {
        sample_type: format!("{name}, {end}"),
        size,
        georeference: None,
        has_assumed_unit: false,
        can_be_tiled: true,
        warnings,
    };
    Ok((source, RawSamples { size, kind, order }))
}

/// The sum of differences between neighbours.
fn rough(values: impl Iterator<Item = u16> + Clone) -> f64 {
    let pairs = values.clone().zip(values.skip(1));
    pairs.map(|(a, b)| f64::from(a.abs_diff(b))).sum()
}
