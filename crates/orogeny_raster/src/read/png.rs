//! PNG: grey heights of 16 bits, and Terrarium tiles.

use std::fs::File;
use std::io::BufReader;

use png::{BitDepth, ColorType, Decoder, Limits, Reader, Transformations};

use crate::error::RasterError;
use crate::raster::checked_size;
use crate::read::intake::Intake;
use crate::read::pixels::Raw;
use crate::read::source::{Input, Source, Unit};
use crate::reading::Format;

/// Deflate packs at most 1032 bytes into one. A file that declares more is damaged, and no memory
/// is reserved for it.
const MOST_PACKED: u64 = 1032;

/// Loads a grey image.
pub(super) fn load(input: Input) -> Result<(Source, Intake), RasterError> {
    let mut image = Image::open(&input)?;
    let bytes = match (image.color, image.depth) {
        (ColorType::Grayscale, BitDepth::Sixteen) => 2,
        (ColorType::Grayscale, BitDepth::Eight) if input.reading.allow_8_bit => 1,
        (ColorType::Grayscale, BitDepth::Eight) => {
            return Err(RasterError::unsupported(
                "it has 8 bits a sample: 256 heights make terraces. Export 16 bits, or set \
                 Reading::allow_8_bit",
            ));
        }
        (color, depth) => {
            let bits = depth as u8;
            let hint = match (color, depth) {
                (ColorType::Rgb | ColorType::Rgba, BitDepth::Eight) => {
                    "; for a Terrarium tile give Reading::format = Some(Format::Terrarium)"
                }
                _ => "",
            };
            return Err(RasterError::unsupported(format!(
                "its pixels are {color:?} with {bits} bits, but heights must be Grayscale with \
                 16{hint}"
            )));
        }
    };
    let mut intake = Intake::new(image.size, None, None, input.reading)?;
    let data = image.data()?;
    if bytes == 2 {
        let values = data.chunks_exact(2).map(|b| u16::from_be_bytes([b[0], b[1]]));
        intake.take(0, values.map(f64::from));
    } else {
        intake.take(0, data.iter().copied().map(f64::from));
    }
    let sample_type = if bytes == 2 { "16-bit grey" } else { "8-bit grey" };
    Ok((image.source(sample_type), intake))
}

/// Loads a tile whose colours are heights.
pub(super) fn load_terrarium(input: Input) -> Result<(Source, Intake), RasterError> {
    let mut image = Image::open(&input)?;
    let bytes = match (image.color, image.depth) {
        (ColorType::Rgb, BitDepth::Eight) => 3,
        (ColorType::Rgba, BitDepth::Eight) => 4,
        (color, depth) => {
            let (format, bits) = (Format::Terrarium, depth as u8);
            return Err(RasterError::unsupported(format!(
                "a {format:?} tile is Rgb or Rgba with 8 bits, but this is {color:?} with {bits}"
            )));
        }
    };
    let unit = Unit::metres("the format's");
    let mut intake = Intake::new(image.size, Some(unit), None, input.reading)?;
    let data = image.data()?;
    intake.take(
        0,
        data.chunks_exact(bytes).map(|pixel| {
            let [r, g, b] = [0, 1, 2].map(|k| f64::from(pixel[k]));
            // Transparent pixels have no data.
            let is_empty = pixel.get(3) == Some(&0);
            if is_empty { f64::NAN } else { r * 256.0 + g + b / 256.0 - 32768.0 }
        }),
    );
    Ok((image.source("24-bit RGB, 1/256 m"), intake))
}

/// Loads all channels of an image.
pub(super) fn pixels(input: &Input) -> Result<Raw, RasterError> {
    let mut image = Image::open(input)?;
    let (color, channels) = (image.color, image.color.samples());
    let largest = match (color, image.depth) {
        (ColorType::Indexed, _) => 0,
        (_, BitDepth::Eight) => 255,
        (_, BitDepth::Sixteen) => u16::MAX,
        _ => 0,
    };
    if largest == 0 {
        let bits = image.depth as u8;
        return Err(RasterError::unsupported(format!(
            "its pixels are {color:?} with {bits} bits, but weights must be grey or RGB, with or \
             without alpha, of 8 or 16 bits"
        )));
    }
    let data = image.data()?;
    let values = if largest == 255 {
        data.into_iter().map(u16::from).collect()
    } else {
        let (pairs, _) = data.as_chunks::<2>();
        pairs.iter().map(|&pair| u16::from_be_bytes(pair)).collect()
    };
    Ok(Raw { source: image.source("weights"), channels, largest, values })
}

/// A PNG whose header is read.
struct Image {
    reader: Reader<BufReader<File>>,
    size: [usize; 2],
    color: ColorType,
    depth: BitDepth,
    /// The length of all pixels.
    bytes: usize,
}

impl Image {
    fn open(input: &Input) -> Result<Self, RasterError> {
        let file = BufReader::new(input.file.try_clone()?);
        let limits = Limits { bytes: 64 << 20 };
        let mut decoder = Decoder::new_with_limits(file, limits);
        decoder.set_transformations(Transformations::IDENTITY);
        // Before the decoder reserves memory for a line.
        let info = decoder.read_header_info().map_err(RasterError::damaged)?;
        let size = [info.width as usize, info.height as usize];
        checked_size(size)?;
        let reader = decoder.read_info().map_err(RasterError::damaged)?;
        let (color, depth) = reader.output_color_type();
        let bits = color.samples() * depth as usize;
        let bytes = (size[0] * bits).div_ceil(8) * size[1];
        if bytes as u64 / MOST_PACKED > input.len {
            return Err(RasterError::damaged(format!(
                "it declares {bytes} bytes of pixels, but its {} bytes cannot hold them",
                input.len
            )));
        }
        Ok(Self { reader, size, color, depth, bytes })
    }

    /// All pixels.
    fn data(&mut self) -> Result<Vec<u8>, RasterError> {
        let mut data = vec![0; self.bytes];
        self.reader.next_frame(&mut data).map_err(RasterError::damaged)?;
        Ok(data)
    }

    fn source(&self, sample_type: &str) -> Source {
        Source {
            sample_type: sample_type.into(),
            size: self.size,
            georeference: None,
            has_assumed_unit: false,
            can_be_tiled: false,
            warnings: Vec::new(),
        }
    }
}
