//! Images of a game, in any format and size, as texels of textures.

use astc_decode::{Footprint, astc_decode_block};
use bevy_asset::RenderAssetUsages;
use bevy_color::Srgba;
use bevy_image::{Image, ImageAddressMode, ImageFilterMode, ImageSampler, ImageSamplerDescriptor};
use bevy_render::render_resource::{
    AstcChannel, Extent3d, TextureDataOrder, TextureDimension, TextureFormat, TextureUsages,
};
use half::f16;
use image::RgbaImage;

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

/// Decodes an image.
type Decode = fn(&[u8], usize, usize, &mut [u32]) -> Result<(), &'static str>;

/// Why an image is not decoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum NotDecoded {
    /// Its format is not a compressed one with numbers from 0 to 1.
    Format,
    /// Its bytes are too few, or not of its format.
    Bytes,
}

/// The four channels of each pixel, from the bytes of an image.
fn decoded(
    format: TextureFormat,
    bytes: &[u8],
    width: u32,
    height: u32,
) -> Result<Vec<u8>, NotDecoded> {
    if let TextureFormat::Astc { channel, .. } = format {
        return match channel {
            AstcChannel::Unorm | AstcChannel::UnormSrgb => {
                let (across, down) = format.block_dimensions();
                astc(bytes, [width, height], [across, down]).ok_or(NotDecoded::Bytes)
            }
            AstcChannel::Hdr => Err(NotDecoded::Format),
        };
    }
    let decode = decoder(format).ok_or(NotDecoded::Format)?;
    let (width, height) = (width as usize, height as usize);
    let mut pixels = vec![0; width * height];
    // It only fails if there are too few bytes.
    decode(bytes, width, height, &mut pixels).map_err(|_| NotDecoded::Bytes)?;
    let is_grey = matches!(format, TextureFormat::Bc4RUnorm | TextureFormat::EacR11Unorm);
    let channels = pixels.into_iter().flat_map(|pixel| {
        let [b, g, r, a] = pixel.to_le_bytes();
        if is_grey { [r, r, r, 255] } else { [r, g, b, a] }
    });
    Ok(channels.collect())
}

/// Decodes an image in the format ASTC, by its size and that of its blocks. `None` if it has too
/// few bytes, or blocks that are not valid or beyond 0 to 1.
fn astc(bytes: &[u8], [width, height]: [u32; 2], [across, down]: [u32; 2]) -> Option<Vec<u8>> {
    let blocks = bytes.as_chunks::<16>().0;
    let per_row = width.div_ceil(across);
    let count = per_row as usize * height.div_ceil(down) as usize;
    let blocks = blocks.get(..count)?;
    let mut pixels = vec![[0; 4]; width as usize * height as usize];
    for (number, block) in (0..).zip(blocks) {
        let [left, top] = [number % per_row * across, number / per_row * down];
        let is_valid = astc_decode_block(block, Footprint::new(across, down), |x, y, colour| {
            let [x, y] = [left + x, top + y];
            if x < width && y < height {
                pixels[y as usize * width as usize + x as usize] = colour;
            }
        });
        if !is_valid {
            return None;
        }
    }
    Some(pixels.into_flattened())
}

/// Without ASTC: this crate's decoder panics on some bytes.
fn decoder(format: TextureFormat) -> Option<Decode> {
    use TextureFormat::*;
    Some(match format {
        Bc1RgbaUnorm | Bc1RgbaUnormSrgb => texture2ddecoder::decode_bc1a,
        Bc2RgbaUnorm | Bc2RgbaUnormSrgb => texture2ddecoder::decode_bc2,
        Bc3RgbaUnorm | Bc3RgbaUnormSrgb => texture2ddecoder::decode_bc3,
        Bc4RUnorm => texture2ddecoder::decode_bc4,
        Bc5RgUnorm => texture2ddecoder::decode_bc5,
        Bc7RgbaUnorm | Bc7RgbaUnormSrgb => texture2ddecoder::decode_bc7,
        Etc2Rgb8Unorm | Etc2Rgb8UnormSrgb => texture2ddecoder::decode_etc2_rgb,
        Etc2Rgb8A1Unorm | Etc2Rgb8A1UnormSrgb => texture2ddecoder::decode_etc2_rgba1,
        Etc2Rgba8Unorm | Etc2Rgba8UnormSrgb => texture2ddecoder::decode_etc2_rgba8,
        EacR11Unorm => texture2ddecoder::decode_eacr,
        EacRg11Unorm => texture2ddecoder::decode_eacrg,
        _ => return None,
    })
}

/// A sampler of textures that repeat, which filters with so many texels along a pixel's footprint.
pub(crate) fn sampler(anisotropy: u16) -> ImageSamplerDescriptor {
    let repeat = ImageAddressMode::Repeat;
    ImageSamplerDescriptor {
        address_mode_u: repeat,
        address_mode_v: repeat,
        mag_filter: ImageFilterMode::Linear,
        min_filter: ImageFilterMode::Linear,
        mipmap_filter: ImageFilterMode::Linear,
        anisotropy_clamp: anisotropy,
        ..ImageSamplerDescriptor::default()
    }
}

/// An array texture of square layers: one after the other, each with all its mip levels.
pub(crate) fn array(
    side: u32,
    layers: u32,
    format: TextureFormat,
    data: Vec<u8>,
    sampler: ImageSamplerDescriptor,
    usage: RenderAssetUsages,
) -> Image {
    let size = Extent3d { width: side, height: side, depth_or_array_layers: layers };
    let mut image = Image::new_uninit(size, TextureDimension::D2, format, usage);
    image.texture_descriptor.mip_level_count = side.ilog2() + 1;
    // Without COPY_DST a changed image is created anew. Bevy would write to its first level alone.
    image.texture_descriptor.usage = TextureUsages::TEXTURE_BINDING;
    image.data = Some(data);
    image.sampler = ImageSampler::Descriptor(sampler);
    image
}

/// What the channels of an image stand for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Channels {
    /// Three colours, which are averaged as light, and a number.
    Colour,
    /// Four numbers.
    Numbers,
}

/// The image with `size` pixels along each side, by a triangle filter that reaches one pixel of the
/// coarser image to each side. It repeats: pixels at an edge are averaged with those at the other.
///
/// Colours are averaged as squares, which is close to sRGB, as in the mip levels of textures.
pub(crate) fn resampled(image: RgbaImage, size: u32, channels: Channels) -> RgbaImage {
    let (width, height) = image.dimensions();
    if (width, height) == (size, size) {
        return image;
    }
    let is_light = |channel: usize| channels == Channels::Colour && channel < 3;
    let rows = image.as_raw();
    let columns = taps(width, size);
    let mut result = Vec::with_capacity(4 * size as usize * size as usize);
    // One row of the result at a time, so that little memory is needed.
    let mut row = vec![[0.0; 4]; width as usize];
    for taps in taps(height, size) {
        row.fill([0.0; 4]);
        for (y, weight) in taps {
            let pixels = rows[4 * y * width as usize..].as_chunks::<4>().0;
            for (sum, pixel) in row.iter_mut().zip(pixels) {
                for (k, sum) in sum.iter_mut().enumerate() {
                    let value = f32::from(pixel[k]);
                    *sum += weight * if is_light(k) { value * value } else { value };
                }
            }
        }
        for taps in &columns {
            let mut mean = [0.0; 4];
            for &(x, weight) in taps {
                for (mean, value) in mean.iter_mut().zip(row[x]) {
                    *mean += weight * value;
                }
            }
            result.extend(mean.iter().enumerate().map(|(k, &mean): (usize, &f32)| {
                let value = if is_light(k) { mean.sqrt() } else { mean };
                (value + 0.5) as u8
            }));
        }
    }
    RgbaImage::from_raw(size, size, result).expect("four bytes a pixel")
}

/// For each pixel of a row of `size`, the pixels of a row of `length` that it averages, and their
/// weights.
fn taps(length: u32, size: u32) -> Vec<Vec<(usize, f32)>> {
    let scale = f64::from(length) / f64::from(size);
    let radius = scale.max(1.0);
    let each = (0..size).map(|i| {
        let centre = (f64::from(i) + 0.5) * scale - 0.5;
        let [first, last] = [(centre - radius).ceil() as i64, (centre + radius).floor() as i64];
        let weight = |at: i64| (1.0 - (at as f64 - centre).abs() / radius).max(0.0);
        let whole: f64 = (first..=last).map(weight).sum();
        let tap = |at: i64| (at.rem_euclid(length.into()) as usize, (weight(at) / whole) as f32);
        (first..=last).map(tap).collect()
    });
    each.collect()
}

#[cfg(test)]
mod tests {
    use TextureFormat::*;
    use bevy_render::render_resource::AstcBlock;
    use image::Rgba;
    use image::imageops::{FilterType, resize};
    use proptest::prelude::*;

    use super::*;

    /// A block of the format BC7, in its mode 6, of one colour with odd channels.
    fn bc7(colour: [u8; 4]) -> [u8; 16] {
        let mut bits = 1u128 << 6;
        for (k, channel) in colour.into_iter().enumerate() {
            // Both ends of the range: seven bits, and one for all channels of an end.
            let channel = u128::from(channel >> 1);
            bits |= (channel | channel << 7) << (7 + 14 * k);
        }
        (bits | 3 << 63).to_le_bytes()
    }

    /// Blocks of one colour, by the specifications of their formats.
    #[test]
    fn blocks_of_one_colour_have_it() {
        let grey = [77, 77, 0, 0, 0, 0, 0, 0];
        let two = [[77, 77, 0, 0, 0, 0, 0, 0], [200, 200, 0, 0, 0, 0, 0, 0]].concat();
        let cases: [(TextureFormat, &[u8], [u8; 4]); 4] = [
            (Bc1RgbaUnorm, &[0, 0xf8, 0, 0xf8, 0, 0, 0, 0], [255, 0, 0, 255]),
            (Bc4RUnorm, &grey, [77, 77, 77, 255]),
            (Bc5RgUnorm, &two, [77, 200, 0, 255]),
            (Bc7RgbaUnormSrgb, &bc7([13, 77, 201, 255]), [13, 77, 201, 255]),
        ];
        for (format, block, colour) in cases {
            // Fewer pixels than a block has, too.
            for (width, height) in [(4, 4), (3, 1)] {
                let pixels = decoded(format, block, width, height).unwrap();
                assert_eq!(pixels, colour.repeat((width * height) as usize), "{format:?}");
            }
            let short = decoded(format, &block[1..], 4, 4);
            assert_eq!(short, Err(NotDecoded::Bytes), "{format:?}");
        }
        for format in [Rgba8Unorm, Bc6hRgbUfloat, astc(AstcBlock::B4x4, AstcChannel::Hdr)] {
            assert_eq!(decoded(format, &[0; 64], 4, 4), Err(NotDecoded::Format), "{format:?}");
        }
    }

    fn astc(block: AstcBlock, channel: AstcChannel) -> TextureFormat {
        Astc { block, channel }
    }

    /// A block of one colour without an extent, by the specification of ASTC.
    fn void_extent(colour: [u8; 4]) -> [u8; 16] {
        let mut block = [0xff; 16];
        [block[0], block[1]] = [0xfc, 0xfd];
        for (k, channel) in colour.into_iter().enumerate() {
            block[8 + 2 * k..10 + 2 * k].copy_from_slice(&[channel; 2]);
        }
        block
    }

    #[test]
    fn astc_of_all_blocks_is_decoded_and_its_wrong_blocks_are_refused() {
        let colours = [[13, 77, 201, 255], [200, 10, 0, 128]];
        use AstcBlock::*;
        let blocks = [
            B4x4, B5x4, B5x5, B6x5, B6x6, B8x5, B8x6, B8x8, B10x5, B10x6, B10x8, B10x10, B12x10,
            B12x12,
        ];
        for (block, channel) in
            blocks.into_iter().zip([AstcChannel::Unorm, AstcChannel::UnormSrgb].into_iter().cycle())
        {
            let format = astc(block, channel);
            let (across, down) = format.block_dimensions();
            // Two blocks, of which the second one has a column of pixels.
            let bytes = colours.map(void_extent).concat();
            let pixels = decoded(format, &bytes, across + 1, down - 1).unwrap();
            let pixels = pixels.as_chunks::<4>().0;
            for (x, y) in (0..down - 1).flat_map(|y| (0..=across).map(move |x| (x, y))) {
                let expected = colours[usize::from(x == across)];
                assert_eq!(pixels[(y * (across + 1) + x) as usize], expected, "{format:?}");
            }
            assert_eq!(decoded(format, &bytes[..31], across + 1, down), Err(NotDecoded::Bytes));
            assert_eq!(decoded(format, &[0; 16], 1, 1), Err(NotDecoded::Bytes), "reserved");
            // An extent with numbers beyond 1.
            let mut bright = void_extent(colours[0]);
            bright[1] |= 2;
            assert_eq!(decoded(format, &bright, 4, 4), Err(NotDecoded::Bytes));
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(20_000))]

        /// Whatever the bytes are.
        #[test]
        fn no_bytes_panic(block in any::<[u8; 16]>(), k in 0usize..11) {
            let all = [
                Bc1RgbaUnorm, Bc2RgbaUnorm, Bc3RgbaUnorm, Bc4RUnorm, Bc5RgUnorm, Bc7RgbaUnorm,
                Etc2Rgb8Unorm, Etc2Rgb8A1Unorm, Etc2Rgba8Unorm, EacR11Unorm, EacRg11Unorm,
            ];
            let format = all[k];
            prop_assert_eq!(decoded(format, &block, 4, 4).map(|pixels| pixels.len()), Ok(64));
            // Its blocks may be wrong.
            for block_size in [AstcBlock::B4x4, AstcBlock::B6x5, AstcBlock::B12x12] {
                let format = astc(block_size, AstcChannel::Unorm);
                let length = decoded(format, &block, 4, 4).map(|pixels| pixels.len());
                prop_assert!(matches!(length, Ok(64) | Err(NotDecoded::Bytes)));
            }
        }
    }

    /// An image of uneven pixels.
    fn uneven(width: u32, height: u32) -> RgbaImage {
        RgbaImage::from_fn(width, height, |x, y| {
            Rgba([0u32, 1, 2, 3].map(|k| (x * 37 + y * 91 + k * 53 + x * y * 7) as u8))
        })
    }

    /// Away from the edges, numbers are those of the crate `image`, which does not repeat images.
    #[test]
    fn the_middle_is_that_of_another_program() {
        for (width, height, size) in [(300, 200, 64), (40, 52, 128), (97, 97, 64), (64, 8, 32)] {
            let image = uneven(width, height);
            let ours = resampled(image.clone(), size, Channels::Numbers);
            let theirs = resize(&image, size, size, FilterType::Triangle);
            let inside = size / 8..size - size / 8;
            for (x, y) in inside.clone().flat_map(|x| inside.clone().map(move |y| (x, y))) {
                let (a, b) = (ours.get_pixel(x, y).0, theirs.get_pixel(x, y).0);
                for (a, b) in a.into_iter().zip(b) {
                    assert!(a.abs_diff(b) <= 1, "{width} x {height} to {size}, at {x}, {y}");
                }
            }
        }
    }

    /// A repeating image that begins elsewhere gives the same texture, which begins elsewhere.
    #[test]
    fn textures_repeat_without_a_seam() {
        let (image, size) = (uneven(300, 60), 64);
        let shifted =
            RgbaImage::from_fn(300, 60, |x, y| *image.get_pixel((x + 75) % 300, (y + 15) % 60));
        for channels in [Channels::Colour, Channels::Numbers] {
            let [plain, shifted] =
                [image.clone(), shifted.clone()].map(|image| resampled(image, size, channels));
            for (x, y, pixel) in shifted.enumerate_pixels() {
                let before = plain.get_pixel((x + size / 4) % size, (y + size / 4) % size);
                let differs = |(a, b): (u8, u8)| a.abs_diff(b) > 1;
                assert!(!pixel.0.into_iter().zip(before.0).any(differs), "{x} {y}");
            }
        }
    }

    #[test]
    fn colours_are_averaged_as_light_and_one_pixel_fills_a_texture() {
        let stripes = RgbaImage::from_fn(64, 2, |x, _| Rgba([[0; 4], [255; 4]][x as usize % 2]));
        let pixel = |channels| resampled(stripes.clone(), 16, channels).get_pixel(3, 5).0;
        assert_eq!(pixel(Channels::Colour), [180, 180, 180, 128]);
        assert_eq!(pixel(Channels::Numbers), [128; 4]);
        let dot = RgbaImage::from_pixel(1, 1, Rgba([1, 20, 150, 255]));
        let filled = resampled(dot, 8, Channels::Colour);
        assert!(filled.dimensions() == (8, 8) && filled.pixels().all(|p| p.0 == [1, 20, 150, 255]));
    }
}
