//! Rasters that are larger than memory: tiles of the spline, loaded on demand.
//!
//! Start with `raster_tiles.rs`. `store.rs` keeps tiles, and `filled.rs` computes the coefficients
//! of one. `scan.rs` finds the bounds of all, and a coarse raster on the way (`overview.rs`).

mod filled;
mod overview;
mod raster_tiles;
mod scan;
mod store;

pub use raster_tiles::RasterTiles;

pub(crate) use overview::Overview;

use orogeny::Bounds;

use crate::error::RasterError;

/// The smallest budget in bytes: 10 tiles, beside the part for TIFFs.
const MIN_BUDGET: usize = 4 << 20;

/// How a raster is read in tiles.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tiling {
    /// The most bytes that tiles take, at least 4 MiB: 256 MiB by default.
    ///
    /// A quarter of them is for unpacked strips and tiles of TIFFs, and a sixteenth for TIFF
    /// decoders: 16 KiB each, and 16 bytes for each strip or tile of the file. A thread that reads
    /// a TIFF uses one. There is always room for one; other threads wait where there is no room for
    /// theirs. All files of a mosaic share these parts.
    ///
    /// Each thread that samples takes another 4 MiB meanwhile: what a tile needs while it is
    /// loaded, and up to 8 tiles in use. A TIFF that leaves out strips or tiles takes one byte for
    /// each strip or tile.
    pub budget: usize,
    /// Where bounds come from.
    pub bounds: TileBounds,
}

/// Where the bounds of a raster that is read in tiles come from.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum TileBounds {
    /// From the samples: opening reads the whole file once, on all CPU cores. The bounds are as
    /// tight as those of a [`RasterField`](crate::RasterField), for blocks of 32 x 32 cells.
    #[default]
    Scan,
    /// From the caller: opening reads the header only. A tile that exceeds them is refused, so they
    /// are always true: it is a hole, and an error, see
    /// [`RasterTiles::take_errors`](crate::RasterTiles::take_errors). Far points load the tile that
    /// each is in.
    Given(Bounds),
}

impl Default for Tiling {
    fn default() -> Self {
        Self { budget: 256 << 20, bounds: TileBounds::Scan }
    }
}

impl Tiling {
    /// The bytes for tiles, for unpacked strips and tiles of TIFFs, and for decoders of those.
    pub(super) fn parts(&self) -> [usize; 3] {
        let (chunks, decoders) = (self.budget / 4, self.budget / 16);
        [self.budget - chunks - decoders, chunks, decoders]
    }

    pub(super) fn check(&self) -> Result<(), RasterError> {
        if self.budget < MIN_BUDGET {
            let budget = self.budget;
            return Err(RasterError::limit(format!(
                "Tiling::budget: {budget} bytes are less than {MIN_BUDGET}"
            )));
        }
        let TileBounds::Given(bounds) = self.bounds else { return Ok(()) };
        let Bounds { min, max, lipschitz, curvature } = bounds;
        if !(min <= max && lipschitz >= 0.0 && curvature >= 0.0) {
            return Err(RasterError::limit(format!("Tiling::bounds: {bounds:?} are no bounds")));
        }
        Ok(())
    }
}
