//! Images of a game as pixels of four bytes, whatever their format.

use bevy_color::Srgba;
use bevy_image::Image;
use bevy_render::render_resource::{TextureDataOrder, TextureFormat};
use half::f16;
use image::RgbaImage;

use super::compressed::{NotDecoded, decoded};
use super::resample::Channels;

/// An image in the memory of the program, with four bytes a pixel: sRGB if it is a colour.
pub(crate) type Pixels = RgbaImage;

/// Why an image cannot be used.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub(crate) enum ImageError {
    /// Its format cannot be resampled.
    #[error(
        "has the format {0:?}: must be 8, 16 or 32 bits a channel, BC1 to 5, BC7, ETC2, or ASTC \
         without HDR"
    )]
    Format(TextureFormat),
    /// Its blocks are not of its format.
    #[error("has blocks that are not valid in its format {0:?}")]
    Blocks(TextureFormat),
    /// It has no pixels here.
    #[error("has no pixels: load it with the asset usage MAIN_WORLD")]
    NoPixels,
    /// It has too few bytes for its size.
    #[error("has {bytes} bytes, too few for {width} x {height} pixels")]
    TooShort {
        /// Its bytes.
        bytes: usize,
        /// Its width.
        width: u32,
        /// Its height.
        height: u32,
    },
    /// It has fewer layers than the material asks for.
    #[error("has {layers} layers, so array_layer must be less than that, but is {wanted}")]
    Layer {
        /// How many it has.
        layers: u32,
        /// The one that was asked for.
        wanted: u32,
    },
}

/// The pixels of a layer of an image. Colours of floats are linear and become sRGB.
pub(crate) fn pixels(image: &Image, layer: u32, meaning: Channels) -> Result<Pixels, ImageError> {
    let size = image.texture_descriptor.size;
    let (width, height, layers) = (size.width, size.height, size.depth_or_array_layers);
    if layer >= layers {
        return Err(ImageError::Layer { layers, wanted: layer });
    }
    let data = image.data.as_ref().ok_or(ImageError::NoPixels)?;
    let format = image.texture_descriptor.format;
    let pixel_bytes = reader(format).map(|(channels, bytes, _)| channels * bytes);
    let part = || {
        let length = match pixel_bytes {
            Some(pixel) => (width as usize).checked_mul(height as usize)?.checked_mul(pixel)?,
            None => {
                let (across, down) = format.block_dimensions();
                let blocks = [width.div_ceil(across), height.div_ceil(down)];
                let block = format.block_copy_size(None)? as usize;
                (blocks[0] as usize).checked_mul(blocks[1] as usize)?.checked_mul(block)?
            }
        };
        // Layers lie one after the other, each with its mip levels, or level after level.
        let apart = match image.data_order {
            TextureDataOrder::LayerMajor => data.len() / layers as usize,
            TextureDataOrder::MipMajor => length,
        };
        let start = apart.checked_mul(layer as usize)?;
        data.get(start..start.checked_add(length)?).filter(|part| !part.is_empty())
    };
    let too_short = ImageError::TooShort { bytes: data.len(), width, height };
    let data = part().ok_or(too_short)?;
    let Some((channels, bytes, read)) = reader(format) else {
        let pixels = decoded(format, data, width, height).map_err(|error| match error {
            NotDecoded::Format => ImageError::Format(format),
            NotDecoded::Bytes => ImageError::Blocks(format),
        })?;
        return Ok(RgbaImage::from_raw(width, height, pixels).expect("checked above"));
    };
    let pixel = channels * bytes;
    let is_bgra = matches!(format, TextureFormat::Bgra8Unorm | TextureFormat::Bgra8UnormSrgb);
    if format == TextureFormat::Rgba8UnormSrgb || format == TextureFormat::Rgba8Unorm {
        return Ok(RgbaImage::from_raw(width, height, data.to_vec()).expect("checked above"));
    }
    let encode = meaning == Channels::Colour && is_float(format);
    let pixels = data.chunks_exact(pixel).flat_map(|pixel| {
        let channel = |k: usize| {
            let value = read(&pixel[k * bytes..(k + 1) * bytes]);
            let value = if encode && k < 3 { Srgba::gamma_function_inverse(value) } else { value };
            // NaN becomes 0.
            (value.clamp(0.0, 1.0) * 255.0 + 0.5) as u8
        };
        match channels {
            // One channel is grey.
            1 => {
                let grey = channel(0);
                [grey, grey, grey, 255]
            }
            2 => [channel(0), channel(1), 0, 255],
            _ if is_bgra => [channel(2), channel(1), channel(0), channel(3)],
            _ => [channel(0), channel(1), channel(2), channel(3)],
        }
    });
    Ok(RgbaImage::from_raw(width, height, pixels.collect()).expect("checked above"))
}

/// Reads a channel from its bytes.
type Read = fn(&[u8]) -> f32;

/// The channels of a format, their bytes, and how to read one.
fn reader(format: TextureFormat) -> Option<(usize, usize, Read)> {
    use TextureFormat::*;
    let byte: Read = |bytes| f32::from(bytes[0]) / 255.0;
    let short: Read = |bytes| f32::from(u16::from_le_bytes([bytes[0], bytes[1]])) / 65535.0;
    let half: Read = |bytes| f16::from_le_bytes([bytes[0], bytes[1]]).to_f32();
    let float: Read = |bytes| f32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
    Some(match format {
        R8Unorm | R8Uint => (1, 1, byte),
        Rg8Unorm | Rg8Uint => (2, 1, byte),
        Rgba8Unorm | Rgba8UnormSrgb | Rgba8Uint | Bgra8Unorm | Bgra8UnormSrgb => (4, 1, byte),
        R16Unorm | R16Uint => (1, 2, short),
        Rg16Unorm | Rg16Uint => (2, 2, short),
        Rgba16Unorm | Rgba16Uint => (4, 2, short),
        R16Float => (1, 2, half),
        Rg16Float => (2, 2, half),
        Rgba16Float => (4, 2, half),
        R32Float => (1, 4, float),
        Rg32Float => (2, 4, float),
        Rgba32Float => (4, 4, float),
        _ => return None,
    })
}

fn is_float(format: TextureFormat) -> bool {
    use TextureFormat::*;
    matches!(format, R16Float | Rg16Float | Rgba16Float | R32Float | Rg32Float | Rgba32Float)
}
