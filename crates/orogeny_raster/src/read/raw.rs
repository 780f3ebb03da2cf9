//! Raw files: nothing but numbers, row by row.

use crate::error::RasterError;
use crate::raster::{checked_size, checked_tiled_size};
use crate::read::conversion::Conversion;
use crate::read::intake::Intake;
use crate::read::raw_samples::{RawSamples, RawType, RawWindow, load_rows};
use crate::read::resources::Share;
use crate::read::source::{Input, Source};
use crate::read::survey::Survey;
use crate::reading::ByteOrder;
use crate::warning::Warning;

/// Loads a whole file.
pub(super) fn load(input: Input, kind: RawType) -> Result<(Source, Intake), RasterError> {
    let (source, samples) = header(&input, kind)?;
    checked_size(source.size)?;
    let conversion = Conversion::new(None, None, input.reading);
    let mut intake = Intake::new(source.size, conversion, Survey::new(kind == RawType::U16))?;
    load_rows(input.file, &samples, &mut intake)?;
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
    Ok((source, conversion.clone(), RawWindow::new(file, samples, conversion)))
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
    let mut source = Source::plain(format!("{name}, {end}"), size);
    source.can_be_tiled = true;
    source.warnings = warnings;
    Ok((source, RawSamples { size, kind, order }))
}
