//! The pixels of a picture as bands of rows, each evaluated as a grid.

use orogeny::lattice::MAX_CELL;
use orogeny::{Grid, Landscape};

use crate::failure::Failure;

/// Pixels of a band for each thread: enough that no thread waits for long at the end of a band.
const PIXELS_PER_THREAD: usize = 1 << 19;
/// The minimum number of rows of a band for each thread, since rows share work for columns.
const ROWS_PER_THREAD: usize = 16;

/// The positions of the pixels, and their division into bands.
///
/// Pixel (i, j) has the position origin + spacing * (i, j), whatever band it is in.
pub struct Area {
    /// All pixels.
    pub grid: Grid<2>,
    /// Rows of each band but the last.
    rows: usize,
}

impl Area {
    /// Cuts a picture into bands.
    pub fn new(grid: Grid<2>) -> Self {
        let rows = (PIXELS_PER_THREAD / grid.size[0]).max(ROWS_PER_THREAD);
        let rows = rows * rayon::current_num_threads();
        Self { grid, rows }
    }

    /// Checks that the field has values here, since the domain of noises ends far from the origin.
    ///
    /// # Errors
    /// A corner of the picture without a value.
    pub fn check(&self, field: &Landscape) -> Result<(), Failure> {
        for corner in 0..4 {
            let index =
                [0, 1].map(|k| if corner >> k & 1 == 1 { self.grid.size[k] - 1 } else { 0 });
            let [x, z] = [0, 1].map(|k| self.grid.coordinate(k, index[k]));
            if !field.sample([x, z]).value.is_finite() {
                return Err(missing(format!("at ({x:e}, {z:e})")));
            }
        }
        Ok(())
    }

    /// The distance between neighbouring coordinates in double precision, if that is too large for
    /// the spacing.
    pub fn coarse(&self) -> Option<f64> {
        let far = [0, 1].map(|k| self.grid.coordinate(k, self.grid.size[k] - 1).abs());
        let far = far.into_iter().chain(self.grid.origin.map(f64::abs)).fold(0.0, f64::max);
        let step = far.next_up() - far;
        (step > self.grid.spacing[0] / 2.0).then_some(step)
    }

    /// The number of pixels.
    pub fn pixels(&self) -> u64 {
        self.grid.size.iter().map(|&side| side as u64).product()
    }

    /// The bands, from top to bottom.
    pub fn bands(&self) -> impl Iterator<Item = Grid<2>> {
        let [width, height] = self.grid.size;
        let band = move |first| self.grid.part([0, first], [width, self.rows.min(height - first)]);
        (0..height).step_by(self.rows).map(band)
    }
}

/// The error for a position without a value.
pub fn missing(place: impl std::fmt::Display) -> Failure {
    let problem = format!(
        "the terrain has no height {place}: coordinates times the highest noise frequency must be \
         at most {MAX_CELL:e} (simplex noise: 2^53)"
    );
    Failure::request("--origin, --spacing", problem)
}
