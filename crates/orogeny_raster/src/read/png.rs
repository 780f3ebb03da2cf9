//! PNG: grey heights of 16 bits, and tiles whose colours are heights.

use std::fs::File;
use std::io::BufReader;

use png::{BitDepth, ColorType, Decoder, Limits, Reader, Transformations};

use crate::error::RasterError;
use crate::raster::checked_size;
use crate::read::source::{Input, Source, check_packing};
use crate::read::survey::{Intake, Survey};
use crate::read::units::{Conversion, Unit};
use crate::read::{Pixels, beside};
use crate::reading::Format;

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
                    "; for a tile in Mapbox's Terrain-RGB give Reading::format = \
                     Some(Format::TerrainRgb), for one of Terrarium Some(Format::Terrarium)"
                }
                _ => "",
            };
            return Err(RasterError::unsupported(format!(
                "its pixels are {color:?} with {bits} bits, but heights must be Grayscale with \
                 16{hint}"
            )));
        }
    };
    // As in GDAL, the transparent grey has no data.
    let no_data = image.transparent().map(|[grey]| grey);
    let conversion = Conversion::new(None, no_data, input.reading);
    let sample_type = if bytes == 2 { "16-bit grey" } else { "8-bit grey" };
    let source = image.source(&input, sample_type)?;
    let mut intake = Intake::new(image.size, conversion, Survey::new(false))?;
    image.take_rows(&mut intake, bytes, |pixel| match *pixel {
        [high, low] => u16::from_be_bytes([high, low]).into(),
        _ => pixel[0].into(),
    })?;
    Ok((source, intake))
}

/// Loads a tile whose colours are heights: `height` is that of red, green and blue.
pub(super) fn load_colours(
    input: Input,
    format: Format,
    height: impl Fn([f64; 3]) -> f64,
) -> Result<(Source, Intake), RasterError> {
    let mut image = Image::open(&input)?;
    let bytes = match (image.color, image.depth) {
        (ColorType::Rgb, BitDepth::Eight) => 3,
        (ColorType::Rgba, BitDepth::Eight) => 4,
        (color, depth) => {
            let bits = depth as u8;
            return Err(RasterError::unsupported(format!(
                "a {format:?} tile is Rgb or Rgba with 8 bits, but this is {color:?} with {bits}"
            )));
        }
    };
    let unit = Unit::metres("the format's");
    let conversion = Conversion::new(Some(unit), None, input.reading);
    let source = image.source(&input, "24-bit RGB")?;
    let transparent = image.transparent::<3>();
    let mut intake = Intake::new(image.size, conversion, Survey::new(false))?;
    image.take_rows(&mut intake, bytes, |pixel| {
        // Transparent pixels have no data.
        let colours = [0, 1, 2].map(|k| f64::from(pixel[k]));
        let is_empty = pixel.get(3) == Some(&0) || Some(colours) == transparent;
        if is_empty { f64::NAN } else { height(colours) }
    })?;
    Ok((source, intake))
}

/// The height of a Terrarium tile's colours.
pub(super) fn terrarium([r, g, b]: [f64; 3]) -> f64 {
    r * 256.0 + g + b / 256.0 - 32768.0
}

/// The height of a Terrain-RGB tile's colours.
pub(super) fn terrain_rgb([r, g, b]: [f64; 3]) -> f64 {
    (r * 65536.0 + g * 256.0 + b) / 10.0 - 10_000.0
}

/// Loads all channels of an image.
pub(super) fn pixels(input: &Input) -> Result<Pixels, RasterError> {
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
    Ok(Pixels { source: image.source(input, "weights")?, channels, largest, values })
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
        check_packing(bytes as u64, input.len)?;
        Ok(Self { reader, size, color, depth, bytes })
    }

    /// All pixels.
    fn data(&mut self) -> Result<Vec<u8>, RasterError> {
        let mut data = vec![0; self.bytes];
        self.reader.next_frame(&mut data).map_err(RasterError::damaged)?;
        Ok(data)
    }

    /// Takes in all pixels, of `bytes` each.
    fn take_rows(
        &mut self,
        intake: &mut Intake,
        bytes: usize,
        value: impl Fn(&[u8]) -> f64,
    ) -> Result<(), RasterError> {
        let data = self.data()?;
        let columns = self.size[0];
        for (row, pixels) in data.chunks_exact(columns * bytes).enumerate() {
            let values = pixels.chunks_exact(bytes).map(&value);
            intake.row([0, row], columns, row > 0, values);
        }
        Ok(())
    }

    /// The grey, or the red, green and blue, that the tRNS chunk makes transparent.
    fn transparent<const CHANNELS: usize>(&self) -> Option<[f64; CHANNELS]> {
        let bytes = self.reader.info().trns.as_ref()?;
        // The decoder leaves out the high bytes of 8 bits.
        if self.depth == BitDepth::Sixteen {
            let (pairs, _) = bytes.as_chunks::<2>();
            return Some(pairs.first_chunk()?.map(|pair| u16::from_be_bytes(pair).into()));
        }
        Some(bytes.first_chunk()?.map(f64::from))
    }

    fn source(&self, input: &Input, sample_type: &str) -> Result<Source, RasterError> {
        let mut source = Source::plain(sample_type, self.size);
        let place = beside::world_file(input.path, self.size, None, &mut source.warnings)?;
        source.place(place);
        source.warnings.extend(beside::ignored(input.path));
        Ok(source)
    }
}
