//! Writes files for the tests: by the encoders of `tiff` and `png`, and TIFF byte by byte.

use std::io::Cursor;
use std::path::{Path, PathBuf};

use tiff::encoder::colortype::ColorType;
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

    pub fn set(&mut self, tag: u16, value: u32) -> &mut Self {
        self.tags.retain(|(known, _)| *known != tag);
        self.tags.push((tag, vec![value]));
        self
    }

    pub fn number(&self, value: i16) -> [u8; 2] {
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
