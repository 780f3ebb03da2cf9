//! Encodes rows of pixels: raw numbers, PNG, TIFF and OpenEXR.
//!
//! A TIFF has the tags of GeoTIFF (OGC 19-008r4) that give its scale and its position. Its strips
//! are not compressed: `tiff` compresses only pictures that are in memory. An EXR has one channel Y
//! of 32-bit floats, in zipped blocks of 16 rows.

use std::fs::File;
use std::io::{self, BufWriter, Seek, Write};

use exr::block::chunk::Chunk;
use exr::block::writer::ChunksWriter;
use exr::block::{BlockIndex, UncompressedBlock};
use exr::math::Vec2;
use exr::meta::attribute::{ChannelDescription, LineOrder, SampleType, Text};
use exr::meta::header::Header;
use exr::meta::{BlockDescription, MetaData};
use exr::prelude::{Compression, SmallVec};
use png::{DeflateCompression, Encoder};
use rayon::prelude::*;
use tiff::TiffError;
use tiff::encoder::colortype::{ColorType, Gray16, Gray32Float};
use tiff::encoder::{TiffEncoder, TiffKind, TiffValue};
use tiff::tags::Tag;

use crate::export::about::{About, Range};
use crate::export::kind::{Format, Picture};

/// Writes a file. `rows` writes its pixels row by row, and memory use does not depend on their
/// number.
pub fn write(
    file: &File,
    picture: Picture,
    about: &About,
    rows: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    let mut out = BufWriter::new(file);
    match picture.format {
        Format::R16 | Format::F32 => rows(&mut out)?,
        Format::Png => png(&mut out, picture, about, rows)?,
        Format::Tiff16 | Format::Tiff32 => tiff(&mut out, picture, about, rows)?,
        Format::Exr => exr(&mut out, about, rows)?,
    }
    out.flush()
}

fn png(
    out: impl Write,
    picture: Picture,
    about: &About,
    rows: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    let [width, height] = about.size.map(|side| side as u32);
    let (colour, depth) = picture.png();
    let mut encoder = Encoder::new(out, width, height);
    encoder.set_color(colour);
    encoder.set_depth(depth);
    // The default level 6 makes heights only 3 % smaller, but is ten times as slow: the encoding
    // thread would hold up the others.
    encoder.set_deflate_compression(DeflateCompression::Level(1));
    for (key, text) in about.texts() {
        encoder.add_itxt_chunk(key.into(), text.into())?;
    }
    let mut png = encoder.write_header()?;
    let mut stream = png.stream_writer()?;
    rows(&mut stream)?;
    // Finish explicitly: dropping the stream would ignore errors such as a full disk.
    stream.finish()?;
    png.finish()?;
    Ok(())
}

/// Collects bytes into blocks of a length, the last one shorter, and passes each to a function.
struct Blocks<F> {
    length: usize,
    block: Vec<u8>,
    put: F,
}

impl<F: FnMut(&[u8]) -> io::Result<()>> Blocks<F> {
    /// Blocks of a length, which is above 0.
    fn new(length: usize, put: F) -> Self {
        Self { length, block: Vec::with_capacity(length), put }
    }

    /// Passes the last block on.
    fn finish(mut self) -> io::Result<()> {
        if self.block.is_empty() { Ok(()) } else { (self.put)(&self.block) }
    }
}

impl<F: FnMut(&[u8]) -> io::Result<()>> Write for Blocks<F> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let taken = bytes.len().min(self.length - self.block.len());
        self.block.extend_from_slice(&bytes[..taken]);
        if self.block.len() == self.length {
            (self.put)(&self.block)?;
            self.block.clear();
        }
        Ok(taken)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Bytes of a strip, roughly.
const STRIP: usize = 1 << 20;
/// Offsets in a TIFF have 32 bits. Larger files are BigTIFF. The rest is for tags.
const MAX_PLAIN: u64 = (1 << 32) - (1 << 24);
/// GDAL_METADATA: XML with the scale and the offset of integers.
const GDAL_METADATA: Tag = Tag::Unknown(42112);
/// The unit metre of the EPSG registry.
const METRE: u16 = 9001;
/// Projected and user-defined: a plane in metres that is nowhere on Earth.
const PROJECTED: u16 = 1;
const USER_DEFINED: u16 = 32767;
const CITATION: &str = "Local plane in metres: easting = x, northing = -z|";

/// Writes a TIFF. `rows` writes its pixels row by row, low bytes first.
fn tiff(
    out: impl Write + Seek,
    picture: Picture,
    about: &About,
    rows: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    let bytes: u64 = about.size.iter().map(|&side| side as u64).product();
    if bytes * picture.bytes() as u64 <= MAX_PLAIN {
        let tiff = TiffEncoder::new(out).map_err(plain_tiff)?;
        of_kind(tiff, picture, about, rows)
    } else {
        let tiff = TiffEncoder::new_big(out).map_err(plain_tiff)?;
        of_kind(tiff, picture, about, rows)
    }
}

fn of_kind<W: Write + Seek, K: TiffKind>(
    tiff: TiffEncoder<W, K>,
    picture: Picture,
    about: &About,
    rows: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    if picture.is_ranged() {
        strips::<Gray16, W, K, 2>(tiff, picture, about, about.range, rows, u16::from_le_bytes)
    } else {
        strips::<Gray32Float, W, K, 4>(tiff, picture, about, None, rows, f32::from_le_bytes)
    }
}

/// Writes all strips, of `N` bytes a pixel. `scale` is the range of integers.
fn strips<C: ColorType, W: Write + Seek, K: TiffKind, const N: usize>(
    mut tiff: TiffEncoder<W, K>,
    picture: Picture,
    about: &About,
    scale: Option<Range>,
    rows: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    value: fn([u8; N]) -> C::Inner,
) -> io::Result<()>
where
    [C::Inner]: TiffValue,
{
    let [width, height] = about.size.map(|side| side as u32);
    let mut image = tiff.new_image::<C>(width, height).map_err(plain_tiff)?;
    let row = N * about.size[0];
    let count = (STRIP / row).clamp(1, about.size[1]);
    image.rows_per_strip(count as u32).map_err(plain_tiff)?;

    let tags = image.encoder();
    let text = |text: &str| text.replace(|c: char| !c.is_ascii() || c == '\0', "?");
    let mut tag = |tag, result: &str| tags.write_tag(tag, result).map_err(plain_tiff);
    tag(Tag::ImageDescription, &text(&about.lines()))?;
    tag(Tag::GeoAsciiParamsTag, CITATION)?;
    if let Some(range) = scale {
        tag(GDAL_METADATA, &metadata(range))?;
    }
    let [x, z] = about.origin;
    let tie = [0.0, 0.0, 0.0, x, -z, 0.0];
    let scale = [about.spacing, about.spacing, 0.0];
    tags.write_tag(Tag::ModelTiepointTag, &tie[..]).map_err(plain_tiff)?;
    tags.write_tag(Tag::ModelPixelScaleTag, &scale[..]).map_err(plain_tiff)?;
    tags.write_tag(Tag::GeoKeyDirectoryTag, &geo_keys(picture)[..]).map_err(plain_tiff)?;

    let mut blocks = Blocks::new(count * row, |block: &[u8]| {
        let (pixels, _) = block.as_chunks::<N>();
        let values: Vec<C::Inner> = pixels.iter().map(|&bytes| value(bytes)).collect();
        image.write_strip(&values).map_err(plain_tiff)
    });
    rows(&mut blocks)?;
    blocks.finish()?;
    image.finish().map_err(plain_tiff)
}

/// The keys of GeoTIFF: each has its number, the tag of its value or 0, a count, and the value.
fn geo_keys(picture: Picture) -> Vec<u16> {
    let citation = CITATION.len() as u16;
    let ascii = Tag::GeoAsciiParamsTag.to_u16();
    let keys = [
        [1024, 0, 1, PROJECTED],
        // Pixels are points: the tie point is the position of the first one.
        [1025, 0, 1, 2],
        [1026, ascii, citation, 0],
        [3072, 0, 1, USER_DEFINED],
        [3076, 0, 1, METRE],
    ];
    // The unit of heights.
    let vertical = (picture.unit() == Some("m")).then_some([4099, 0, 1, METRE]);
    let keys: Vec<_> = keys.into_iter().chain(vertical).collect();
    let header = [1, 1, 1, keys.len() as u16];
    [header].into_iter().chain(keys).flatten().collect()
}

/// The scale and offset of integers, as GDAL writes them.
fn metadata(range: Range) -> String {
    // Some programs take a scale of 0 for none. On flat ground all pixels are 0.
    let scale = if range.step() > 0.0 { range.step() } else { 1.0 };
    let item = |name: &str, value: f64| {
        let role = name.to_lowercase();
        format!("<Item name=\"{name}\" sample=\"0\" role=\"{role}\">{value:?}</Item>")
    };
    let [scale, offset] = [item("SCALE", scale), item("OFFSET", range.lo)];
    format!("<GDALMetadata>{scale}{offset}</GDALMetadata>")
}

/// The error of the file system in an error of the encoder.
fn plain_tiff(error: TiffError) -> io::Error {
    match error {
        TiffError::IoError(error) => error,
        error => io::Error::other(error),
    }
}

/// Rows of a block of `ZIP16`.
const EXR_ROWS: usize = 16;
/// Blocks that are compressed at a time, on all cores.
const EXR_BLOCKS: usize = 16;
/// Bytes of a pixel.
const EXR_PIXEL: usize = 4;

/// Writes an EXR. `rows` writes its pixels row by row, low bytes first.
fn exr(
    out: impl Write + Seek,
    about: &About,
    rows: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    let headers = SmallVec::from_iter([exr_header(about)]);
    let row = EXR_PIXEL * about.size[0];
    let written = exr::block::write(out, headers, true, |meta, out| {
        let mut index = 0;
        let mut groups = Blocks::new(EXR_BLOCKS * EXR_ROWS * row, |group: &[u8]| {
            let blocks = group.par_chunks(EXR_ROWS * row).enumerate();
            let chunks = blocks.map(|(k, block)| compressed(block, index + k, about, &meta));
            // In their order.
            for chunk in chunks.collect::<Vec<_>>() {
                let chunk = chunk.and_then(|chunk| out.write_chunk(index, chunk));
                chunk.map_err(plain_exr)?;
                index += 1;
            }
            Ok(())
        });
        rows(&mut groups)?;
        groups.finish()?;
        Ok(())
    });
    written.map_err(plain_exr)
}

fn exr_header(about: &About) -> Header {
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
        pixel_position: Vec2(0, EXR_ROWS * index),
        pixel_size: Vec2(width, block.len() / (EXR_PIXEL * width)),
        level: Vec2(0, 0),
    };
    let (pixels, _) = block.as_chunks::<EXR_PIXEL>();
    let data = pixels.iter().flat_map(|&bytes| f32::from_le_bytes(bytes).to_ne_bytes()).collect();
    UncompressedBlock { index, data }.compress_to_chunk(&meta.headers)
}

/// The error of the file system in an error of the encoder.
fn plain_exr(error: exr::error::Error) -> io::Error {
    match error {
        exr::error::Error::Io(error) => error,
        error => io::Error::other(error),
    }
}
