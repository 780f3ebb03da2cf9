//! A raster of heights in metres, and its limits.

use crate::error::RasterError;

/// The most samples along a side; the fewest are 2.
pub const MAX_SIDE: usize = 16_384;
/// The most samples of a raster: 512 MiB of heights. A [`RasterField`](crate::RasterField) of that
/// size takes another 512 MiB, and 1.5 GiB while it is built.
pub const MAX_SAMPLES: usize = 1 << 27;
/// The most samples along a side of a raster that is read in tiles, see
/// [`RasterTiles`](crate::RasterTiles).
pub const MAX_TILED_SIDE: usize = 1 << 20;
/// The most samples of a raster that is read in tiles.
pub const MAX_TILED_SAMPLES: u64 = 1 << 36;
/// The smallest spacing in metres. One arc second taken for metres is less.
pub const MIN_SPACING: f64 = 1e-3;
/// The largest spacing in metres.
pub const MAX_SPACING: f64 = 1e5;
/// The largest absolute height in metres.
pub const MAX_HEIGHT: f32 = 1e5;
/// The largest absolute coordinate of the first sample in metres.
pub const MAX_POSITION: f64 = 1e9;

/// Heights in metres on a regular grid. x runs east with the columns, z runs south with the rows:
/// row 0 is the north edge. A height of NaN marks a sample without data.
#[derive(Clone, Debug, PartialEq)]
pub struct Raster {
    size: [usize; 2],
    spacing: [f64; 2],
    position: [f64; 2],
    heights: Vec<f32>,
    earth: Earth,
}

/// What is known of the place of a raster on Earth, if it is placed there.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Earth {
    /// Once around along x in metres.
    pub turn: Option<f64>,
    /// The EPSG code of its projection; 0 without a projection, in degrees.
    pub projection: Option<u16>,
}

impl Raster {
    /// A raster of `size` \[columns, rows\] with `spacing` [x, z] in metres, whose first sample is
    /// centred at `position` [x, z] in metres. `heights` run row by row from the north-west corner.
    ///
    /// # Errors
    /// If a side is not within 2 to [`MAX_SIDE`], there are more than [`MAX_SAMPLES`], the number
    /// of heights is not columns x rows, the spacing is not within [`MIN_SPACING`] to
    /// [`MAX_SPACING`], the position is not within +-[`MAX_POSITION`], a height is neither NaN nor
    /// within +-[`MAX_HEIGHT`], or all heights are NaN.
    pub fn new(
        size: [usize; 2],
        spacing: [f64; 2],
        position: [f64; 2],
        heights: Vec<f32>,
    ) -> Result<Self, RasterError> {
        let samples = checked_size(size)?;
        let [columns, rows] = size;
        if heights.len() != samples {
            let found = heights.len();
            return Err(RasterError::limit(format!(
                "{columns} x {rows} samples need {samples} heights, but there are {found}"
            )));
        }
        check_spacing(spacing)?;
        check_position(position)?;
        check_heights(&heights, columns, [0, 0])?;
        if heights.iter().all(|height| height.is_nan()) {
            return Err(RasterError::limit("no sample has a height: all are without data"));
        }
        Ok(Self { size, spacing, position, heights, earth: Earth::default() })
    }

    /// The number of samples: \[columns, rows\].
    pub fn size(&self) -> [usize; 2] {
        self.size
    }

    /// The distance between neighbouring samples along x and z, in metres.
    pub fn spacing(&self) -> [f64; 2] {
        self.spacing
    }

    /// The centre (x, z) of the first sample, the one in the north-west, in metres.
    pub fn position(&self) -> [f64; 2] {
        self.position
    }

    /// All heights in metres, row by row from the north. NaN marks a sample without data.
    pub fn heights(&self) -> &[f32] {
        &self.heights
    }

    /// The height of a sample: NaN without data, `None` outside the raster.
    pub fn height(&self, column: usize, row: usize) -> Option<f32> {
        let [columns, rows] = self.size;
        (column < columns && row < rows).then(|| self.heights[row * columns + column])
    }

    /// The centres of the first and the last sample: the minimum and the maximum (x, z) in metres.
    pub fn corners(&self) -> [[f64; 2]; 2] {
        let last = |k: usize| self.position[k] + (self.size[k] - 1) as f64 * self.spacing[k];
        [self.position, [last(0), last(1)]]
    }

    /// The same raster, which lies on Earth.
    pub(crate) fn on(self, earth: Earth) -> Self {
        Self { earth, ..self }
    }

    /// Where on Earth it lies.
    pub(crate) fn earth(&self) -> Earth {
        self.earth
    }

    /// The same raster elsewhere: its first sample is centred at `position` (x, z) in metres.
    ///
    /// # Errors
    /// If the position is not within +-[`MAX_POSITION`].
    pub fn at(self, position: [f64; 2]) -> Result<Self, RasterError> {
        Self::new(self.size, self.spacing, position, self.heights)
    }
}

/// The number of samples, if it is within the limits.
pub(crate) fn checked_size(size: [usize; 2]) -> Result<usize, RasterError> {
    const ADVICE: &str =
        ", the most that are kept in memory; cut the raster or reduce its resolution";
    Ok(checked(size, MAX_SIDE, MAX_SAMPLES as u64, ADVICE)? as usize)
}

/// The number of samples, if it is within the limits of rasters that are read in tiles.
pub(crate) fn checked_tiled_size(size: [usize; 2]) -> Result<u64, RasterError> {
    checked(size, MAX_TILED_SIDE, MAX_TILED_SAMPLES, "")
}

fn checked(
    [columns, rows]: [usize; 2],
    side: usize,
    most: u64,
    advice: &str,
) -> Result<u64, RasterError> {
    if ![columns, rows].iter().all(|count| (2..=side).contains(count)) {
        return Err(RasterError::limit(format!(
            "{columns} x {rows} samples: each side must have 2 to {side}"
        )));
    }
    let samples = columns as u64 * rows as u64;
    if samples > most {
        return Err(RasterError::limit(format!(
            "{columns} x {rows} samples are more than {most}{advice}"
        )));
    }
    Ok(samples)
}

/// Checks rows of heights whose first sample is `first` \[column, row\] of the raster.
pub(crate) fn check_heights(
    heights: &[f32],
    columns: usize,
    first: [usize; 2],
) -> Result<(), RasterError> {
    let is_wrong = |height: &f32| !height.is_nan() && height.abs() > MAX_HEIGHT;
    let Some(index) = heights.iter().position(is_wrong) else { return Ok(()) };
    let [column, row] = [first[0] + index % columns, first[1] + index / columns];
    let height = heights[index];
    Err(RasterError::limit(format!(
        "the height {height} m at column {column}, row {row} is not within +-{MAX_HEIGHT} m; if it \
         marks missing data, give its value as Reading::no_data; if the unit is wrong, give \
         Reading::height_scale"
    )))
}

/// Checks the position of the first sample.
pub(crate) fn check_position(position: [f64; 2]) -> Result<(), RasterError> {
    if position.iter().all(|x| x.abs() <= MAX_POSITION) {
        return Ok(());
    }
    Err(RasterError::limit(format!("the position {position:?} is not within +-{MAX_POSITION:e} m")))
}

pub(crate) fn check_spacing(spacing: [f64; 2]) -> Result<(), RasterError> {
    if spacing.iter().all(|x| (MIN_SPACING..=MAX_SPACING).contains(x)) {
        return Ok(());
    }
    let [x, z] = spacing;
    let hint = if x > 0.0 && x < MIN_SPACING { "; is it in degrees?" } else { "" };
    Err(RasterError::limit(format!(
        "the spacing {x} m by {z} m is not within {MIN_SPACING} to {MAX_SPACING} m{hint}"
    )))
}
