//! Numbers of one type, row by row, and nothing else: raw files and SRTM tiles.

use std::io::{Read, Seek, SeekFrom};

use crate::error::RasterError;
use crate::read::conversion::Conversion;
use crate::read::shared_file::SharedFile;
use crate::read::window::Window;
use crate::reading::ByteOrder;

/// The type of a number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum RawType {
    U16,
    I16,
    F32,
}

/// The samples of a file, from its first byte to its last.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RawSamples {
    pub size: [usize; 2],
    pub kind: RawType,
    pub order: ByteOrder,
}

impl RawType {
    pub fn bytes(self) -> usize {
        if self == Self::F32 { 4 } else { 2 }
    }
}

impl RawSamples {
    /// Replaces `out` by the numbers that some bytes are.
    pub fn decode(&self, bytes: &[u8], out: &mut Vec<f64>) {
        out.clear();
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

/// A file of such samples.
pub(crate) struct RawWindow {
    pub file: SharedFile,
    pub samples: RawSamples,
    pub conversion: Conversion,
}

impl Window for RawWindow {
    fn read(
        &self,
        first: [usize; 2],
        [width, height]: [usize; 2],
        out: &mut Vec<f32>,
    ) -> Result<(), RasterError> {
        let bytes = self.samples.kind.bytes();
        let mut file = self.file.clone();
        let mut row = vec![0; width * bytes];
        let mut values = Vec::with_capacity(width);
        out.clear();
        for j in first[1]..first[1] + height {
            let start = (j * self.samples.size[0] + first[0]) * bytes;
            file.seek(SeekFrom::Start(start as u64))?;
            file.read_exact(&mut row)?;
            self.samples.decode(&row, &mut values);
            out.extend(values.iter().map(|&value| self.conversion.height_or_nan(value)));
        }
        Ok(())
    }
}
