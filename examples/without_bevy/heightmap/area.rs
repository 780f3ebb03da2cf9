//! The pixels of a picture as tiles, each evaluated as a grid.

use std::io::{self, Write};

use orogeny::lattice::MAX_CELL;
use orogeny::{Field, Grid, Samples, Tree};

use crate::failure::Failure;

/// Columns and rows of a tile: enough to share the field's work for columns and rows well, few
/// enough for the samples to stay in the cache.
const TILE: [usize; 2] = [512, 16];
/// Tiles of a band for each thread. At the end of a band, threads that are done wait for the
/// others.
const TILES_PER_THREAD: usize = 16;

/// The positions of the pixels, and their division into tiles.
///
/// Pixel (i, j) has the position origin + spacing * (i, j), whatever tile it is in.
pub struct Area {
    whole: Grid<2>,
    /// Rows of tiles in a band.
    strips: usize,
}

/// A rectangle of pixels.
#[derive(Clone, Copy, Debug)]
pub struct Tile {
    first: [usize; 2],
    size: [usize; 2],
}

impl Tile {
    /// The number of pixels.
    pub fn pixels(&self) -> usize {
        self.size[0] * self.size[1]
    }
}

impl Area {
    /// Cuts a picture into tiles.
    pub fn new(origin: [f64; 2], spacing: f64, size: [usize; 2]) -> Self {
        let mut area = Self { whole: Grid::new(origin, spacing, size), strips: 1 };
        let wanted = TILES_PER_THREAD * rayon::current_num_threads();
        area.strips = wanted.div_ceil(area.columns());
        area
    }

    /// Checks that the field has values here, since the domain of noises ends far from the origin.
    ///
    /// # Errors
    /// A corner of the picture without a value.
    pub fn check(&self, field: &Tree<2>) -> Result<(), Failure> {
        for corner in 0..4 {
            let index =
                [0, 1].map(|k| if corner >> k & 1 == 1 { self.whole.size[k] - 1 } else { 0 });
            let [x, z] = [0, 1].map(|k| self.whole.coordinate(k, index[k]));
            if !field.sample([x, z]).value.is_finite() {
                return Err(missing(format!("at ({x:e}, {z:e})")));
            }
        }
        Ok(())
    }

    /// The distance between neighbouring coordinates in double precision, if that is too large for
    /// the spacing.
    pub fn coarse(&self) -> Option<f64> {
        let far = [0, 1].map(|k| self.whole.coordinate(k, self.whole.size[k] - 1).abs());
        let far = far.into_iter().chain(self.whole.origin.map(f64::abs)).fold(0.0, f64::max);
        let step = far.next_up() - far;
        (step > self.whole.spacing[0] / 2.0).then_some(step)
    }

    /// The number of pixels.
    pub fn pixels(&self) -> u64 {
        self.whole.size.iter().map(|&side| side as u64).product()
    }

    /// The number of tiles side by side.
    fn columns(&self) -> usize {
        self.whole.size[0].div_ceil(TILE[0])
    }

    /// The number of tiles.
    pub fn tiles(&self) -> usize {
        self.columns() * self.whole.size[1].div_ceil(TILE[1])
    }

    /// The number of tiles of each band but the last.
    pub fn tiles_per_band(&self) -> usize {
        self.columns() * self.strips
    }

    /// The maximum number of pixels of a tile.
    pub fn pixels_per_tile(&self) -> usize {
        TILE[0] * TILE[1]
    }

    /// A tile, counted from left to right and down.
    pub fn tile(&self, number: usize) -> Tile {
        let cell = [number % self.columns(), number / self.columns()];
        let first = [0, 1].map(|k| cell[k] * TILE[k]);
        let size = [0, 1].map(|k| TILE[k].min(self.whole.size[k] - first[k]));
        Tile { first, size }
    }

    /// Evaluates a tile.
    pub fn evaluate(&self, field: &Tree<2>, tile: &Tile, samples: &mut Samples<2>) {
        field.sample_grid(&self.whole.part(tile.first, tile.size), samples);
    }

    /// Writes the rows of a band, given its tiles one after another, each in a buffer as large as
    /// the largest tile.
    pub fn write_rows(
        &self,
        first_tile: usize,
        band: &[u8],
        bytes: usize,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let tile_bytes = self.pixels_per_tile() * bytes;
        for (strip, tiles) in band.chunks(tile_bytes * self.columns()).enumerate() {
            let number = first_tile + strip * self.columns();
            for row in 0..self.tile(number).size[1] {
                for (column, pixels) in tiles.chunks(tile_bytes).enumerate() {
                    let line = self.tile(number + column).size[0] * bytes;
                    out.write_all(&pixels[row * line..][..line])?;
                }
            }
        }
        Ok(())
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
