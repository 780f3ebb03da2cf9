//! OpenEXR: one channel of 16-bit or 32-bit floats, or of 32-bit integers.

use std::fs::File;
use std::io::BufReader;

use exr::block::UncompressedBlock;
use exr::block::chunk::Chunk;
use exr::block::lines::LineRef;
use exr::block::reader::{ChunksReader, Reader};
use exr::error::Error;
use exr::meta::MetaData;
use exr::meta::attribute::SampleType;
use exr::prelude::f16;

use crate::error::RasterError;
use crate::raster::checked_size;
use crate::read::source::{Input, Source, check_packing};
use crate::read::survey::{Intake, Survey};
use crate::read::units::Conversion;

/// The most bytes of a block of lines or a tile, with all its channels.
const MOST_BLOCK: u64 = 256 << 20;

/// The channel with the heights.
struct Channel {
    layer: usize,
    index: usize,
    name: String,
    kind: SampleType,
}

/// Loads a whole image.
pub(super) fn load(input: Input) -> Result<(Source, Intake), RasterError> {
    let file = BufReader::new(input.file.try_clone()?);
    let reader = exr::block::read(file, true).map_err(problem)?;
    let channel = channel(reader.meta_data(), input.reading.channel.as_deref())?;
    let size = check(reader.meta_data(), &channel, input.len)?;
    let conversion = Conversion::new(None, None, input.reading);
    let mut intake = Intake::new(size, conversion, Survey::new(false))?;
    take_all(reader, &channel, size, &mut intake)?;
    let kind = match channel.kind {
        SampleType::F16 => "16-bit float",
        SampleType::F32 => "32-bit float",
        SampleType::U32 => "32-bit unsigned integer",
    };
    let source = Source::plain(format!("{kind}, channel {:?}", channel.name), size);
    Ok((source, intake))
}

/// The only channel, or the one that is asked for.
fn channel(image: &MetaData, wanted: Option<&str>) -> Result<Channel, RasterError> {
    let mut all = Vec::new();
    for (layer, header) in image.headers.iter().enumerate() {
        let own = header.own_attributes.layer_name.as_ref().map(|name| format!("{name}."));
        for (index, channel) in header.channels.list.iter().enumerate() {
            let name = format!("{}{}", own.as_deref().unwrap_or_default(), channel.name);
            all.push(Channel { layer, index, name, kind: channel.sample_type });
        }
    }
    let names = || all.iter().map(|channel| format!("{:?}", channel.name)).collect::<Vec<_>>();
    match wanted {
        Some(wanted) => {
            let place = all.iter().position(|channel| channel.name == wanted).ok_or_else(|| {
                let names = names().join(", ");
                let problem = format!("there is no channel {wanted:?}, but {names}");
                RasterError::setting("channel", problem)
            })?;
            Ok(all.swap_remove(place))
        }
        None if all.len() == 1 => Ok(all.swap_remove(0)),
        None => Err(RasterError::Missing(vec![format!(
            "Give Reading::channel, the name of the channel with the heights: there are {}",
            names().join(", ")
        )])),
    }
}

/// Checks all sizes, before memory is reserved, and returns that of the image.
fn check(image: &MetaData, channel: &Channel, len: u64) -> Result<[usize; 2], RasterError> {
    let header = &image.headers[channel.layer];
    if header.deep {
        return Err(RasterError::unsupported("it has deep data: each pixel has many samples"));
    }
    let description = &header.channels.list[channel.index];
    let sampling = description.sampling;
    if sampling.x() != 1 || sampling.y() != 1 {
        return Err(RasterError::unsupported(format!(
            "its channel {:?} is subsampled: it has not a value for each pixel",
            channel.name
        )));
    }
    let size = [header.layer_size.x(), header.layer_size.y()];
    checked_size(size)?;
    for header in &image.headers {
        let bytes = |[width, height]: [usize; 2]| {
            let pixels = (width as u64).saturating_mul(height as u64);
            pixels.saturating_mul(header.channels.bytes_per_pixel as u64)
        };
        let all = bytes([header.layer_size.x(), header.layer_size.y()]);
        let block = header.max_block_pixel_size();
        let block = bytes([block.x(), block.y()]);
        check_packing(all.max(block), len)?;
        // Each chunk has an offset of 8 bytes in the file.
        if block > MOST_BLOCK || header.chunk_count as u64 > len / 8 {
            return Err(RasterError::damaged(format!(
                "it declares blocks of {block} bytes, but its {len} bytes cannot hold them"
            )));
        }
    }
    Ok(size)
}

/// Takes in all blocks of the channel's layer, at the full resolution.
fn take_all(
    reader: Reader<BufReader<File>>,
    channel: &Channel,
    [columns, rows]: [usize; 2],
    intake: &mut Intake,
) -> Result<(), RasterError> {
    let is_wanted = |_: &MetaData, _, block: exr::block::BlockIndex| {
        block.layer == channel.layer && block.level.x() == 0 && block.level.y() == 0
    };
    let mut chunks = reader.filter_chunks(true, is_wanted).map_err(problem)?;
    let image = chunks.meta_data().clone();
    let list = &image.headers[channel.layer].channels;
    let mut values = Vec::with_capacity(columns);
    while let Some(chunk) = chunks.read_next_chunk() {
        let chunk: Chunk = chunk.map_err(problem)?;
        let block = UncompressedBlock::decompress_chunk(chunk, &image, true).map_err(problem)?;
        for line in block.lines(list).filter(|line| line.location.channel == channel.index) {
            let position = line.location.position;
            if position.x() + line.location.sample_count > columns || position.y() >= rows {
                return Err(RasterError::damaged("a block reaches beyond the image"));
            }
            decode(&line, channel.kind, &mut values)?;
            let at = [position.x(), position.y()];
            intake.row(at, values.len(), false, values.iter().copied());
        }
    }
    Ok(())
}

/// Replaces `out` by the numbers of a line.
fn decode(line: &LineRef, kind: SampleType, out: &mut Vec<f64>) -> Result<(), RasterError> {
    out.clear();
    let outcome = match kind {
        SampleType::F16 => {
            line.read_samples::<f16>().try_for_each(|x| x.map(|x| out.push(x.to_f64())))
        }
        SampleType::F32 => {
            line.read_samples::<f32>().try_for_each(|x| x.map(|x| out.push(x.into())))
        }
        SampleType::U32 => {
            line.read_samples::<u32>().try_for_each(|x| x.map(|x| out.push(x.into())))
        }
    };
    outcome.map_err(problem)
}

fn problem(error: Error) -> RasterError {
    match error {
        Error::NotSupported(what) => RasterError::unsupported(what),
        Error::Io(error) if error.kind() != std::io::ErrorKind::UnexpectedEof => error.into(),
        error => RasterError::damaged(format!("the EXR is damaged: {error}")),
    }
}
