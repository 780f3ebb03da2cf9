//! Rasters in memory that fit together.

use crate::error::RasterError;
use crate::field::frame::Frame;
use crate::mosaic::fit::{common, fit, overlay};
use crate::raster::{Raster, checked_size};

impl Raster {
    /// One raster of several that lie on one grid of samples, such as georeferenced tiles. Where
    /// they overlap, the first one with data is taken; between them there is no data. To put files
    /// together that are larger than memory, use
    /// [`RasterTiles::open_mosaic`](crate::RasterTiles::open_mosaic).
    ///
    /// # Errors
    /// If there is none, their projections or spacings differ, their samples are not on one grid,
    /// or the result is beyond the limits of [`new`](Self::new).
    pub fn mosaic(rasters: &[Self]) -> Result<Self, RasterError> {
        let frame = |raster: &Self| Frame::new(raster.size(), raster.spacing(), raster.position());
        let frames: Vec<_> = rasters.iter().map(frame).collect();
        let names: Vec<_> = (0..rasters.len()).map(|k| format!("raster {k}")).collect();
        let all: Vec<_> = rasters.iter().map(Self::earth).collect();
        let earth = common(&names, &all)?;
        let (whole, firsts) = fit(&names, &frames, earth.turn)?;
        let mut heights = vec![f32::NAN; checked_size(whole.size)?];
        for (raster, first) in rasters.iter().zip(firsts) {
            overlay(&mut heights, whole.size[0], raster.heights(), raster.size()[0], first);
        }
        Ok(Self::new(whole.size, whole.spacing, whole.corners[0], heights)?.on(earth))
    }
}
