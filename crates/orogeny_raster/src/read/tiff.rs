//! TIFF with one band. What its tags say of the place is in `geo_tags.rs`, its samples are in
//! `tiff_chunks.rs`.

use std::io::BufReader;

use tiff::decoder::{Decoder, DecodingResult, Limits};
use tiff::tags::{PhotometricInterpretation, Tag};
use tiff::{ColorType, TiffError};

use crate::error::RasterError;
use crate::raster::{checked_size, checked_tiled_size};
use crate::read::conversion::Conversion;
use crate::read::geo_tags::GeoTags;
use crate::read::intake::Intake;
use crate::read::pixels::Raw;
use crate::read::resources::Share;
use crate::read::shared_file::SharedFile;
use crate::read::source::{Input, Source};
use crate::read::tiff_chunks::Chunks;
use crate::read::tiff_directory;
use crate::read::tiff_window::TiffWindow;
use crate::read::widened::Widened;
use crate::warning::Warning;

/// The most bytes that one byte of a compressed file may stand for: above what deflate and LZW
/// reach. A file that declares more is damaged, and no memory is reserved for it.
const MOST_PACKED: u64 = 1500;

pub(super) type Tiff = Decoder<Widened<BufReader<SharedFile>>>;

/// Loads a whole image.
pub(super) fn load(input: Input) -> Result<(Source, Intake), RasterError> {
    let file = SharedFile::new(&input)?;
    let Opened { mut tiff, mut source, chunks, tags } =
        Opened::new(file, &input, |size| checked_size(size).map(|samples| samples as u64))?;
    let [columns, _] = source.size;
    let mut intake = Intake::new(source.size, Some(tags.unit), tags.no_data, input.reading)?;
    let mut absent = 0;
    for index in 0..chunks.count() {
        // A sparse file leaves out tiles that have no data.
        if chunks.is_absent(index) {
            absent += 1;
            continue;
        }
        let [[left, top], _] = chunks.part(index);
        chunks.decode(&mut tiff, index, |row, values| {
            intake.take((top + row) * columns + left, values);
        })?;
    }
    if absent > 0 {
        let what = format!("{absent} strips or tiles are left out of the file: no data there");
        source.warnings.push(Warning::Assumed(what));
    }
    Ok((source, intake))
}

/// Opens an image to read parts of it.
pub(super) fn open(
    input: Input,
    share: Share,
) -> Result<(Source, Conversion, TiffWindow), RasterError> {
    let file = share.file(&input)?;
    let Opened { tiff, source, chunks, tags } =
        Opened::new(file.clone(), &input, checked_tiled_size)?;
    let conversion = Conversion::new(Some(tags.unit), tags.no_data, input.reading);
    let reopen = move || decoder(file.clone(), input.len).map(|(tiff, _)| tiff);
    let window = TiffWindow::new(tiff, reopen, chunks, conversion.clone(), share)?;
    Ok((source, conversion, window))
}

/// Loads all channels of an image.
pub(super) fn pixels(input: &Input) -> Result<Raw, RasterError> {
    let file = SharedFile::new(input)?;
    let (mut tiff, size) = decoder(file, input.len)?;
    let samples = checked_size(size)? as u64;
    let color = tiff.colortype().map_err(problem)?;
    let (channels, bits) = match color {
        ColorType::Gray(bits @ (8 | 16)) => (1, bits),
        ColorType::GrayA(bits @ (8 | 16)) => (2, bits),
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
    let tags = GeoTags::read(&mut tiff)?;
    // The decoder may know the image wider than it is, see `widened.rs`.
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
    let source = Source {
        sample_type: "weights".into(),
        size,
        georeference: tags.georeference,
        has_assumed_unit: false,
        can_be_tiled: false,
        warnings: tags.warnings,
    };
    let largest = if bits == 8 { 255 } else { u16::MAX };
    Ok(Raw { source, channels, largest, values })
}

/// Checks that a file of `len` bytes can hold unpacked `bytes`.
fn check_packing(bytes: u64, len: u64) -> Result<(), RasterError> {
    if bytes / MOST_PACKED <= len {
        return Ok(());
    }
    Err(RasterError::damaged(format!(
        "it declares {bytes} bytes of samples, but its {len} bytes cannot hold them"
    )))
}

/// An image whose tags are read.
struct Opened {
    tiff: Tiff,
    source: Source,
    chunks: Chunks,
    tags: GeoTags,
}

impl Opened {
    /// `samples` counts them, or says that they are too many.
    fn new(
        file: SharedFile,
        input: &Input,
        samples: impl Fn([usize; 2]) -> Result<u64, RasterError>,
    ) -> Result<Self, RasterError> {
        let (mut tiff, size) = decoder(file, input.len)?;
        let samples = samples(size)?;
        let bits = sample_bits(&mut tiff, input.reading.allow_8_bit)?;
        check_packing(samples * u64::from(bits) / 8, input.len)?;
        let tags = GeoTags::read(&mut tiff)?;
        let chunks = Chunks::read(&mut tiff, size, input.len)?;
        let mut warnings = tags.warnings.clone();
        if tiff.more_images() {
            warnings.push(Warning::Assumed("only the first image of several is read".into()));
        }
        let source = Source {
            sample_type: format!("{bits}-bit {}", number_type(&mut tiff)?),
            size,
            georeference: tags.georeference.clone(),
            has_assumed_unit: true,
            can_be_tiled: chunks.are_small(),
            warnings,
        };
        Ok(Self { tiff, source, chunks, tags })
    }
}

/// A decoder of the first image of a file of `len` bytes, and the size of the image.
fn decoder(file: SharedFile, len: u64) -> Result<(Tiff, [usize; 2]), RasterError> {
    let mut file = BufReader::new(file);
    let widened = tiff_directory::check(&mut file, len)?;
    let patch = widened.map(|(patch, _)| patch);
    let mut tiff = Decoder::new(Widened { inner: file, patch }).map_err(problem)?;
    let (width, height) = tiff.dimensions().map_err(problem)?;
    let columns = widened.map_or(width as usize, |(_, columns)| columns);
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

/// The bits of a sample, if the image is of one band of heights.
fn sample_bits(tiff: &mut Tiff, allow_8_bit: bool) -> Result<u8, RasterError> {
    let color = tiff.colortype().map_err(problem)?;
    let bits = match color {
        ColorType::Gray(bits) => bits,
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
        16 | 32 | 64 => Ok(bits),
        8 if allow_8_bit => Ok(bits),
        8 => Err(RasterError::unsupported(
            "it has 8 bits a sample: 256 heights make terraces. Export 16 bits or more, or set \
             Reading::allow_8_bit",
        )),
        bits => Err(RasterError::unsupported(format!(
            "it has {bits} bits a sample, but must have 8, 16, 32 or 64"
        ))),
    }
}
