//! Parts of a TIFF, read on demand.

use crate::error::RasterError;
use crate::read::conversion::Conversion;
use crate::read::resources::Share;
use crate::read::tiff::Tiff;
use crate::read::tiff_chunks::{Chunks, MOST_SAMPLES};
use crate::read::window::Window;

/// The most rows of a part that is read at a time.
const ROWS: usize = 324;

/// The bytes of a decoder without its table of strips or tiles: buffers and tags.
const DECODER_BYTES: usize = 16 << 10;
/// The bytes of an entry of the table: where a strip or tile is, and its length.
const TABLE_BYTES: usize = 16;
/// The bytes that an unpacked strip or tile takes beside its heights, in the cache.
const ENTRY_BYTES: usize = 192;

/// An unpacked strip or tile: heights row by row, or what is wrong with it.
pub(super) type Decoded = Result<Vec<f32>, String>;

/// A TIFF that threads read at the same time, each with a decoder of its own.
pub(crate) struct TiffWindow {
    /// Has the decoders, and what is unpacked.
    share: Share,
    reopen: Box<dyn Fn() -> Result<Tiff, RasterError> + Send + Sync>,
    chunks: Chunks,
    conversion: Conversion,
}

fn decoder_bytes(chunks: &Chunks) -> usize {
    DECODER_BYTES + TABLE_BYTES * chunks.count()
}

impl TiffWindow {
    /// `tiff` is the first decoder, and `reopen` makes others.
    pub fn new(
        tiff: Tiff,
        reopen: impl Fn() -> Result<Tiff, RasterError> + Send + Sync + 'static,
        chunks: Chunks,
        conversion: Conversion,
        share: Share,
    ) -> Result<Self, RasterError> {
        let [columns, rows] = chunks.chunk();
        let advice = "rewrite it in tiles of 256 x 256 samples (gdal_translate -co TILED=YES)";
        if !chunks.are_small() {
            return Err(RasterError::unsupported(format!(
                "its strips or tiles of {columns} x {rows} samples are larger than {MOST_SAMPLES} \
                 samples, so parts of it cannot be read on demand; {advice}"
            )));
        }
        let band = chunks.band(ROWS);
        if band > share.resources.chunks.budget() {
            return Err(RasterError::limit(format!(
                "its strips are {columns} samples wide: those that a tile meets take {band} bytes, \
                 more than the quarter of Tiling::budget that is for them; {advice}, or raise the \
                 budget"
            )));
        }
        share.resources.decoders.add(share.index, decoder_bytes(&chunks), tiff);
        Ok(Self { share, reopen: Box::new(reopen), chunks, conversion })
    }

    fn decode(&self, index: usize) -> Result<Vec<f32>, RasterError> {
        let [_, [width, height]] = self.chunks.part(index);
        if self.chunks.is_absent(index) {
            return Ok(vec![f32::NAN; width * height]);
        }
        let Share { resources, index: file } = &self.share;
        let bytes = decoder_bytes(&self.chunks);
        resources.decoders.lend(*file, bytes, &self.reopen, |tiff| {
            let mut heights = Vec::with_capacity(width * height);
            self.chunks.decode(tiff, index, |_, values| {
                heights.extend(values.map(|value| self.conversion.height_or_nan(value)));
            })?;
            Ok(heights)
        })?
    }
}

impl Window for TiffWindow {
    fn read(
        &self,
        first: [usize; 2],
        size: [usize; 2],
        out: &mut Vec<f32>,
    ) -> Result<(), RasterError> {
        let Share { resources, index: file } = &self.share;
        let [width, height] = size;
        out.clear();
        out.resize(width * height, f32::NAN);
        let (chunk, across) = (self.chunks.chunk(), self.chunks.across()[0]);
        let range = |k: usize| first[k] / chunk[k]..=(first[k] + size[k] - 1) / chunk[k];
        for index in range(1).flat_map(|j| range(0).map(move |i| j * across + i)) {
            let [corner, part] = self.chunks.part(index);
            let bytes = part[0] * part[1] * size_of::<f32>() + ENTRY_BYTES;
            let load = || self.decode(index).map_err(|e| e.to_string());
            let held = resources.chunks.get([*file, index], bytes, load);
            let heights = match held.get() {
                Some(Ok(heights)) if heights.len() == part[0] * part[1] => heights,
                Some(Err(problem)) => return Err(RasterError::damaged(problem)),
                _ => return Err(RasterError::damaged("a strip or tile is too short")),
            };
            // The rectangle that the part shares with the wanted one.
            let from = [0, 1].map(|k| corner[k].max(first[k]));
            let to = [0, 1].map(|k| (corner[k] + part[k]).min(first[k] + size[k]));
            let count = to[0] - from[0];
            for j in from[1]..to[1] {
                let source = (j - corner[1]) * part[0] + from[0] - corner[0];
                let target = (j - first[1]) * width + from[0] - first[0];
                out[target..target + count].copy_from_slice(&heights[source..source + count]);
            }
        }
        Ok(())
    }
}
