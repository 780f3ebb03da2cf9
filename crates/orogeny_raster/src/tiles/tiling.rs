//! The options of rasters that are read in tiles.

use orogeny::Bounds;

use crate::error::RasterError;

/// The smallest budget in bytes: some 16 tiles.
const MIN_BUDGET: usize = 4 << 20;

/// How a raster is read in tiles.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tiling {
    /// The most bytes that tiles take, at least 4 MiB: 256 MiB by default. A quarter of them is for
    /// the unpacked strips and tiles of a TIFF. Each thread that samples takes another 4 MiB
    /// meanwhile: what a tile needs while it is loaded, and up to 8 tiles in use.
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
