//! TIFF with one band, and perhaps a mask or an alpha band. What its tags say of the place is in
//! `read/geo_tags.rs`. `directories.rs` finds images, `chunks.rs` unpacks strips and tiles, and
//! `window.rs` reads parts.

mod chunks;
mod directories;
mod window;

pub(super) use window::Decoded;

use std::io::BufReader;

use tiff::decoder::{Decoder, DecodingResult, Limits};
use tiff::tags::{PhotometricInterpretation, Tag};
use tiff::{ColorType, TiffError};

use crate::error::RasterError;
use crate::raster::checked_size;
use crate::read::geo_tags::GeoTags;
use crate::read::source::{Input, MOST_PACKED, Source, check_packing};
use crate::read::tiff::chunks::Chunks;
use crate::read::tiff::directories::{Directory, Patched, directories};
use crate::read::tiff::window::TiffWindow;
use crate::read::units::Conversion;
use crate::read::window::{Opened, Share, SharedFile};
use crate::read::{Pixels, beside};
use crate::report::Warning;

pub(super) type Tiff = Decoder<Patched<BufReader<SharedFile>>>;

/// Opens an image.
pub(super) fn open(input: &Input, share: Share) -> Result<Opened, RasterError> {
    let file = share.file(input)?;
    let Image { image, mask, source, conversion } = Image::new(&file, input)?;
    let rows = image.chunks.chunk()[1];
    let layers = [Some(image), mask].into_iter().flatten().collect();
    let window = TiffWindow::new(layers, file, conversion.clone(), share, input)?;
    Ok(Opened { source, conversion, window: Box::new(window), rows })
}

/// Loads all channels of an image.
pub(super) fn pixels(input: &Input) -> Result<Pixels, RasterError> {
    let file = Share::alone().file(input)?;
    let found = directories(BufReader::new(file.clone()), input.len)?;
    let (mut tiff, size) = decoder(&file, input.len, &found.image)?;
    let samples = checked_size(size)? as u64;
    let color = tiff.colortype().map_err(problem)?;
    let (channels, bits) = match color {
        ColorType::Gray(bits @ (8 | 16)) => (1, bits),
        ColorType::GrayA(bits @ (8 | 16))
        | ColorType::Multiband { bit_depth: bits @ (8 | 16), num_samples: 2 } => (2, bits),
        ColorType::RGB(bits @ (8 | 16)) => (3, bits),
        ColorType::RGBA(bits @ (8 | 16)) => (4, bits),
        color => {
            return Err(RasterError::unsupported(format!(
                "its pixels are {color:?}, but weights must be grey or RGB, with or without \
                 alpha, of 8 or 16 bits"
            )));
        }
    };
    let planes = tiff.find_tag_unsigned::<u16>(Tag::PlanarConfiguration).map_err(problem)?;
    if channels > 1 && planes.is_some_and(|planes| planes != 1) {
        return Err(RasterError::unsupported(
            "its channels are stored one after the other; interleave them (gdal_translate -co \
             INTERLEAVE=PIXEL)",
        ));
    }
    check_packing(samples * channels as u64 * u64::from(bits) / 8, input.len)?;
    let tags = GeoTags::read(&mut tiff, size)?;
    // The decoder may know the image wider than it is, see `directories.rs`.
    let wide = tiff.dimensions().map_err(problem)?.0 as usize * channels;
    let own = size[0] * channels;
    let rows = |all: Vec<u16>| match wide == own {
        true => all,
        false => all.chunks_exact(wide).flat_map(|row| &row[..own]).copied().collect(),
    };
    let values = match tiff.read_image().map_err(problem)? {
        DecodingResult::U8(all) => rows(all.into_iter().map(u16::from).collect()),
        DecodingResult::U16(all) => rows(all),
        _ => return Err(RasterError::unsupported("its numbers are not unsigned integers")),
    };
    if values.len() < own * size[1] {
        return Err(RasterError::damaged("the image is too short"));
    }
    let mut source = Source::plain("weights", size);
    let mut warnings = tags.warnings;
    source.place(match tags.has_place {
        true => tags.place,
        false => beside::world_file(input.path, size, Some(&tags.keys), &mut warnings)?,
    });
    source.warnings = warnings;
    let largest = if bits == 8 { 255 } else { u16::MAX };
    Ok(Pixels { source, channels, largest, values })
}

/// An image or its mask.
struct Layer {
    pub directory: Directory,
    pub tiff: Tiff,
    pub chunks: Chunks,
}

impl Layer {
    /// A mask in a file of `len` bytes; `None` if it is of no known kind.
    fn mask(
        file: &SharedFile,
        len: u64,
        directory: Directory,
    ) -> Result<Option<Self>, RasterError> {
        let (mut tiff, size) = decoder(file, len, &directory)?;
        let Ok(ColorType::Gray(bits @ (1 | 8))) = tiff.colortype() else { return Ok(None) };
        let chunks = Chunks::read(&mut tiff, size, (bits, false), len)?;
        check_packing(chunks.bytes(), len)?;
        Ok(Some(Self { directory, tiff, chunks }))
    }
}

/// An image whose tags are read.
struct Image {
    image: Layer,
    mask: Option<Layer>,
    source: Source,
    conversion: Conversion,
}

impl Image {
    fn new(file: &SharedFile, input: &Input) -> Result<Self, RasterError> {
        let len = input.len;
        let found = directories(BufReader::new(file.clone()), len)?;
        let (mut tiff, size) = decoder(file, len, &found.image)?;
        input.check(size)?;
        let (bits, has_alpha) = sample_bits(&mut tiff, input.reading.allow_8_bit)?;
        let chunks = Chunks::read(&mut tiff, size, (bits, has_alpha), len)?;
        check_packing(chunks.bytes(), len)?;
        let tags = GeoTags::read(&mut tiff, size)?;
        let mut warnings = tags.warnings;
        warnings.extend(found.warnings);
        warnings.extend(beside::ignored(input.path));
        let has_mask = found.mask.is_some();
        let mask = match found.mask {
            Some(mask) => Layer::mask(file, len, mask)?,
            None => None,
        };
        let mut assume = |what: String| warnings.push(Warning::Assumed(what));
        if has_mask && mask.is_none() {
            assume("its mask is not read, since it has neither 1 nor 8 bits a sample".into());
        }
        // As in GDAL, a mask counts instead of the value.
        let no_data = tags.no_data.filter(|_| mask.is_none());
        if let (Some(value), Some(_)) = (tags.no_data, &mask) {
            assume(format!(
                "it has a mask, so its GDAL_NODATA of {value} is not used; if it marks missing \
                 data, too, give it as Reading::no_data"
            ));
        }
        let mut conversion = Conversion::new(Some(tags.unit), no_data, input.reading);
        match (chunks.absent(), tags.no_data) {
            (0, _) => {}
            (count, None) if !has_alpha => assume(format!(
                "{count} strips or tiles are left out of the file, which declares no value for \
                 missing data: they are 0, as in GDAL; else give Reading::no_data = Some(0.0)"
            )),
            // Their alpha is 0, too.
            _ => conversion.left_out = f64::NAN,
        }
        let mut source = Source::plain(format!("{bits}-bit {}", number_type(&mut tiff)?), size);
        source.place(match tags.has_place {
            true => tags.place,
            false => beside::world_file(input.path, size, Some(&tags.keys), &mut warnings)?,
        });
        source.has_mask = mask.is_some() || has_alpha;
        source.overviews = found.overviews;
        source.can_be_tiled =
            chunks.are_small() && mask.as_ref().is_none_or(|mask| mask.chunks.are_small());
        source.warnings = warnings;
        let image = Layer { directory: Directory { size, ..found.image }, tiff, chunks };
        Ok(Self { image, mask, source, conversion })
    }
}

/// A decoder of an image in a file of `len` bytes, and the size of the image.
fn decoder(
    file: &SharedFile,
    len: u64,
    directory: &Directory,
) -> Result<(Tiff, [usize; 2]), RasterError> {
    let inner = BufReader::new(file.clone());
    let patched = Patched { inner, patches: directory.patches.clone() };
    let mut tiff = Decoder::new(patched).map_err(problem)?;
    let (width, height) = tiff.dimensions().map_err(problem)?;
    let [columns, _] = directory.size;
    let columns = if columns == 0 { width as usize } else { columns.min(width as usize) };
    // Padded tiles take more than the image, but no more than the file can hold.
    let most = len.saturating_mul(MOST_PACKED).min(1 << 30) as usize;
    let mut limits = Limits::default();
    limits.decoding_buffer_size = most;
    limits.intermediate_buffer_size = most;
    Ok((tiff.with_limits(limits), [columns, height as usize]))
}

/// The type of numbers, as the file says it.
fn number_type(tiff: &mut Tiff) -> Result<&'static str, RasterError> {
    let formats = tiff.find_tag_unsigned_vec::<u16>(Tag::SampleFormat).map_err(problem)?;
    Ok(match formats.as_deref() {
        Some([2, ..]) => "signed integer",
        Some([3, ..]) => "float",
        _ => "unsigned integer",
    })
}

/// What went wrong in the decoder.
pub(super) fn problem(error: TiffError) -> RasterError {
    match error {
        TiffError::UnsupportedError(what) => RasterError::unsupported(what),
        TiffError::LimitsExceeded => {
            RasterError::damaged("a strip or tile is larger than the file can hold")
        }
        TiffError::IoError(error) if error.raw_os_error().is_some() => error.into(),
        error => RasterError::damaged(format!("the TIFF is damaged: {error}")),
    }
}

/// The bits of a sample, if the image is of one band of heights, and whether an alpha band follows
/// it.
fn sample_bits(tiff: &mut Tiff, allow_8_bit: bool) -> Result<(u8, bool), RasterError> {
    let color = tiff.colortype().map_err(problem)?;
    let (bits, has_alpha) = match color {
        ColorType::Gray(bits) => (bits, false),
        ColorType::Multiband { bit_depth, num_samples } => {
            let mut numbers = |tag| tiff.find_tag_unsigned_vec::<u16>(tag).map_err(problem);
            let extra = numbers(Tag::ExtraSamples)?.unwrap_or_default();
            let planes = numbers(Tag::PlanarConfiguration)?.unwrap_or_default();
            let is_alpha = num_samples == 2 && matches!(extra[..], [1 | 2]);
            if !is_alpha {
                return Err(RasterError::unsupported(format!(
                    "it has {num_samples} bands, but elevation needs one: take out the first by \
                     gdal_translate -b 1"
                )));
            }
            if !matches!(planes[..], [] | [1]) {
                return Err(RasterError::unsupported(
                    "its alpha band is stored after the heights; interleave them by \
                     gdal_translate -co INTERLEAVE=PIXEL",
                ));
            }
            (bit_depth, true)
        }
        color => {
            return Err(RasterError::unsupported(format!(
                "its pixels are {color:?}, but elevation needs one band: is it a picture?"
            )));
        }
    };
    let meaning = tiff.find_tag_unsigned::<u16>(Tag::PhotometricInterpretation).map_err(problem)?;
    if meaning != Some(PhotometricInterpretation::BlackIsZero.to_u16()) {
        return Err(RasterError::unsupported(format!(
            "its photometric interpretation is {meaning:?}, but must be 1 (black is zero)"
        )));
    }
    match bits {
        16 | 32 | 64 => Ok((bits, has_alpha)),
        8 if allow_8_bit => Ok((bits, has_alpha)),
        8 => Err(RasterError::unsupported(
            "it has 8 bits a sample: 256 heights make terraces. Export 16 bits or more, or set \
             Reading::allow_8_bit",
        )),
        bits => Err(RasterError::unsupported(format!(
            "it has {bits} bits a sample, but must have 8, 16, 32 or 64"
        ))),
    }
}
