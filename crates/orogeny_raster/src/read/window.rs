//! Parts of a raster that are read on demand.

use crate::error::RasterError;

/// A raster whose samples are read a rectangle at a time, by many threads.
pub(crate) trait Window: Send + Sync {
    /// Replaces `out` by the heights in metres of `size` samples from `first` on, row by row. NaN
    /// marks samples without data. The rectangle is within the raster.
    fn read(
        &self,
        first: [usize; 2],
        size: [usize; 2],
        out: &mut Vec<f32>,
    ) -> Result<(), RasterError>;
}
