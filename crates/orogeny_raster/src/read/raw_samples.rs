//! Numbers of one type, row by row, and nothing else: raw files and SRTM tiles.

use std::fs::File;
use std::io::{BufReader, Read, Seek, SeekFrom};

use crate::error::RasterError;
use crate::read::conversion::Conversion;
use crate::read::intake::Intake;
use crate::read::shared_file::SharedFile;
use crate::read::survey::{Row, Survey, Surveyed};
use crate::read::window::Window;
use crate::reading::ByteOrder;

/// The samples along a side of a block that is surveyed. What neighbouring tiles read has more in
/// common, so each block is whole in what one of them reads.
pub(super) const BLOCK: usize = 64;

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

/// Takes in a whole file. Rows are surveyed in parts, as those of tiles are.
pub(super) fn load_rows(
    file: File,
    samples: &RawSamples,
    intake: &mut Intake,
) -> Result<(), RasterError> {
    let [columns, rows] = samples.size;
    let mut reader = BufReader::new(file);
    let mut row = vec![0; columns * samples.kind.bytes()];
    let mut values = Vec::with_capacity(columns);
    for j in 0..rows {
        reader.read_exact(&mut row)?;
        samples.decode(&row, &mut values);
        for (k, part) in values.chunks(BLOCK).enumerate() {
            let has_above = !j.is_multiple_of(BLOCK);
            let part_values = part.iter().copied();
            intake.row([k * BLOCK, j], part.len(), has_above, None, part_values);
        }
    }
    Ok(())
}

/// A file of such samples.
pub(crate) struct RawWindow {
    file: SharedFile,
    samples: RawSamples,
    conversion: Conversion,
    surveyed: Surveyed,
}

impl RawWindow {
    pub fn new(file: SharedFile, samples: RawSamples, conversion: Conversion) -> Self {
        let [across, down] = samples.size.map(|side| side.div_ceil(BLOCK));
        let surveyed = Surveyed::new(across * down, samples.kind == RawType::U16);
        Self { file, samples, conversion, surveyed }
    }

    /// Surveys the blocks that a rectangle has whole. `values` and `heights` are those of the
    /// rectangle, row by row.
    fn survey(&self, first: [usize; 2], size: [usize; 2], values: &[f64], heights: &mut [f32]) {
        let all = self.samples.size;
        let blocks = [0, 1].map(|k| {
            let end = first[k] + size[k];
            let last = if end == all[k] { end.div_ceil(BLOCK) } else { end / BLOCK };
            first[k].div_ceil(BLOCK)..last
        });
        let across = all[0].div_ceil(BLOCK);
        for (j, i) in blocks[1].clone().flat_map(|j| blocks[0].clone().map(move |i| (j, i))) {
            let Some(mut survey) = self.surveyed.claim(j * across + i) else { continue };
            let from = [i, j].map(|x| x * BLOCK);
            let to = [0, 1].map(|k| (from[k] + BLOCK).min(all[k]));
            let width = to[0] - from[0];
            for row in from[1]..to[1] {
                let start = (row - first[1]) * size[0] + from[0] - first[0];
                let (before, own) = heights.split_at_mut(start);
                let above = (row > from[1]).then(|| &before[start - size[0]..][..width]);
                let index = (row * all[0] + from[0]) as u64;
                let values = values[start..start + width].iter().copied();
                let row = Row { index, above, mask: None };
                survey.row(&self.conversion, &row, values, &mut own[..width]);
            }
            self.surveyed.add(&survey);
        }
    }
}

impl Window for RawWindow {
    fn read(
        &self,
        first: [usize; 2],
        size: [usize; 2],
        out: &mut Vec<f32>,
    ) -> Result<(), RasterError> {
        let [width, height] = size;
        let bytes = self.samples.kind.bytes();
        let mut file = self.file.clone();
        let mut row = vec![0; width * bytes];
        let (mut values, mut all) = (Vec::with_capacity(width), Vec::new());
        let is_surveyed = self.surveyed.is_open();
        out.clear();
        for j in first[1]..first[1] + height {
            let start = (j * self.samples.size[0] + first[0]) * bytes;
            file.seek(SeekFrom::Start(start as u64))?;
            file.read_exact(&mut row)?;
            self.samples.decode(&row, &mut values);
            out.extend(values.iter().map(|&value| self.conversion.height_or_nan(value)));
            if is_surveyed {
                all.extend_from_slice(&values);
            }
        }
        if is_surveyed {
            self.survey(first, size, &all, out);
        }
        Ok(())
    }

    fn finish_survey(&self) -> Option<Survey> {
        self.surveyed.finish()
    }
}
