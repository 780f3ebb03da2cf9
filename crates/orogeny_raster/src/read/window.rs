//! Parts of a raster that are read on demand.

use crate::error::RasterError;
use crate::read::survey::Survey;

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

    /// What was seen of all samples that were read, each taken in once; later ones are not.
    fn finish_survey(&self) -> Option<Survey>;
}
