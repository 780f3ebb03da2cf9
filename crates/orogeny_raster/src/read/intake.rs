//! Takes in the values of a file that is read whole: converts them to metres, and surveys them.

use crate::error::RasterError;
use crate::raster::checked_size;
use crate::read::conversion::Conversion;
use crate::read::survey::{Row, Survey};

/// The heights so far, and what was seen.
pub(super) struct Intake {
    columns: usize,
    /// NaN where there is no data.
    pub heights: Vec<f32>,
    pub conversion: Conversion,
    pub survey: Survey,
}

impl Intake {
    /// Room for all samples.
    pub fn new(
        size: [usize; 2],
        conversion: Conversion,
        survey: Survey,
    ) -> Result<Self, RasterError> {
        let samples = checked_size(size)?;
        let mut heights = Vec::new();
        heights
            .try_reserve_exact(samples)
            .map_err(|_| RasterError::limit(format!("there is no memory for {samples} samples")))?;
        heights.resize(samples, f32::NAN);
        Ok(Self { columns: size[0], heights, conversion, survey })
    }

    /// Takes in `count` values of a row from a column on. `has_above`: the row above belongs to the
    /// same block. What is beyond the end is ignored.
    pub fn row(
        &mut self,
        [column, row]: [usize; 2],
        count: usize,
        has_above: bool,
        mask: Option<&[bool]>,
        values: impl Iterator<Item = f64>,
    ) {
        let start = row * self.columns + column;
        let end = (start + count).min(self.heights.len());
        if start >= end {
            return;
        }
        let (before, own) = self.heights[..end].split_at_mut(start);
        let above = (has_above && start >= self.columns)
            .then(|| &before[start - self.columns..])
            .map(|above| &above[..count.min(above.len())]);
        let row = Row { index: start as u64, above, mask };
        self.survey.row(&self.conversion, &row, values, own);
    }
}
