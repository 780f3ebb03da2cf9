//! Grids filled by all threads of a rayon pool.

use core::{array, mem};
use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;

use crate::field::Field;
use crate::samples::positions::Grid;
use crate::samples::{Buffer, Samples};

/// The number of columns and of bytes in a tile: few enough bytes for an L2 cache, where operators
/// have buffers of the same size too, and enough rows to share the work for columns.
const TILE_COLUMNS: usize = 256;
const TILE_BYTES: usize = 256 << 10;
/// Bands for each thread, so that a thread that is done early takes over work of the others.
const BANDS_PER_THREAD: usize = 4;
/// The minimum number of samples of a band: below some microseconds, threads cost more than they
/// save.
const MIN_BAND: usize = 1 << 12;

/// Grids filled by all threads of the current rayon pool: the feature `rayon`.
///
/// Every [`Field`] that is [`Sync`] has these methods. They cut the grid into bands of rows, and
/// each thread takes the next band when it is done with its last. The bits are those of one thread,
/// for any number of threads.
///
/// Outside a pool, they use rayon's global one, with a thread for each core. They are meant for
/// large grids: those below 8192 samples are filled by one thread, and below some ten thousand
/// samples of a simple field, waking the others takes as long as they save.
///
/// ```
/// use orogeny::{Field, Grid, Node, ParallelField, Samples};
///
/// let hills = Node::<2>::noise(7).fbm(8).frequency(0.001).build()?;
/// let grid = Grid::new([0.0; 2], 2.0, [1024, 1024]);
/// // Reuse the buffer: it keeps the scratch buffers of all threads.
/// let mut samples = Samples::new();
/// hills.par_sample_grid(&grid, &mut samples);
/// assert_eq!(samples.get(1024), hills.sample([0.0, 2.0]));
///
/// let mut heights = vec![0.0; grid.len()];
/// hills.par_value_grid(&grid, &mut heights);
/// assert_eq!(heights, samples.values());
/// # Ok::<(), orogeny::DataError>(())
/// ```
pub trait ParallelField<const N: usize>: Field<N> + Sync {
    /// Like [`Field::sample_grid`], on all threads.
    ///
    /// `out` keeps a scratch buffer for each thread, for a tile of some ten thousand samples, which
    /// are then copied to their rows. Filling `out` again allocates nothing, once it and its
    /// scratch buffers have grown to the size of the largest grid.
    fn par_sample_grid(&self, grid: &Grid<N>, out: &mut Samples<N>) {
        let threads = rayon::current_num_threads();
        let components = if out.has_gradients() { 1 + N } else { 1 };
        let division = Division::new(grid, threads, components);
        if division.bands == 1 {
            return self.sample_grid(grid, out);
        }
        out.resize(grid.len());
        out.with_spares(threads.min(division.bands), |out, buffers| {
            let gradient = out.gradient.each_mut().map(|part| &mut part[..]);
            fill(self, grid, &division, buffers, Rows { value: &mut out.value, gradient });
        });
    }

    /// Like [`Field::value_grid`], on all threads.
    ///
    /// It allocates a buffer for some ten thousand samples for each thread. To allocate nothing,
    /// keep a buffer of [values only](Samples::values_only) and call
    /// [`par_sample_grid`](Self::par_sample_grid).
    ///
    /// # Panics
    /// If `out` is not as long as the grid.
    fn par_value_grid(&self, grid: &Grid<N>, out: &mut [f32]) {
        assert_eq!(out.len(), grid.len(), "the slice must be as long as the grid");
        let threads = rayon::current_num_threads();
        let division = Division::new(grid, threads, 1);
        if division.bands == 1 {
            return self.value_grid(grid, out);
        }
        let mut buffers = vec![Samples::values_only(); threads.min(division.bands)];
        let gradient = array::from_fn(|_| Default::default());
        fill(self, grid, &division, &mut buffers, Rows { value: out, gradient });
    }
}

impl<const N: usize, F: Field<N> + Sync + ?Sized> ParallelField<N> for F {}

/// How a grid is cut.
struct Division {
    /// The number of bands.
    bands: usize,
    /// The number of tiles side by side in a band.
    tiles: usize,
}

impl Division {
    /// A division for samples of `components` floats.
    fn new<const N: usize>(grid: &Grid<N>, threads: usize, components: usize) -> Self {
        let len = grid.len();
        if len < 2 * MIN_BAND {
            return Self { bands: 1, tiles: 1 };
        }
        // The axis that `Grid::bands` splits. A band along axis 0 is a single row.
        let axis = (0..N).rev().find(|&k| grid.size[k] > 1).unwrap_or(0);
        let tiles = if axis == 0 { 1 } else { (grid.size[0] / TILE_COLUMNS).max(1) };
        let side = grid.size[axis];
        let row = len / side;
        let most = TILE_BYTES / (components * size_of::<f32>());
        let [min, max] = [MIN_BAND.div_ceil(row), most.div_ceil(row / tiles)];
        let rows = side.div_ceil(BANDS_PER_THREAD * threads).min(max).max(min);
        Self { bands: side.div_ceil(rows), tiles }
    }
}

/// Some rows of the output.
struct Rows<'a, const N: usize> {
    value: &'a mut [f32],
    /// Empty for values only.
    gradient: [&'a mut [f32]; N],
}

impl<'a, const N: usize> Rows<'a, N> {
    /// Takes the rows of the first `len` samples away.
    fn take(&mut self, len: usize) -> Self {
        let take = |part: &mut &'a mut [f32]| {
            let whole = mem::take(part);
            let (first, rest) = whole.split_at_mut(len.min(whole.len()));
            *part = rest;
            first
        };
        Rows { value: take(&mut self.value), gradient: self.gradient.each_mut().map(take) }
    }

    /// Copies a tile, whose first column is `first`, to rows of `width` samples.
    fn copy(&mut self, tile: &Samples<N>, first: usize, columns: usize, width: usize) {
        let copy = |to: &mut [f32], from: &[f32]| {
            for (to, from) in to.chunks_exact_mut(width).zip(from.chunks_exact(columns)) {
                to[first..][..columns].copy_from_slice(from);
            }
        };
        copy(self.value, &tile.value);
        self.gradient.iter_mut().zip(&tile.gradient).for_each(|(to, from)| copy(to, from));
    }
}

/// Fills a grid. There is a buffer for each thread.
fn fill<const N: usize, F: Field<N> + Sync + ?Sized>(
    field: &F,
    grid: &Grid<N>,
    division: &Division,
    buffers: &mut [Samples<N>],
    out: Rows<'_, N>,
) {
    let work = Mutex::new((grid.bands(division.bands), out));
    let next = || {
        // A field may panic on another thread, but never while that thread holds the lock.
        let (bands, out) = &mut *work.lock().unwrap_or_else(PoisonError::into_inner);
        let band = bands.next()?;
        Some((band, out.take(band.len())))
    };
    buffers.par_iter_mut().with_max_len(1).for_each(|buffer| {
        while let Some((band, mut rows)) = next() {
            fill_band(field, &band, division.tiles, buffer, &mut rows);
        }
    });
}

/// Fills a band tile by tile.
fn fill_band<const N: usize, F: Field<N> + ?Sized>(
    field: &F,
    band: &Grid<N>,
    tiles: usize,
    buffer: &mut Samples<N>,
    out: &mut Rows<N>,
) {
    let width = band.size[0];
    for tile in 0..tiles {
        let start = tile * TILE_COLUMNS;
        // The last tile has the remaining columns too.
        let end = if tile + 1 == tiles { width } else { start + TILE_COLUMNS };
        let (mut first, mut size) = ([0; N], band.size);
        (first[0], size[0]) = (start, end - start);
        field.sample_grid(&band.part(first, size), buffer);
        out.copy(buffer, start, end - start, width);
    }
}
