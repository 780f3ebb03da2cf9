//! Parts of a TIFF, read on demand.

use crate::error::RasterError;
use crate::read::source::Input;
use crate::read::survey::{Row, Survey, Surveyed};
use crate::read::tiff::chunks::{Chunks, MOST_SAMPLES};
use crate::read::tiff::directories::Directory;
use crate::read::tiff::{Layer, Tiff, decoder};
use crate::read::units::Conversion;
use crate::read::window::{Rect, Share, SharedFile, Window};

/// The most rows of a part that is read at a time.
const ROWS: usize = 324;

/// The bytes of a decoder without its table of strips or tiles: buffers and tags.
const DECODER_BYTES: usize = 16 << 10;
/// The bytes of an entry of the table: where a strip or tile is, and its length.
const TABLE_BYTES: usize = 16;
/// The bytes that an unpacked strip or tile takes beside its heights, in the cache.
const ENTRY_BYTES: usize = 192;

/// An unpacked strip or tile: heights row by row, or what is wrong with it.
pub(in crate::read) type Decoded = Result<Vec<f32>, String>;

/// A TIFF that threads read at the same time, each with a decoder of its own.
pub(super) struct TiffWindow {
    /// Has the decoders, and what is unpacked.
    share: Share,
    /// Whether all is read once.
    is_whole: bool,
    file: SharedFile,
    /// The length of the file in bytes.
    len: u64,
    /// The image, and its mask if it has one.
    layers: Vec<(Directory, Chunks)>,
    conversion: Conversion,
    surveyed: Surveyed,
}

fn decoder_bytes(chunks: &Chunks) -> usize {
    DECODER_BYTES + TABLE_BYTES * chunks.count()
}

impl TiffWindow {
    /// `layers` have the first decoders of a file.
    pub fn new(
        layers: Vec<Layer>,
        file: SharedFile,
        conversion: Conversion,
        share: Share,
        &Input { is_whole, len, .. }: &Input,
    ) -> Result<Self, RasterError> {
        let advice = "rewrite it in tiles of 256 x 256 samples (gdal_translate -co TILED=YES)";
        for Layer { chunks, .. } in layers.iter().filter(|_| !is_whole) {
            let [columns, rows] = chunks.chunk();
            if !chunks.are_small() {
                return Err(RasterError::unsupported(format!(
                    "its strips or tiles of {columns} x {rows} samples are larger than \
                     {MOST_SAMPLES} samples, so parts of it cannot be read on demand; {advice}"
                )));
            }
            let band = chunks.band(ROWS);
            if band > share.resources.chunks.budget() {
                return Err(RasterError::limit(format!(
                    "its strips are {columns} samples wide: those that a tile meets take {band} \
                     bytes, more than the quarter of Tiling::budget that is for them; {advice}, or \
                     raise the budget"
                )));
            }
        }
        let mut kept = Vec::new();
        for (layer, Layer { directory, tiff, chunks }) in layers.into_iter().enumerate() {
            let key = [share.index, layer];
            share.resources.decoders.add(key, decoder_bytes(&chunks), tiff);
            kept.push((directory, chunks));
        }
        let surveyed = Surveyed::new(kept.first().map_or(0, |(_, chunks)| chunks.count()), false);
        Ok(Self { share, is_whole, file, len, layers: kept, conversion, surveyed })
    }

    /// Unpacks a strip or tile of a layer: heights, or NaN where the mask says that there is no
    /// data.
    fn decode(&self, layer: usize, index: usize) -> Result<Vec<f32>, RasterError> {
        let (directory, chunks) = &self.layers[layer];
        let part = chunks.part(index);
        let width = part.size[0];
        let mut survey = if layer == 0 { self.surveyed.claim(index) } else { None };
        let mut mask = Vec::new();
        if layer == 0 && self.layers.len() > 1 {
            // Before a decoder is lent, since its pool lends one at a time.
            mask.resize(part.count(), f32::NAN);
            self.gather(1, part, &mut mask)?;
        }
        let mask: Vec<bool> = mask.iter().map(|x| !x.is_nan()).collect();
        let mut out = vec![f32::NAN; part.count()];
        let mut take = |row: usize, values: &mut dyn Iterator<Item = f64>| {
            let (before, own) = out[..(row + 1) * width].split_at_mut(row * width);
            if layer > 0 {
                let is_valid = |value| if value == 0.0 { f32::NAN } else { 0.0 };
                own.iter_mut().zip(values).for_each(|(out, value)| *out = is_valid(value));
                return;
            }
            let mask = (!mask.is_empty()).then(|| &mask[row * width..(row + 1) * width]);
            if let Some(survey) = &mut survey {
                let [left, top] = part.first;
                let index = ((top + row) * directory.size[0] + left) as u64;
                let above = (row > 0).then(|| &before[(row - 1) * width..]);
                survey.row(&self.conversion, &Row { index, above, mask }, values, own);
                return;
            }
            for (i, (out, value)) in own.iter_mut().zip(values).enumerate() {
                let is_masked = mask.is_some_and(|mask| !mask[i]);
                *out = if is_masked { f32::NAN } else { self.conversion.height_or_nan(value) };
            }
        };
        if chunks.is_absent(index) {
            let value = if layer == 0 { self.conversion.left_out } else { 0.0 };
            let rows = 0..part.size[1];
            rows.for_each(|row| take(row, &mut std::iter::repeat_n(value, width)));
        } else {
            let Share { resources, index: file } = &self.share;
            let bytes = decoder_bytes(chunks);
            let make = || decoder(&self.file, self.len, directory).map(|(tiff, _)| tiff);
            let work = |tiff: &mut Tiff| chunks.decode(tiff, index, take);
            resources.decoders.lend([*file, layer], bytes, make, work)??;
        }
        if let Some(survey) = survey {
            self.surveyed.add(&survey);
        }
        Ok(out)
    }

    /// Replaces `out` by a rectangle of a layer.
    fn gather(&self, layer: usize, wanted: Rect, out: &mut [f32]) -> Result<(), RasterError> {
        let Share { resources, index: file } = &self.share;
        let (_, chunks) = &self.layers[layer];
        // The indices of a layer follow those of the layers before.
        let start: usize = self.layers[..layer].iter().map(|(_, chunks)| chunks.count()).sum();
        let (chunk, across, end) = (chunks.chunk(), chunks.across()[0], wanted.end());
        let range = |k: usize| wanted.first[k] / chunk[k]..=(end[k] - 1) / chunk[k];
        for index in range(1).flat_map(|j| range(0).map(move |i| j * across + i)) {
            let part = chunks.part(index);
            let Some(shared) = part.shared(&wanted) else { continue };
            let mut take = |heights: &[f32]| {
                for (to, from) in wanted.rows(shared).zip(part.rows(shared)) {
                    out[to].copy_from_slice(&heights[from]);
                }
            };
            // Each is needed once.
            if self.is_whole && layer == 0 {
                take(&self.decode(layer, index)?);
                continue;
            }
            let bytes = part.count() * size_of::<f32>() + ENTRY_BYTES;
            let load = || self.decode(layer, index).map_err(|e| e.to_string());
            let held = resources.chunks.get([*file, start + index], bytes, load);
            match held.get() {
                Some(Ok(heights)) => take(heights),
                Some(Err(problem)) => return Err(RasterError::damaged(problem)),
                None => return Err(RasterError::damaged("unpacking a strip or tile panicked")),
            }
        }
        Ok(())
    }
}

impl Window for TiffWindow {
    fn read(&self, part: Rect, out: &mut [f32]) -> Result<(), RasterError> {
        self.gather(0, part, out)
    }

    fn finish_survey(&self) -> Option<Survey> {
        self.surveyed.finish()
    }
}
