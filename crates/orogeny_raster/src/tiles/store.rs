//! The tiles of a raster: those in memory, and the files that the others are read from.

use std::sync::{Mutex, PoisonError};

use orogeny::Bounds;

use crate::cache::{Cache, Held};
use crate::error::RasterError;
use crate::field::spline::{Coefficients, Frame};
use crate::mosaic::Mosaic;
use crate::tiles::filled::{BYTES, Filled, SIDE};
use crate::tiles::scan::Scanned;

/// The most errors that are kept.
const MOST_ERRORS: usize = 64;

/// The bounds of the whole.
pub(super) enum Known {
    Scanned(Box<Scanned>),
    /// Those that tiles must keep.
    Given(Bounds),
}

pub(super) struct Store {
    pub frame: Frame,
    pub files: Mosaic,
    pub bounds: Known,
    cache: Cache<[usize; 2], Option<Coefficients>>,
    errors: Mutex<Vec<RasterError>>,
}

impl Store {
    pub fn new(frame: Frame, files: Mosaic, bounds: Known, budget: usize) -> Self {
        Self { frame, files, bounds, cache: Cache::new(budget), errors: Mutex::default() }
    }

    /// A tile, counted along each axis. It has no coefficients if it has no ground or cannot be
    /// read.
    pub fn tile(&self, tile: [usize; 2]) -> HeldTile {
        self.cache.get(tile, BYTES, || self.read(tile))
    }

    /// The bytes of all tiles in memory, and of what is in use for TIFFs.
    pub fn used(&self) -> usize {
        self.cache.used() + self.files.used()
    }

    pub fn take_errors(&self) -> Vec<RasterError> {
        std::mem::take(&mut *self.errors.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Forgets all tiles.
    pub fn forget(&self) {
        self.files.forget();
        self.cache.clear();
    }

    /// Reads a tile. An error is kept for the caller of `take_errors`.
    fn read(&self, tile: [usize; 2]) -> Option<Coefficients> {
        let filled = Filled::read(&self.files, self.frame.size, tile).and_then(|filled| {
            if let (Some(filled), Known::Given(bounds)) = (&filled, &self.bounds) {
                self.check(filled, bounds, tile)?;
            }
            Ok(filled)
        });
        match filled {
            Ok(filled) => filled.map(Filled::finish),
            Err(error) => {
                let mut errors = self.errors.lock().unwrap_or_else(PoisonError::into_inner);
                if errors.len() < MOST_ERRORS {
                    errors.push(error);
                }
                None
            }
        }
    }

    /// Whether a tile keeps the bounds that the caller gave.
    fn check(&self, tile: &Filled, given: &Bounds, at: [usize; 2]) -> Result<(), RasterError> {
        let [found] = tile.hulls(SIDE, self.frame.spacing)[..] else { return Ok(()) };
        let found = found.bounds();
        let holds = found.min >= given.min
            && found.max <= given.max
            && found.lipschitz <= given.lipschitz
            && found.curvature <= given.curvature;
        if holds {
            return Ok(());
        }
        let [column, row] = at.map(|x| x * SIDE);
        Err(RasterError::limit(format!(
            "the samples from column {column}, row {row} on exceed Tiling::bounds, which are \
             {given:?}: theirs are {found:?}"
        )))
    }
}

/// How many tiles are kept.
const COUNT: usize = 8;

/// A tile in use; `None` if it has no ground.
pub(super) type HeldTile = Held<Option<Coefficients>>;

/// Up to [`COUNT`] tiles, each at a place that follows from its column.
#[derive(Default)]
pub(super) struct Recent([Option<([usize; 2], HeldTile)>; COUNT]);

impl Recent {
    /// The coefficients of the tile that a cell is in, and the tile's first cell.
    pub fn tile(
        &mut self,
        cell: [usize; 2],
        load: impl FnOnce([usize; 2]) -> HeldTile,
    ) -> Option<(&Coefficients, [usize; 2])> {
        let tile = cell.map(|x| x / SIDE);
        let place = &mut self.0[tile[0] % COUNT];
        if place.as_ref().is_none_or(|(known, _)| *known != tile) {
            *place = Some((tile, load(tile)));
        }
        let coefficients = place.as_ref()?.1.get()?.as_ref()?;
        Some((coefficients, tile.map(|x| x * SIDE)))
    }
}
