//! TIFF with one band: the samples. What its tags say of the place is in `geo_tags.rs`.

use std::fs::File;
use std::io::BufReader;

use tiff::decoder::{ChunkType, Decoder, DecodingResult, Limits};
use tiff::tags::{PhotometricInterpretation, Tag};
use tiff::{ColorType, TiffError};

use crate::error::RasterError;
use crate::raster::checked_size;
use crate::read::geo_tags::GeoTags;
use crate::read::intake::Intake;
use crate::read::source::{Input, Source};
use crate::read::tiff_directory;
use crate::read::widened::Widened;
use crate::warning::Warning;

/// The most bytes that one byte of a compressed file may stand for: above what deflate and LZW
/// reach. A file that declares more is damaged, and no memory is reserved for it.
const MOST_PACKED: u64 = 1500;

pub(super) type Tiff = Decoder<Widened<BufReader<File>>>;

pub(super) fn load(input: Input) -> Result<(Source, Intake), RasterError> {
    let mut file = BufReader::new(input.file);
    let widened = tiff_directory::check(&mut file, input.len)?;
    let patch = widened.map(|(patch, _)| patch);
    let mut tiff = Decoder::new(Widened { inner: file, patch }).map_err(problem)?;
    let (width, height) = tiff.dimensions().map_err(problem)?;
    let columns = widened.map_or(width as usize, |(_, columns)| columns);
    let size = [columns, height as usize];
    let samples = checked_size(size)? as u64;
    let bits = sample_bits(&mut tiff, input.reading.allow_8_bit)?;
    let bytes = samples * u64::from(bits) / 8;
    if bytes / MOST_PACKED > input.len {
        return Err(RasterError::damaged(format!(
            "it declares {bytes} bytes of samples, but its {} bytes cannot hold them",
            input.len
        )));
    }
    // Padded tiles take more than the image, but no more than the file can hold.
    let most = input.len.saturating_mul(MOST_PACKED).min(1 << 30) as usize;
    let mut limits = Limits::default();
    limits.decoding_buffer_size = most;
    limits.intermediate_buffer_size = most;
    let mut tiff = tiff.with_limits(limits);

    let tags = GeoTags::read(&mut tiff)?;
    let unit = tags.unit.clone();
    let mut intake = Intake::new(size, Some(unit), tags.no_data, input.reading)?;
    let mut warnings = tags.warnings.clone();
    let sample_type = take_all(&mut tiff, size, input.len, &mut intake, &mut warnings)?;
    if tiff.more_images() {
        warnings.push(Warning::Assumed("only the first image of several is read".into()));
    }
    let source = Source {
        sample_type: format!("{bits}-bit {sample_type}"),
        size,
        georeference: tags.georeference,
        has_assumed_unit: true,
        warnings,
    };
    Ok((source, intake))
}

/// What went wrong in the decoder.
pub(super) fn problem(error: TiffError) -> RasterError {
    match error {
        TiffError::UnsupportedError(what) => RasterError::unsupported(what),
        TiffError::LimitsExceeded => {
            RasterError::damaged("a strip or tile is larger than the file can hold")
        }
        error => RasterError::damaged(format!("the TIFF is damaged: {error}")),
    }
}

/// The bits of a sample, if the image is of one band of heights.
fn sample_bits(tiff: &mut Tiff, allow_8_bit: bool) -> Result<u8, RasterError> {
    let color = tiff.colortype().map_err(problem)?;
    let bits = match color {
        ColorType::Gray(bits) => bits,
        color => {
            return Err(RasterError::unsupported(format!(
                "its pixels are {color:?}, but elevation needs one band: is it a picture?"
            )));
        }
    };
    let meaning = tiff.find_tag_unsigned::<u16>(Tag::PhotometricInterpretation).map_err(problem)?;
    if meaning != Some(PhotometricInterpretation::BlackIsZero.to_u16()) {
        return Err(RasterError::unsupported(format!(
            "its photometric interpretation is {meaning:?}, but must be 1 (black is zero)"
        )));
    }
    match bits {
        16 | 32 | 64 => Ok(bits),
        8 if allow_8_bit => Ok(bits),
        8 => Err(RasterError::unsupported(
            "it has 8 bits a sample: 256 heights make terraces. Export 16 bits or more, or set \
             Reading::allow_8_bit",
        )),
        bits => Err(RasterError::unsupported(format!(
            "it has {bits} bits a sample, but must have 8, 16, 32 or 64"
        ))),
    }
}

/// Takes in all strips or tiles. Returns the type of samples.
fn take_all(
    tiff: &mut Tiff,
    size: [usize; 2],
    len: u64,
    intake: &mut Intake,
    warnings: &mut Vec<Warning>,
) -> Result<&'static str, RasterError> {
    let [columns, rows] = size;
    let is_tiled = tiff.get_chunk_type() == ChunkType::Tile;
    let is_wide = tiff.dimensions().map_err(problem)?.0 as usize != columns;
    let mut number = |tag| tiff.find_tag_unsigned::<u32>(tag).map_err(problem);
    let chunk = if is_tiled {
        [number(Tag::TileWidth)?, number(Tag::TileLength)?].map(|side| side.unwrap_or(0) as usize)
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
    let lengths = lengths.map_err(problem)?.unwrap_or_default();
    // The decoder does not miss what is cut from the padding of the last tile.
    for (start, length) in starts.map_err(problem)?.unwrap_or_default().iter().zip(&lengths) {
        if start.saturating_add(*length) > len {
            return Err(RasterError::damaged(format!(
                "the TIFF is damaged: {length} bytes of samples are at {start}, but the file ends \
                 at {len}"
            )));
        }
    }
    let across = columns.div_ceil(chunk[0]);
    let mut kind = "samples";
    let mut absent = 0;
    for index in 0..across * rows.div_ceil(chunk[1]) {
        // A sparse file leaves out tiles that have no data.
        if lengths.get(index) == Some(&0) {
            absent += 1;
            continue;
        }
        let data = tiff.read_chunk(index as u32).map_err(problem)?;
        let corner = [index % across * chunk[0], index / across * chunk[1]];
        let width = chunk[0].min(columns - corner[0]);
        let height = chunk[1].min(rows - corner[1]);
        // Tiles are whole, see `widened.rs`, unless the image is too wide for that.
        let data_width = if is_wide { chunk[0] } else { width };
        kind = take_chunk(&data, [data_width, height], |row, values| {
            intake.take((corner[1] + row) * columns + corner[0], &mut values.take(width));
        })?;
    }
    if absent > 0 {
        let what = format!("{absent} strips or tiles are left out of the file: no data there");
        warnings.push(Warning::Assumed(what));
    }
    Ok(kind)
}

/// Takes in the rows of a chunk. Returns the type of samples.
fn take_chunk(
    data: &DecodingResult,
    [width, height]: [usize; 2],
    mut take: impl FnMut(usize, &mut dyn Iterator<Item = f64>),
) -> Result<&'static str, RasterError> {
    // One loop for all types of samples.
    macro_rules! rows {
        ($($variant:ident $kind:literal),*) => {
            match data {
                $(DecodingResult::$variant(all) => {
                    if all.len() < width * height {
                        return Err(RasterError::damaged("a strip or tile is too short"));
                    }
                    for (row, values) in all.chunks_exact(width).take(height).enumerate() {
                        #[allow(clippy::cast_lossless, clippy::unnecessary_cast)]
                        take(row, &mut values.iter().map(|&x| x as f64));
                    }
                    Ok($kind)
                })*
                DecodingResult::F16(_) => {
                    Err(RasterError::unsupported("its samples are 16-bit floats"))
                }
            }
        };
    }
    rows!(
        U8 "unsigned integer", U16 "unsigned integer", U32 "unsigned integer",
        U64 "unsigned integer", I8 "signed integer", I16 "signed integer", I32 "signed integer",
        I64 "signed integer", F32 "float", F64 "float"
    )
}
