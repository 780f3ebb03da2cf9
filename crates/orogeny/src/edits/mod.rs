//! Edits: local changes of any ground, that stay exact.
//!
//! An [`Edit`] changes the ground in a bounded region. Most blend it with a target: with the ground
//! h, a weight w that falls from 1 to 0 by a quintic curve, and a target t,
//!
//! h' = h + w (t - h),
//!
//! whose gradient and Hessian follow from the product rule. (Genevaux, Galin, Peytavie, Guerin,
//! Briquet, Grosbellet and Benes, "Terrain modelling from feature primitives", 2015.)
//!
//! An [`EditLog`] is a set of edits. Each has an [`EditId`], and the ground is the result of all
//! shown edits in the order of their ids, whatever the order in which they arrived. So machines
//! with the same set of edits have the same ground, bit for bit. [`Edits`] is a snapshot of the
//! log, cheap to take and to share, and [`EditedField`] is a field with these edits.
//!
//! ```
//! use orogeny::edits::{Area, Disc, EditLog, EditedField, Flatten};
//! use orogeny::{Field, Node};
//!
//! let hills = Node::<2>::noise(7).fbm(8).frequency(1.0 / 500.0).amplitude(80.0).build()?;
//! let mut log = EditLog::new();
//! let center = [1200.0, -340.0];
//! let area = Area::Disc(Disc { center, radius: 12.0, falloff: 8.0 });
//! let author = 1;
//! let pad = log.add(author, Flatten { area, height: 30.0, ..Flatten::default() })?;
//!
//! let ground = EditedField::new(&hills, log.edits());
//! assert_eq!(ground.sample(center).value, 30.0);
//! // Elsewhere it is the ground itself.
//! assert_eq!(ground.sample([1300.0, -340.0]), hills.sample([1300.0, -340.0]));
//!
//! log.undo(author, &pad)?;
//! assert_eq!(EditedField::new(&hills, log.edits()).sample(center), hills.sample(center));
//! # Ok::<(), orogeny::DataError>(())
//! ```
//!
//! The files, starting with `edit.rs`:
//!
//! - edit.rs is an edit as plain data, and operations/ has the operations. area.rs and falloff.rs
//!   are where an edit is, with how much weight; centerline/ is the curve of a path, raster.rs the
//!   surface of a stamp.
//! - change.rs is a change of the log, log.rs the log and what it keeps; compact.rs forgets removed
//!   edits and merges strokes, files.rs writes the log, checksum.rs tells whether two machines
//!   agree.
//! - index.rs keeps edits by place, in a quadtree with the lists of block.rs. search.rs finds those
//!   near a place, differences.rs those that changed, steps.rs those that count as one.
//! - edited_field.rs and overlay.rs apply them, steps.rs at a point, grid_strokes.rs on grids.
//!   grids.rs has the points of a grid that they touch, weighted_target.rs the weights and targets
//!   of many points at once, smoothed_bases.rs what smooth edits blend the ground with. widening.rs
//!   is what they can do to bounds, detail.rs how sharp they are.
//! - ground_queries.rs has what they do besides changing heights: layers of cover that are painted,
//!   what is under water, cleared, planted, flattened, dug or built on.

mod area;
mod block;
mod centerline;
mod change;
#[cfg(feature = "checksum")]
mod checksum;
mod compact;
mod detail;
mod differences;
mod edit;
mod edited_field;
mod falloff;
#[cfg(any(feature = "ron", feature = "json"))]
mod files;
mod grid_strokes;
mod grids;
mod ground_queries;
mod index;
mod log;
mod operations;
mod overlay;
mod raster;
mod search;
mod smoothed_bases;
mod steps;
mod weighted_target;
mod widening;

pub use area::{Area, Disc, Rectangle};
pub use change::{Applied, Change, EditId, MAX_LEAD, MAX_TIME, State};
#[cfg(feature = "checksum")]
pub use checksum::ground_checksum;
pub use edit::Edit;
pub use edited_field::EditedField;
pub use ground_queries::Flooding;
pub(crate) use ground_queries::Planting;
pub use index::Edits;
pub use log::EditLog;
pub use operations::{
    Blend, Clear, Crater, Flatten, Flood, Hole, Paint, Path, Plant, Raise, Roughen, Smooth, Stamp,
    Terrace,
};
pub use raster::Raster;
