//! OpenEXR of heights or other numbers: one channel Y of 32-bit floats, in zipped blocks of 16
//! rows.

use std::io::{self, Seek, Write};

use exr::block::chunk::Chunk;
use exr::block::writer::ChunksWriter;
use exr::block::{BlockIndex, UncompressedBlock};
use exr::error::Error;
use exr::math::Vec2;
use exr::meta::attribute::{ChannelDescription, LineOrder, SampleType, Text};
use exr::meta::header::Header;
use exr::meta::{BlockDescription, MetaData};
use exr::prelude::{Compression, SmallVec};
use rayon::prelude::*;

use crate::export::about::About;
use crate::export::formats::Blocks;

/// Rows of a block of `ZIP16`.
const ROWS: usize = 16;
/// Blocks that are compressed at a time, on all cores.
const BLOCKS: usize = 16;
/// Bytes of a pixel.
const PIXEL: usize = 4;

/// Writes an EXR. `rows` writes its pixels row by row, low bytes first.
pub fn write(
    out: impl Write + Seek,
    about: &About,
    rows: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    let headers = SmallVec::from_iter([header(about)]);
    let row = PIXEL * about.size[0];
    let written = exr::block::write(out, headers, true, |meta, out| {
        let mut index = 0;
        let mut groups = Blocks::new(BLOCKS * ROWS * row, |group: &[u8]| {
            let blocks = group.par_chunks(ROWS * row).enumerate();
            let chunks = blocks.map(|(k, block)| compressed(block, index + k, about, &meta));
            // In their order.
            for chunk in chunks.collect::<Vec<_>>() {
                let chunk = chunk.and_then(|chunk| out.write_chunk(index, chunk));
                chunk.map_err(plain)?;
                index += 1;
            }
            Ok(())
        });
        rows(&mut groups)?;
        groups.finish()?;
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
    // Text is Latin-1; the path of a recipe may not be. It is one attribute: `exr` would write
    // several in random order.
    let lines = about.lines().replace(|c: char| u8::try_from(c).is_err(), "?");
    header.own_attributes.comments = Text::new_or_none(lines);
    header
}

/// Compresses the block of an index.
fn compressed(
    block: &[u8],
    index: usize,
    about: &About,
    meta: &MetaData,
) -> exr::error::Result<Chunk> {
    let width = about.size[0];
    let index = BlockIndex {
        layer: 0,
        pixel_position: Vec2(0, ROWS * index),
        pixel_size: Vec2(width, block.len() / (PIXEL * width)),
        level: Vec2(0, 0),
    };
    let (pixels, _) = block.as_chunks::<PIXEL>();
    let data = pixels.iter().flat_map(|&bytes| f32::from_le_bytes(bytes).to_ne_bytes()).collect();
    UncompressedBlock { index, data }.compress_to_chunk(&meta.headers)
}

/// The error of the file system in an error of the encoder.
fn plain(error: Error) -> io::Error {
    match error {
        Error::Io(error) => error,
        error => io::Error::other(error),
    }
}
