//! The ground around the rivers of a network.
//!
//! curves.rs leads curves through the nodes and cuts them into the straight parts of reach.rs;
//! valley.rs is the ground around them; survey.rs finds those that matter; channel.rs cuts channels
//! into it, and surface.rs fills them; river_reach.rs hands them out; quad.rs has what matters
//! where,
//! and evaluation.rs computes with it at many points; blocks.rs keeps surveys for points and grids;
//! grid.rs fills grids; bounds.rs proves bounds.

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
pub(super) mod surface;
pub(super) mod survey;
pub(super) mod valley;
