//! Reads the first directory of a TIFF before the decoder does: checks that its values are within
//! the file, so that no memory is reserved for others, and finds the width to widen.

use std::io::{Read, Seek, SeekFrom};

use crate::error::RasterError;
use crate::read::widened::Patch;

/// The bytes of one value of each type from 1 on; 0 for types that do not exist.
const TYPES: [u64; 18] = [1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4, 0, 0, 8, 8, 8];

/// Checks a file of `len` bytes, and leaves it at its start. Returns how to widen the image to
/// whole tiles, if it is not, and its own width.
pub(super) fn check(
    mut file: impl Read + Seek,
    len: u64,
) -> Result<Option<(Patch, usize)>, RasterError> {
    let outcome = directory(&mut file, len);
    file.seek(SeekFrom::Start(0))?;
    outcome.map_err(|error| match error {
        RasterError::Io(error) if error.kind() == std::io::ErrorKind::UnexpectedEof => {
            RasterError::damaged("the TIFF is damaged: it ends within its directory")
        }
        error => error,
    })
}

fn directory(
    file: &mut (impl Read + Seek),
    len: u64,
) -> Result<Option<(Patch, usize)>, RasterError> {
    let mut start = [0; 4];
    file.read_exact(&mut start)?;
    let mut numbers = Numbers { file, is_big_endian: start[0] == b'M' };
    // The signature was checked: 42 or 43.
    let is_big = start.contains(&43);
    let width = if is_big { 8 } else { 4 };
    if is_big {
        numbers.read(4)?;
    }
    let offset = numbers.read(width)?;
    numbers.file.seek(SeekFrom::Start(offset))?;
    let count = numbers.read(if is_big { 8 } else { 2 })?;
    let (mut columns, mut tile) = (None, None);
    for _ in 0..count {
        let tag = numbers.read(2)?;
        let kind = numbers.read(2)?;
        let count = numbers.read(width)?;
        let size = kind.checked_sub(1).and_then(|kind| TYPES.get(kind as usize)).unwrap_or(&0);
        let bytes = count.saturating_mul(*size);
        if bytes <= width as u64 {
            let value_at = numbers.file.stream_position()?;
            // A short is at the start of the field.
            let used = if kind == 3 { 2 } else { width };
            let value = numbers.read(used)?;
            numbers.read(width - used)?;
            let is_number = matches!(kind, 3 | 4) && count == 1;
            match tag {
                256 if is_number => columns = Some((value_at, *size as usize, value)),
                322 if is_number => tile = Some(value),
                _ => {}
            }
            continue;
        }
        let offset = numbers.read(width)?;
        if offset.saturating_add(bytes) > len {
            return Err(RasterError::damaged(format!(
                "the TIFF is damaged: tag {tag} has {bytes} bytes at {offset}, but the file ends \
                 at {len}"
            )));
        }
    }
    let patch = columns.zip(tile).and_then(|((at, bytes, columns), tile)| {
        let wide = columns.checked_next_multiple_of(tile)?;
        let patch = Patch::new(at, wide, bytes, numbers.is_big_endian)?;
        (wide != columns).then_some((patch, columns as usize))
    });
    Ok(patch)
}

struct Numbers<'a, R> {
    file: &'a mut R,
    is_big_endian: bool,
}

impl<R: Read> Numbers<'_, R> {
    /// An unsigned integer of up to 8 bytes.
    fn read(&mut self, width: usize) -> Result<u64, RasterError> {
        let mut bytes = [0; 8];
        let bytes = &mut bytes[..width];
        self.file.read_exact(bytes)?;
        if !self.is_big_endian {
            bytes.reverse();
        }
        Ok(bytes.iter().fold(0, |number, &byte| number << 8 | u64::from(byte)))
    }
}
