//! Tiles of a picture, the names of their files, and the bands of rows in which each is computed.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use orogeny::lattice::MAX_CELL;
use orogeny::{Grid, Landscape};

use crate::cli::Failure;
use crate::export::args::CommonArgs;

/// Pixels of a band for each thread: enough that no thread waits for long at the end of a band, and
/// few enough that Ctrl-C, which ends a run between bands, takes seconds where pixels are slow.
const PIXELS_PER_THREAD: usize = 1 << 17;
/// The minimum number of rows of a band for each thread, since rows share work for columns.
const ROWS_PER_THREAD: usize = 16;

/// The longest side of a map of plants or a mesh in metres. Searching more for plants takes hours.
const MAX_EXTENT: f64 = 1e7;

/// A map in tiles of equal size. The last row and column of a tile are the first ones of the next.
pub struct Tiles {
    /// All pixels.
    pub whole: Grid<2>,
    size: [usize; 2],
    /// The number of tiles along x and z; `None` for one file without tile numbers in its name.
    pub count: Option<[usize; 2]>,
}

/// A tile, or all of the map.
pub struct Tile {
    /// Its column and row, if there are tiles.
    pub index: Option<[usize; 2]>,
    /// Its pixels: (i, j) has the position origin + spacing * (i, j) of the whole map.
    pub grid: Grid<2>,
    /// The number of rows of tiles.
    rows: usize,
}

impl Tiles {
    /// The tiles of the command line.
    ///
    /// # Errors
    /// Tiles of one row or column, which cannot share a border, or a name for all tiles that has
    /// only a column or a row.
    pub fn new(args: &CommonArgs) -> Result<Self, Failure> {
        let (size, count) = (args.size, args.tiles);
        if count.is_some() && size.contains(&1) {
            let problem = "tiles share their borders, so each side must be at least 2";
            return Err(Failure::request("--size", problem));
        }
        let name = args.out.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let has_row = name.contains("{y}") || name.contains("{yup}");
        if count.is_some() && name.contains("{x}") != has_row {
            let problem = "the names of tiles need {x} and {y} or {yup}, or none for _x0_y0";
            return Err(Failure::request(format!("--out {}", args.out.display()), problem));
        }
        let along = |k: usize| count.map_or(1, |count| count[k]) * (size[k] - 1) + 1;
        Ok(Self { whole: Grid::new(args.origin, args.spacing, [along(0), along(1)]), size, count })
    }

    /// All tiles, row by row.
    pub fn iter(&self) -> impl Iterator<Item = Tile> {
        let [columns, rows] = self.count.unwrap_or([1; 2]);
        (0..rows).flat_map(move |y| (0..columns).map(move |x| self.tile([x, y])))
    }

    fn tile(&self, index: [usize; 2]) -> Tile {
        let first = [0, 1].map(|k| index[k] * (self.size[k] - 1));
        let (rows, index) = (self.count.map_or(1, |count| count[1]), self.count.map(|_| index));
        Tile { index, grid: self.whole.part(first, self.size), rows }
    }

    /// Checks that the map is not too wide for plants or a mesh, and that tiles have an inside.
    pub fn check_extent(&self) -> Result<(), Failure> {
        if self.size.contains(&1) {
            let problem = "plants and meshes need a side of at least 2 pixels";
            return Err(Failure::request("--size", problem));
        }
        let extents = self.whole.size.map(|side| (side - 1) as f64 * self.whole.spacing[0]);
        match extents.into_iter().find(|&extent| extent > MAX_EXTENT) {
            Some(extent) => {
                let problem = format!(
                    "a side is {extent:e} m, but plants and meshes reach at most {MAX_EXTENT:e} m"
                );
                Err(Failure::request("--size, --spacing", problem))
            }
            None => Ok(()),
        }
    }

    /// Checks that the field has values here, since the domain of noises ends far from the origin.
    pub fn check(&self, field: &Landscape) -> Result<(), Failure> {
        let [xs, zs] = self.ends();
        for [x, z] in [[xs[0], zs[0]], [xs[1], zs[0]], [xs[0], zs[1]], [xs[1], zs[1]]] {
            if !field.sample([x, z]).value.is_finite() {
                return Err(missing(format!("at ({x:e}, {z:e})")));
            }
        }
        Ok(())
    }

    /// The distance between neighbouring coordinates in double precision, if that is too large for
    /// the spacing.
    pub fn coarse(&self) -> Option<f64> {
        let far = self.ends().as_flattened().iter().fold(0.0, |far: f64, x| far.max(x.abs()));
        let step = far.next_up() - far;
        (step > self.whole.spacing[0] / 2.0).then_some(step)
    }

    /// The first and the last coordinate along x and z.
    fn ends(&self) -> [[f64; 2]; 2] {
        let Grid { size, .. } = self.whole;
        [0, 1].map(|k| [0, size[k] - 1].map(|index| self.whole.coordinate(k, index)))
    }

    /// The number of pixels of all tiles.
    pub fn pixels(&self) -> u64 {
        self.iter().map(|tile| tile.grid.len() as u64).sum()
    }
}

impl Tile {
    /// Its file. `part` tells several files of one tile apart.
    pub fn path(&self, out: &Path, part: &str) -> PathBuf {
        if self.index.is_none() && part.is_empty() {
            return out.into();
        }
        let mut name = OsString::from(out.file_stem().unwrap_or_default());
        match (self.index, name.to_str()) {
            (Some([x, y]), Some(pattern)) if pattern.contains("{x}") => {
                // Rows from the bottom, as Unity counts them.
                let numbers = [("{x}", x), ("{y}", y), ("{yup}", self.rows - 1 - y)].into_iter();
                let replace =
                    |name: String, (key, n): (&str, usize)| name.replace(key, &n.to_string());
                name = numbers.fold(pattern.into(), replace).into();
                name.push(part);
            }
            (Some([x, y]), _) => name.push(format!("{part}_x{x}_y{y}")),
            (None, _) => name.push(part),
        }
        if let Some(ending) = out.extension() {
            name.push(".");
            name.push(ending);
        }
        out.with_file_name(name)
    }
}

/// The bands of a picture, from top to bottom.
pub fn bands(grid: Grid<2>) -> impl Iterator<Item = Grid<2>> {
    let [width, height] = grid.size;
    let rows = (PIXELS_PER_THREAD / width).max(ROWS_PER_THREAD) * rayon::current_num_threads();
    let band = move |first| grid.part([0, first], [width, rows.min(height - first)]);
    (0..height).step_by(rows).map(band)
}

/// The position of a pixel, counted row by row.
pub fn position(grid: &Grid<2>, index: usize) -> [f64; 2] {
    let width = grid.size[0];
    [grid.coordinate(0, index % width), grid.coordinate(1, index / width)]
}

/// The error for a position without a value.
pub fn missing(place: impl std::fmt::Display) -> Failure {
    let problem = format!(
        "the terrain has no height {place}: coordinates times the highest noise frequency must be \
         at most {MAX_CELL:e} (simplex noise: 2^53)"
    );
    Failure::request("--origin, --spacing", problem)
}
