//! Lattice noise: sums of octaves on grids and at scattered points.
//!
//! Lattice noise is separable. [`axis_table`] computes what depends on one axis once per column
//! and once per row. Along a lattice row the noise is an affine function of the offset above that
//! row (see `lattice::interpolate`); [`row`] computes its coefficients for a vector of columns.
//! Every sample row between two lattice rows then costs a few products ([`row_writers`]), and the
//! upper lattice row of one cell is the lower row of the next. Each lane hashes its own two
//! corners, even where lanes share a cell, so nothing is gathered.
//!
//! # The way of an octave through a grid
//!
//! ```text
//! octaves::fill                     chooses a SIMD level and how many derivatives
//!   for each octave
//!     axis_table  columns, rows     cell, offset, fade and its derivatives, once per axis
//!   bands::fill
//!     for each band of rows         so high that its accumulators stay in the L1 cache
//!       for each strip of columns   one vector wide; one or two columns left over go by points
//!         for each octave           octave_passes: a copy for each sort of lattice
//!           for each cell along z   a run of rows between two lattice rows
//!             row                   the lower row is the last upper one; the upper one is hashed
//!                                   by corners
//!             row_writers           for each row: a polynomial of degree 1 in the offset and in
//!                                   its fade, a term of octave_terms, added to accumulators
//!         the last octave, or a copy of the accumulators, writes to the grid
//! ```
//!
//! Scattered points share no rows or columns, so each lane has its own two lattice rows
//! ([`points`]). So do the points of grids in rotated octaves ([`rotation`]). A single point has an
//! octave in each lane ([`octave_lanes`]).

pub(super) mod accumulators;
pub(super) mod axis_table;
mod axis_weights;
pub(super) mod bands;
pub(super) mod octave_lanes;
mod octave_passes;
pub(super) mod octave_terms;
pub(super) mod octaves;
pub(super) mod points;
pub(super) mod rotation;
pub(super) mod row;
mod row_writers;
