//! TIFF of heights or other numbers, with the tags of GeoTIFF (OGC 19-008r4) that give its scale
//! and its position. Strips are not compressed: `tiff` compresses only pictures that are in memory.

use std::io::{self, Seek, Write};

use tiff::TiffError;
use tiff::encoder::colortype::{ColorType, Gray16, Gray32Float};
use tiff::encoder::{TiffEncoder, TiffKind, TiffValue};
use tiff::tags::Tag;

use crate::export::about::{About, Range};
use crate::export::formats::Blocks;
use crate::export::kind::Picture;

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
pub fn write(
    out: impl Write + Seek,
    picture: Picture,
    about: &About,
    rows: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    let bytes: u64 = about.size.iter().map(|&side| side as u64).product();
    if bytes * picture.bytes() as u64 <= MAX_PLAIN {
        let tiff = TiffEncoder::new(out).map_err(plain)?;
        of_kind(tiff, picture, about, rows)
    } else {
        let tiff = TiffEncoder::new_big(out).map_err(plain)?;
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
    let mut image = tiff.new_image::<C>(width, height).map_err(plain)?;
    let row = N * about.size[0];
    let count = (STRIP / row).clamp(1, about.size[1]);
    image.rows_per_strip(count as u32).map_err(plain)?;

    let tags = image.encoder();
    let text = |text: &str| text.replace(|c: char| !c.is_ascii() || c == '\0', "?");
    let mut tag = |tag, result: &str| tags.write_tag(tag, result).map_err(plain);
    tag(Tag::ImageDescription, &text(&about.lines()))?;
    tag(Tag::GeoAsciiParamsTag, CITATION)?;
    if let Some(range) = scale {
        tag(GDAL_METADATA, &metadata(range))?;
    }
    let [x, z] = about.origin;
    let tie = [0.0, 0.0, 0.0, x, -z, 0.0];
    let scale = [about.spacing, about.spacing, 0.0];
    tags.write_tag(Tag::ModelTiepointTag, &tie[..]).map_err(plain)?;
    tags.write_tag(Tag::ModelPixelScaleTag, &scale[..]).map_err(plain)?;
    tags.write_tag(Tag::GeoKeyDirectoryTag, &geo_keys(picture)[..]).map_err(plain)?;

    let mut blocks = Blocks::new(count * row, |block: &[u8]| {
        let (pixels, _) = block.as_chunks::<N>();
        let values: Vec<C::Inner> = pixels.iter().map(|&bytes| value(bytes)).collect();
        image.write_strip(&values).map_err(plain)
    });
    rows(&mut blocks)?;
    blocks.finish()?;
    image.finish().map_err(plain)
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
fn plain(error: TiffError) -> io::Error {
    match error {
        TiffError::IoError(error) => error,
        error => io::Error::other(error),
    }
}
