//! Raw files: nothing but numbers, row by row.

use std::io::{BufReader, Read};

use crate::error::RasterError;
use crate::raster::checked_size;
use crate::read::intake::Intake;
use crate::read::source::{Input, Source};
use crate::reading::ByteOrder;
use crate::warning::Warning;

/// Loads a file of 16-bit integers or of 32-bit floating-point numbers: of `bytes` each.
pub(super) fn load(input: Input, bytes: usize) -> Result<(Source, Intake), RasterError> {
    let mut missing = Vec::new();
    let Input { len, reading, .. } = input;
    let samples = len / bytes as u64;
    let is_whole = len.is_multiple_of(bytes as u64);
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
    let needed = checked_size(size)? * bytes;
    if needed as u64 != len {
        let [columns, rows] = size;
        return Err(RasterError::damaged(format!(
            "{columns} x {rows} samples of {bytes} bytes need {needed} bytes, but there are {len}"
        )));
    }
    let mut intake = Intake::new(size, None, None, reading)?;
    let mut reader = BufReader::new(input.file);
    let mut row = vec![0; size[0] * bytes];
    let mut roughness = [0.0; 2];
    for j in 0..size[1] {
        reader.read_exact(&mut row)?;
        if order == ByteOrder::BigEndian {
            row.chunks_exact_mut(bytes).for_each(<[u8]>::reverse);
        }
        let start = j * size[0];
        if bytes == 2 {
            let values = || row.chunks_exact(2).map(|b| u16::from_le_bytes([b[0], b[1]]));
            intake.take(start, values().map(f64::from));
            roughness[0] += rough(values());
            roughness[1] += rough(values().map(u16::swap_bytes));
        } else {
            let values = row.chunks_exact(4).map(|b| f32::from_le_bytes([b[0], b[1], b[2], b[3]]));
            intake.take(start, values.map(f64::from));
        }
    }
    let mut warnings = Vec::new();
    if roughness[0] > 4.0 * roughness[1] {
        warnings.push(Warning::ByteOrder);
    }
    if reading.size.is_none() {
        let side = size[0];
        warnings.push(Warning::Assumed(format!(
            "the size {side} x {side} is inferred from the length; else give Reading::size"
        )));
    }
    let kind = if bytes == 2 { "16-bit unsigned integer" } else { "32-bit float" };
    let order = if order == ByteOrder::BigEndian { "big endian" } else { "little endian" };
    let source = Source {
        sample_type: format!("{kind}, {order}"),
        size,
        georeference: None,
        has_assumed_unit: false,
        warnings,
    };
    Ok((source, intake))
}

/// The sum of differences between neighbours.
fn rough(values: impl Iterator<Item = u16> + Clone) -> f64 {
    let pairs = values.clone().zip(values.skip(1));
    pairs.map(|(a, b)| f64::from(a.abs_diff(b))).sum()
}
