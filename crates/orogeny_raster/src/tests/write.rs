//! Writes files for the tests: by the encoders of `tiff`, `png` and `exr`, and TIFF and EXR byte by
//! byte.

use std::io::Cursor;
use std::path::{Path, PathBuf};

use exr::prelude::{
    AnyChannel, AnyChannels, Compression as ExrCompression, Encoding, FlatSamples, Image, Layer,
    LayerAttributes, SmallVec, WritableImage, f16,
};
use tiff::encoder::colortype::{ColorType, Gray32Float};
use tiff::encoder::{Compression, TiffEncoder, TiffValue};
use tiff::tags::Tag;

use crate::{RasterError, Reading, Report};

/// A folder that is removed at the end of the test.
pub struct Folder(tempfile::TempDir);

impl Folder {
    pub fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    pub fn path(&self) -> &Path {
        self.0.path()
    }

    pub fn file(&self, name: &str, bytes: &[u8]) -> PathBuf {
        let path = self.0.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        path
    }

    pub fn read(
        &self,
        name: &str,
        bytes: &[u8],
        reading: &Reading,
    ) -> Result<(crate::Raster, Report), RasterError> {
        crate::read(self.file(name, bytes), reading)
    }

    /// Why a file is not read.
    pub fn error(&self, name: &str, bytes: &[u8], reading: &Reading) -> String {
        self.read(name, bytes, reading).unwrap_err().to_string()
    }

    /// A file of zeros, of which no byte is written.
    pub fn zeros(&self, name: &str, len: u64) -> PathBuf {
        let path = self.file(name, &[]);
        std::fs::File::options().write(true).open(&path).unwrap().set_len(len).unwrap();
        path
    }
}

/// The tags of a GeoTIFF.
#[derive(Clone, Default)]
pub struct Tags {
    pub scale: Vec<f64>,
    pub tie: Vec<f64>,
    pub matrix: Vec<f64>,
    /// Pairs of identifiers and values.
    pub keys: Vec<[u16; 2]>,
    pub no_data: Option<&'static str>,
    pub metadata: Option<&'static str>,
}

impl Tags {
    /// A projection with steps of 30 by 20 metres, first corner at (500000, 5000000).
    pub fn projected() -> Self {
        Self {
            scale: vec![30.0, 20.0, 0.0],
            tie: vec![0.0, 0.0, 0.0, 500_000.0, 5_000_000.0, 0.0],
            keys: vec![[1024, 1], [1025, 1], [3072, 32632], [3076, 9001]],
            ..Self::default()
        }
    }

    /// Degrees, with steps of 1/1200, first corner at (6, 46).
    pub fn degrees() -> Self {
        Self {
            scale: vec![1.0 / 1200.0, 1.0 / 1200.0, 0.0],
            tie: vec![0.0, 0.0, 0.0, 6.0, 46.0, 0.0],
            keys: vec![[1024, 2], [1025, 1], [2048, 4326], [2054, 9102]],
            ..Self::default()
        }
    }

    pub fn with_key(mut self, id: u16, value: u16) -> Self {
        self.keys.retain(|key| key[0] != id);
        self.keys.push([id, value]);
        self
    }

    pub fn without_key(mut self, id: u16) -> Self {
        self.keys.retain(|key| key[0] != id);
        self
    }

    pub fn directory(&self) -> Vec<u16> {
        let mut all = vec![1, 1, 0, self.keys.len() as u16];
        self.keys.iter().for_each(|&[id, value]| all.extend([id, 0, 1, value]));
        all
    }
}

/// A TIFF of strips of 7 rows, by the encoder of `tiff`.
pub fn tif<C: ColorType>(
    size: [u32; 2],
    data: &[C::Inner],
    tags: &Tags,
    compression: Compression,
) -> Vec<u8>
where
    [C::Inner]: TiffValue,
{
    let mut bytes = Cursor::new(Vec::new());
    let mut encoder = TiffEncoder::new(&mut bytes).unwrap().with_compression(compression);
    let mut image = encoder.new_image::<C>(size[0], size[1]).unwrap();
    image.rows_per_strip(7.min(size[1])).unwrap();
    let directory = image.encoder();
    for (tag, numbers) in [
        (Tag::ModelPixelScaleTag, &tags.scale),
        (Tag::ModelTiepointTag, &tags.tie),
        (Tag::ModelTransformationTag, &tags.matrix),
    ] {
        if !numbers.is_empty() {
            directory.write_tag(tag, &numbers[..]).unwrap();
        }
    }
    if !tags.keys.is_empty() {
        directory.write_tag(Tag::GeoKeyDirectoryTag, &tags.directory()[..]).unwrap();
    }
    if let Some(text) = tags.no_data {
        directory.write_tag(Tag::GdalNodata, text).unwrap();
    }
    if let Some(text) = tags.metadata {
        directory.write_tag(Tag::Unknown(42112), text).unwrap();
    }
    image.write_data(data).unwrap();
    bytes.into_inner()
}

/// A TIFF of floats that are not packed.
pub fn floats(size: [usize; 2], heights: &[f32], tags: &Tags) -> Vec<u8> {
    tif::<Gray32Float>(size.map(|side| side as u32), heights, tags, Compression::Uncompressed)
}

/// The bytes of a raw file, little endian.
pub fn raw(heights: &[f32]) -> Vec<u8> {
    heights.iter().flat_map(|height| height.to_le_bytes()).collect()
}

/// A TIFF byte by byte.
pub struct HandTiff {
    pub is_big_endian: bool,
    /// Tags of 32-bit integers, but for those of 16 bits that the standard demands.
    pub tags: Vec<(u16, Vec<u32>)>,
    /// The bytes of strips or tiles, in the byte order of the file.
    pub chunks: Vec<Vec<u8>>,
    pub is_tiled: bool,
}

impl HandTiff {
    /// One band of 16-bit signed integers.
    pub fn new(is_big_endian: bool, size: [u32; 2], tile: Option<u32>) -> Self {
        let mut tags = vec![
            (256, vec![size[0]]),
            (257, vec![size[1]]),
            (258, vec![16]),
            (259, vec![1]),
            (262, vec![1]),
            (277, vec![1]),
            (339, vec![2]),
        ];
        match tile {
            Some(side) => tags.extend([(322, vec![side]), (323, vec![side])]),
            None => tags.push((278, vec![size[1]])),
        }
        Self { is_big_endian, tags, chunks: Vec::new(), is_tiled: tile.is_some() }
    }

    /// One strip of heights, by their columns and rows, or square tiles. What is beyond the image
    /// has heights, too.
    pub fn of(
        is_big_endian: bool,
        size: [usize; 2],
        tile: Option<usize>,
        height: impl Fn(usize, usize) -> i16,
    ) -> Self {
        let mut file =
            Self::new(is_big_endian, size.map(|side| side as u32), tile.map(|side| side as u32));
        let chunk = tile.map_or(size, |side| [side; 2]);
        let [across, down] = [0, 1].map(|k| size[k].div_ceil(chunk[k]));
        for (tz, tx) in (0..down).flat_map(|tz| (0..across).map(move |tx| (tz, tx))) {
            let mut bytes = Vec::new();
            for (j, i) in (0..chunk[1]).flat_map(|j| (0..chunk[0]).map(move |i| (j, i))) {
                bytes.extend(file.number(height(tx * chunk[0] + i, tz * chunk[1] + j)));
            }
            file.chunks.push(bytes);
        }
        file
    }

    pub fn set(&mut self, tag: u16, value: u32) -> &mut Self {
        self.tags.retain(|(known, _)| *known != tag);
        self.tags.push((tag, vec![value]));
        self
    }

    fn number(&self, value: i16) -> [u8; 2] {
        if self.is_big_endian { value.to_be_bytes() } else { value.to_le_bytes() }
    }

    pub fn bytes(&self) -> Vec<u8> {
        let long =
            |x: u32| if self.is_big_endian { x.to_be_bytes() } else { x.to_le_bytes() }.to_vec();
        let short = |x: u32| {
            let x = x as u16;
            if self.is_big_endian { x.to_be_bytes() } else { x.to_le_bytes() }.to_vec()
        };
        let mut all = if self.is_big_endian { b"MM\0*".to_vec() } else { b"II*\0".to_vec() };
        all.extend([0; 4]);
        let (mut offsets, mut counts) = (Vec::new(), Vec::new());
        for chunk in &self.chunks {
            offsets.push(if chunk.is_empty() { 0 } else { all.len() as u32 });
            counts.push(chunk.len() as u32);
            all.extend(chunk);
        }
        let mut tags = self.tags.clone();
        let names = if self.is_tiled { [324, 325] } else { [273, 279] };
        for (name, values) in names.into_iter().zip([offsets, counts]) {
            if !tags.iter().any(|(tag, _)| *tag == name) {
                tags.push((name, values));
            }
        }
        tags.sort();
        let mut entries = short(tags.len() as u32);
        for (tag, values) in &tags {
            let is_short = matches!(tag, 258 | 259 | 262 | 277 | 339);
            let data: Vec<u8> =
                values.iter().flat_map(|&x| if is_short { short(x) } else { long(x) }).collect();
            entries.extend(short((*tag).into()));
            entries.extend(short(if is_short { 3 } else { 4 }));
            entries.extend(long(values.len() as u32));
            if data.len() <= 4 {
                entries.extend(data.iter().copied().chain([0; 4]).take(4));
            } else {
                entries.extend(long(all.len() as u32));
                all.extend(data);
            }
        }
        entries.extend([0; 4]);
        let start = long(all.len() as u32);
        all[4..8].copy_from_slice(&start);
        all.extend(entries);
        all
    }
}

/// A PNG.
pub fn png(size: [u32; 2], color: png::ColorType, depth: png::BitDepth, data: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, size[0], size[1]);
    encoder.set_color(color);
    encoder.set_depth(depth);
    encoder.write_header().unwrap().write_image_data(data).unwrap();
    bytes
}

/// A PNG whose header declares another size.
pub fn huge_png(size: [u32; 2]) -> Vec<u8> {
    let mut bytes = png([2, 2], png::ColorType::Grayscale, png::BitDepth::Sixteen, &[0; 8]);
    bytes[16..20].copy_from_slice(&size[0].to_be_bytes());
    bytes[20..24].copy_from_slice(&size[1].to_be_bytes());
    let crc = crc32(&bytes[12..29]);
    bytes[29..33].copy_from_slice(&crc.to_be_bytes());
    bytes
}

fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0, |crc, &byte| {
        (0..8).fold(crc ^ u32::from(byte), |crc, _| (crc >> 1) ^ (0xEDB8_8320 * (crc & 1)))
    })
}

/// A plain file of a channel "Y": halves (1) or floats (2), of heights 0, 1, 2 and so on. A large
/// one has only its first 20 rows.
pub fn exr_by_hand([columns, rows]: [u32; 2], kind: u32, first: i32) -> Vec<u8> {
    let mut all = b"\x76\x2f\x31\x01\x02\0\0\0".to_vec();
    let mut attribute = |name: &str, kind: &str, value: &[u8]| {
        all.extend([name.as_bytes(), b"\0", kind.as_bytes(), b"\0"].concat());
        all.extend((value.len() as u32).to_le_bytes());
        all.extend(value);
    };
    let numbers = |numbers: &[u32]| -> Vec<u8> {
        numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
    };
    let channel = [&b"Y\0"[..], &numbers(&[kind, 0, 1, 1]), b"\0"].concat();
    attribute("channels", "chlist", &channel);
    attribute("compression", "compression", &[0]);
    let last = [columns, rows].map(|side| (first + side as i32 - 1) as u32);
    let window = numbers(&[first as u32, first as u32, last[0], last[1]]);
    attribute("dataWindow", "box2i", &window);
    attribute("displayWindow", "box2i", &window);
    attribute("lineOrder", "lineOrder", &[0]);
    attribute("pixelAspectRatio", "float", &1f32.to_le_bytes());
    attribute("screenWindowCenter", "v2f", &[0; 8]);
    attribute("screenWindowWidth", "float", &1f32.to_le_bytes());
    all.push(0);
    let written = rows.min(20);
    let bytes = columns * if kind == 1 { 2 } else { 4 };
    for row in 0..written {
        let offset = all.len() as u32 + (written - row) * 8 + row * (8 + bytes);
        all.extend(u64::from(offset).to_le_bytes());
    }
    for row in 0..written.min(if columns > 1000 { 0 } else { 20 }) {
        all.extend((first + row as i32).to_le_bytes());
        all.extend(bytes.to_le_bytes());
        for column in 0..columns {
            let height = (row * columns + column) as f32;
            if kind == 1 {
                all.extend(f16::from_f32(height).to_le_bytes());
            } else {
                all.extend(height.to_le_bytes());
            }
        }
    }
    all
}

/// A file of 12 x 9 pixels of the encoder.
pub fn packed_exr(compression: ExrCompression) -> Vec<u8> {
    let heights: Vec<f32> = (0..108).map(|i| (i * 7 % 50) as f32).collect();
    exr(&[("Y", FlatSamples::F32(heights))], [12, 9], compression, None)
}

/// An image of the encoder of `exr`.
pub fn exr(
    channels: &[(&str, FlatSamples)],
    size: [usize; 2],
    compression: ExrCompression,
    tile: Option<usize>,
) -> Vec<u8> {
    let channels: SmallVec<_> =
        channels.iter().map(|(name, data)| AnyChannel::new(*name, data.clone())).collect();
    let mut encoding = Encoding { compression, ..Encoding::UNCOMPRESSED };
    if let Some(side) = tile {
        encoding.blocks = exr::prelude::Blocks::Tiles(exr::math::Vec2(side, side));
    }
    let layer = Layer::new(
        (size[0], size[1]),
        LayerAttributes::default(),
        encoding,
        AnyChannels::sort(channels),
    );
    let mut bytes = Cursor::new(Vec::new());
    Image::from_layer(layer).write().to_buffered(&mut bytes).unwrap();
    bytes.into_inner()
}
