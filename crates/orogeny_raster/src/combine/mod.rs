//! Rasters with other fields: blended into the ground around (`over_ground.rs`), and with noise
//! finer than their cells (`amplified.rs`). `coverage.rs` is where a raster shows.

mod amplified;
pub(crate) mod coverage;
mod over_ground;

pub use amplified::{Amplification, Amplified};
pub use over_ground::OverGround;

use orogeny::{Bounds, SharedField};

use crate::combine::coverage::mask;
use crate::error::RasterError;
use crate::field::{Patch, RasterField};
use crate::tiles::{Overview, RasterTiles};

/// A raster: ground that knows where it has data.
pub(crate) trait Source: Patch {
    /// A mask that is 1 well inside and 0 at the edges and beside samples without data, see
    /// `coverage.rs`.
    fn mask(&self, width: f64) -> Result<RasterField, RasterError>;
}

impl Source for RasterField {
    fn mask(&self, width: f64) -> Result<RasterField, RasterError> {
        mask(self.frame, |i, j| self.has_data(i, j), width)
    }
}

impl Source for RasterTiles {
    fn mask(&self, width: f64) -> Result<RasterField, RasterError> {
        let Overview { frame, is_whole, .. } = self.overview()?;
        mask(*frame, |i, j| is_whole[j * frame.size[0] + i], width)
    }
}

impl Patch for SharedField<2> {
    fn bounds_near(&self, _: [f64; 2], _: f64) -> Bounds {
        self.bounds()
    }
}
