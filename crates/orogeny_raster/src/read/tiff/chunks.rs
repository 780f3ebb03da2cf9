//! The strips or tiles of a TIFF.

use tiff::decoder::{ChunkType, DecodingResult};
use tiff::tags::Tag;

use crate::error::RasterError;
use crate::read::tiff::{Tiff, problem};
use crate::read::window::Rect;

/// The most samples of a strip or tile that is unpacked on demand. A larger one is as good as no
/// tile at all.
pub(super) const MOST_SAMPLES: usize = 1 << 24;

/// How an image is cut into strips or tiles.
#[derive(Debug)]
pub(super) struct Chunks {
    size: [usize; 2],
    /// The size of a strip or tile.
    chunk: [usize; 2],
    /// Whether the file leaves each out; empty if it has all.
    are_absent: Vec<bool>,
    /// Whether the decoder knows the image as wide as it is, see `directories.rs`.
    is_cut: bool,
    /// The bits of a sample. One is that of a mask.
    bits: u8,
    /// Whether each sample is followed by its alpha.
    has_alpha: bool,
}

impl Chunks {
    /// Reads the layout of an image with samples of `bits` in a file of `len` bytes.
    pub fn read(
        tiff: &mut Tiff,
        size: [usize; 2],
        (bits, has_alpha): (u8, bool),
        len: u64,
    ) -> Result<Self, RasterError> {
        let [columns, rows] = size;
        let is_tiled = tiff.get_chunk_type() == ChunkType::Tile;
        let is_cut = tiff.dimensions().map_err(problem)?.0 as usize == columns;
        let mut number = |tag| tiff.find_tag_unsigned::<u32>(tag).map_err(problem);
        let chunk = if is_tiled {
            [number(Tag::TileWidth)?, number(Tag::TileLength)?]
                .map(|side| side.unwrap_or(0) as usize)
        } else {
            let all = rows as u32;
            [columns, number(Tag::RowsPerStrip)?.unwrap_or(all).min(all) as usize]
        };
        if chunk.contains(&0) {
            return Err(RasterError::damaged("its strips or tiles have no size"));
        }
        let [starts, lengths] = if is_tiled {
            [Tag::TileOffsets, Tag::TileByteCounts]
        } else {
            [Tag::StripOffsets, Tag::StripByteCounts]
        }
        .map(|tag| tiff.find_tag_unsigned_vec::<u64>(tag));
        let starts = starts.map_err(problem)?.unwrap_or_default();
        let lengths = lengths.map_err(problem)?.unwrap_or_default();
        // The decoder does not miss what is cut from the padding of the last tile.
        for (start, length) in starts.iter().zip(&lengths) {
            if start.saturating_add(*length) > len {
                return Err(RasterError::damaged(format!(
                    "the TIFF is damaged: {length} bytes of samples are at {start}, but the file \
                     ends at {len}"
                )));
            }
        }
        let are_absent = match lengths.contains(&0) || starts.contains(&0) {
            true => starts.iter().zip(&lengths).map(|(&a, &b)| a == 0 || b == 0).collect(),
            false => Vec::new(),
        };
        Ok(Self { size, chunk, are_absent, is_cut, bits, has_alpha })
    }

    /// How many strips or tiles the file leaves out.
    pub fn absent(&self) -> usize {
        self.are_absent.iter().filter(|&&is| is).count()
    }

    /// The bytes of all strips and tiles that the file has, unpacked.
    pub fn bytes(&self) -> u64 {
        let all = (0..self.count()).filter(|&index| !self.is_absent(index));
        let samples: u64 = match self.are_absent.is_empty() {
            true => self.size[0] as u64 * self.size[1] as u64,
            false => all.map(|index| self.part(index).count() as u64).sum(),
        };
        let bands = if self.has_alpha { 2.0 } else { 1.0 };
        (samples as f64 * bands * f64::from(self.bits) / 8.0) as u64
    }

    /// The number of strips or tiles along each axis.
    pub fn across(&self) -> [usize; 2] {
        [0, 1].map(|k| self.size[k].div_ceil(self.chunk[k]))
    }

    pub fn count(&self) -> usize {
        let [columns, rows] = self.across();
        columns * rows
    }

    /// The size of a whole strip or tile.
    pub fn chunk(&self) -> [usize; 2] {
        self.chunk
    }

    /// Whether strips or tiles are small enough to be unpacked on demand.
    pub fn are_small(&self) -> bool {
        self.chunk[0].saturating_mul(self.chunk[1]) <= MOST_SAMPLES
    }

    /// The bytes of the heights of all strips that a window of `rows` rows meets; 0 for tiles.
    pub fn band(&self, rows: usize) -> usize {
        if self.chunk[0] < self.size[0] {
            return 0;
        }
        let rows = (rows + self.chunk[1]).min(self.size[1]);
        rows.saturating_mul(self.size[0]).saturating_mul(size_of::<f32>())
    }

    /// Whether the file leaves a strip or tile out.
    pub fn is_absent(&self, index: usize) -> bool {
        self.are_absent.get(index) == Some(&true)
    }

    /// The part of the image that a strip or tile has.
    pub fn part(&self, index: usize) -> Rect {
        let across = self.across()[0];
        let at = [index % across, index / across];
        let first = [0, 1].map(|k| at[k] * self.chunk[k]);
        Rect { first, size: [0, 1].map(|k| self.chunk[k].min(self.size[k] - first[k])) }
    }

    /// Calls `take` with each row of a strip or tile, counted from its own first row. What is
    /// transparent is NaN.
    pub fn decode(
        &self,
        tiff: &mut Tiff,
        index: usize,
        mut take: impl FnMut(usize, &mut dyn Iterator<Item = f64>),
    ) -> Result<(), RasterError> {
        let data = tiff.read_chunk(index as u32).map_err(problem)?;
        let [width, height] = self.part(index).size;
        // Tiles are whole, see `directories.rs`, unless the image is too wide for that.
        let data_width = if self.is_cut { width } else { self.chunk[0] };
        if self.bits == 1 {
            return each_row(&data, [data_width.div_ceil(8), height], |row, bytes| {
                let bits =
                    |byte: f64| (0..8).rev().map(move |bit| f64::from(byte as u8 >> bit & 1));
                take(row, &mut bytes.flat_map(bits).take(width));
            });
        }
        if !self.has_alpha {
            return each_row(&data, [data_width, height], |row, values| {
                take(row, &mut values.take(width));
            });
        }
        each_row(&data, [2 * data_width, height], |row, values| {
            let mut opaque = || {
                let (value, alpha) = (values.next()?, values.next()?);
                Some(if alpha == 0.0 { f64::NAN } else { value })
            };
            take(row, &mut core::iter::from_fn(&mut opaque).take(width));
        })
    }
}

/// Calls `take` with the numbers of each row.
fn each_row(
    data: &DecodingResult,
    size: [usize; 2],
    take: impl FnMut(usize, &mut dyn Iterator<Item = f64>),
) -> Result<(), RasterError> {
    match data {
        DecodingResult::U8(all) => rows(all, size, f64::from, take),
        DecodingResult::U16(all) => rows(all, size, f64::from, take),
        DecodingResult::U32(all) => rows(all, size, f64::from, take),
        DecodingResult::U64(all) => rows(all, size, |x| x as f64, take),
        DecodingResult::I8(all) => rows(all, size, f64::from, take),
        DecodingResult::I16(all) => rows(all, size, f64::from, take),
        DecodingResult::I32(all) => rows(all, size, f64::from, take),
        DecodingResult::I64(all) => rows(all, size, |x| x as f64, take),
        DecodingResult::F16(all) => rows(all, size, |x| x.to_f64(), take),
        DecodingResult::F32(all) => rows(all, size, f64::from, take),
        DecodingResult::F64(all) => rows(all, size, |x| x, take),
    }
}

fn rows<T: Copy>(
    all: &[T],
    [width, height]: [usize; 2],
    number: impl Fn(T) -> f64,
    mut take: impl FnMut(usize, &mut dyn Iterator<Item = f64>),
) -> Result<(), RasterError> {
    if all.len() < width * height {
        return Err(RasterError::damaged("a strip or tile is too short"));
    }
    for (row, values) in all.chunks_exact(width).take(height).enumerate() {
        take(row, &mut values.iter().map(|&x| number(x)));
    }
    Ok(())
}
