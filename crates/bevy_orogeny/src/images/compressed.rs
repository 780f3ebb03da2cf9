//! Images in the compressed formats of graphics devices, as KTX2 and DDS files have them.

use bevy_render::render_resource::TextureFormat;

/// Decodes an image.
type Decode = fn(&[u8], usize, usize, &mut [u32]) -> Result<(), &'static str>;

/// The four channels of each pixel, from the bytes of an image. `None` if its format is not a
/// compressed one with numbers from 0 to 1.
pub(crate) fn decoded(
    format: TextureFormat,
    bytes: &[u8],
    width: u32,
    height: u32,
) -> Option<Vec<u8>> {
    let decode = decoder(format)?;
    let (width, height) = (width as usize, height as usize);
    let mut pixels = vec![0; width * height];
    // It only fails if there are too few bytes.
    decode(bytes, width, height, &mut pixels).ok()?;
    let is_grey = matches!(format, TextureFormat::Bc4RUnorm | TextureFormat::EacR11Unorm);
    let channels = pixels.into_iter().flat_map(|pixel| {
        let [b, g, r, a] = pixel.to_le_bytes();
        if is_grey { [r, r, r, 255] } else { [r, g, b, a] }
    });
    Some(channels.collect())
}

/// Without ASTC: the crate's decoder panics on some bytes.
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
            assert_eq!(decoded(format, &block[1..], 4, 4), None, "{format:?}");
        }
        assert_eq!(decoded(Rgba8Unorm, &[0; 64], 4, 4), None);
        assert_eq!(decoded(Bc6hRgbUfloat, &[0; 64], 4, 4), None);
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
            prop_assert_eq!(decoded(format, &block, 4, 4).map(|pixels| pixels.len()), Some(64));
        }
    }
}
