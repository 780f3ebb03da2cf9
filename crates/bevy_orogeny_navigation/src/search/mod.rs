//! Finds paths across tiles.
//!
//! Start with `view`, which shows the polygons of all tiles in metres from one of them, and how
//! they join. `locate` finds the polygon at a point, `corridor` the polygons of a path by A*,
//! `funnel` its corners, and `ray` goes straight on the mesh. Positions are `[f64; 2]` in metres
//! from the corner of the tile at the start, so they are as fine far away as at the origin.

pub(crate) mod corridor;
pub(crate) mod funnel;
pub(crate) mod locate;
pub(crate) mod ray;
pub(crate) mod vector;
pub(crate) mod view;
