//! The tiles that a query used last, so that it does not ask the shared cache for each point.

use crate::cache::Held;
use crate::field::coefficients::Coefficients;
use crate::tiles::filled::SIDE;

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
