//! The ground around the rivers of a network.
//!
//! curves.rs leads curves through the nodes and cuts them into the straight parts of reach.rs.
//! valley.rs is the ground around one of them, smooth_minimum.rs around all; channel.rs cuts
//! channels into it, and surface.rs fills them. survey.rs has the reaches of a region; blocks.rs
//! keeps surveys, section.rs and quad.rs what matters where. evaluation.rs computes the ground at
//! many points, and grid.rs on grids; bounds.rs proves bounds; river_reach.rs hands out reaches.

pub(super) mod blocks;
pub(super) mod bounds;
mod channel;
mod curves;
mod evaluation;
pub(super) mod grid;
mod quad;
pub(super) mod reach;
pub(super) mod river_reach;
mod section;
pub(super) mod smooth_minimum;
pub(super) mod surface;
pub(super) mod survey;
pub(super) mod valley;
