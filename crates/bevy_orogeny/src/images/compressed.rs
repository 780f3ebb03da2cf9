//! Images in the compressed formats of graphics devices, as KTX2 and DDS files have them.

use astc_decode::{Footprint, astc_decode_block};
use bevy_render::render_resource::{AstcChannel, TextureFormat};

/// Decodes an image.
type Decode = fn(&[u8], usize, usize, &mut [u32]) -> Result<(), &'static str>;

/// Why an image is not decoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NotDecoded {
    /// Its format is not a compressed one with numbers from 0 to 1.
    Format,
    /// Its bytes are too few, or not of its format.
    Bytes,
}

/// The four channels of each pixel, from the bytes of an image.
pub(crate) fn decoded(
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

#[cfg(test)]
mod tests {
    use TextureFormat::*;
    use bevy_render::render_resource::AstcBlock;
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
}
