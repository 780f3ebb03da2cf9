//! OpenEXR of heights or depths: one channel Y of 32-bit floats, in zipped blocks of 16 rows.

use std::io::{self, Seek, Write};

use exr::block::writer::{ChunkWriter, ChunksWriter};
use exr::block::{BlockIndex, UncompressedBlock};
use exr::error::Error;
use exr::math::Vec2;
use exr::meta::attribute::{AttributeValue, ChannelDescription, LineOrder, SampleType, Text};
use exr::meta::header::Header;
use exr::meta::{BlockDescription, MetaData};
use exr::prelude::{Compression, SmallVec};

use crate::about::About;
use crate::sink::Blocks;

/// Rows of a block of `ZIP16`.
const ROWS: usize = 16;
/// Bytes of a pixel.
const PIXEL: usize = 4;

/// Writes an EXR. `rows` writes its pixels row by row, low bytes first.
///
/// # Errors
/// Errors of the file system.
pub fn write(
    out: impl Write + Seek,
    about: &About,
    rows: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    let headers = SmallVec::from_iter([header(about)]);
    let written = exr::block::write(out, headers, true, |meta, out| {
        let mut first = 0;
        let mut blocks = Blocks::new(ROWS * PIXEL * about.size[0], |block: &[u8]| {
            put(block, first, about, &meta, out).map_err(plain)?;
            first += ROWS;
            Ok(())
        });
        rows(&mut blocks)?;
        blocks.finish()?;
        Ok(())
    });
    written.map_err(plain)
}

fn header(about: &About) -> Header {
    let [width, height] = about.size;
    // Luminance is the channel of grey pictures.
    let channel = ChannelDescription::new("Y", SampleType::F32, true);
    let channels = SmallVec::from_iter([channel]);
    let lines = BlockDescription::ScanLines;
    let mut header = Header::new("terrain".into(), (width, height), channels).with_encoding(
        Compression::ZIP16,
        lines,
        LineOrder::Increasing,
    );
    let texts = about.texts().filter_map(|(key, text)| {
        // Text is Latin-1. A path of a recipe may not be.
        let text = Text::new_or_none(text).filter(|text| !text.as_slice().is_empty())?;
        Some((Text::new_or_none(key)?, AttributeValue::Text(text)))
    });
    header.own_attributes.other.extend(texts);
    header
}

/// Compresses and writes the block that begins with a row.
fn put<W: Write + Seek>(
    block: &[u8],
    first: usize,
    about: &About,
    meta: &MetaData,
    out: &mut ChunkWriter<W>,
) -> exr::error::UnitResult {
    let width = about.size[0];
    let index = BlockIndex {
        layer: 0,
        pixel_position: Vec2(0, first),
        pixel_size: Vec2(width, block.len() / (PIXEL * width)),
        level: Vec2(0, 0),
    };
    let (pixels, _) = block.as_chunks::<PIXEL>();
    let data = pixels.iter().flat_map(|&bytes| f32::from_le_bytes(bytes).to_ne_bytes()).collect();
    let block = UncompressedBlock { index, data };
    out.write_chunk(first / ROWS, block.compress_to_chunk(&meta.headers)?)
}

/// The error of the file system in an error of the encoder.
fn plain(error: Error) -> io::Error {
    match error {
        Error::Io(error) => error,
        error => io::Error::other(error),
    }
}
