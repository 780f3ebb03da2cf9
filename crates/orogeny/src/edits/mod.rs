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
//! - edit.rs is an edit as plain data, with one file in operations/ for each operation. anchor.rs,
//!   area.rs and falloff.rs are where an edit is, with how much weight; centerline/ is the curve of
//!   a path, raster.rs and raster_spline.rs are the surface of a stamp.
//! - change.rs is a change of the log, log.rs the log and records.rs what it keeps; compact.rs
//!   forgets removed edits and merges strokes, files.rs writes the log, checksum.rs tells whether
//!   two machines agree.
//! - index.rs keeps edits by place, in the squares of cell.rs and the lists of block.rs;
//!   indexed_edit.rs is one of them. search.rs finds those near a place, differences.rs those that
//!   changed, steps.rs those that count as one.
//! - edited_field.rs and overlay.rs apply them, strokes.rs at a point, grid_strokes.rs and lines.rs
//!   on grids. grids.rs has the points of a grid that they touch, span_weights.rs and
//!   weighted_target.rs the weights and targets of many points at once, smoothed_bases.rs and
//!   wavelength.rs what smooth edits blend the ground with. widening.rs is what they can do to
//!   bounds, relief.rs how sharp they are.
//! - painting.rs has the layers of cover that are painted, flooding.rs what is under water,
//!   planting.rs what is cleared and planted, disturbance.rs where and how near the ground is
//!   flattened, dug or built on.

mod anchor;
mod area;
mod block;
mod cell;
mod centerline;
mod change;
#[cfg(feature = "checksum")]
mod checksum;
mod compact;
mod differences;
mod disturbance;
mod edit;
mod edited_field;
mod falloff;
#[cfg(any(feature = "ron", feature = "json"))]
mod files;
mod flooding;
mod grid_strokes;
mod grids;
mod index;
mod indexed_edit;
mod lines;
mod log;
mod operations;
mod overlay;
mod painting;
mod planting;
mod raster;
mod raster_spline;
mod records;
mod relief;
mod search;
mod smoothed_bases;
mod span_weights;
mod steps;
mod strokes;
mod wavelength;
mod weighted_target;
mod widening;

pub use area::{Area, Disc, Rectangle};
pub use change::{Applied, Change, EditId, MAX_LEAD, MAX_TIME, State};
#[cfg(feature = "checksum")]
pub use checksum::ground_checksum;
pub use edit::Edit;
pub use edited_field::EditedField;
pub use flooding::Flooding;
pub use index::Edits;
pub use log::EditLog;
pub use operations::{
    Blend, Clear, Crater, Flatten, Flood, Hole, Paint, Path, Plant, Raise, Roughen, Smooth, Stamp,
    Terrace,
};
pub(crate) use planting::Planting;
pub use raster::Raster;
pub use relief::Relief;
