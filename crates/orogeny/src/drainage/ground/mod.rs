//! The ground around the rivers of a network.
//!
//! reach.rs leads curves through the nodes and cuts them into straight parts. valley.rs is the
//! ground around one of them and around all; channel.rs cuts channels into it, and fills them.
//! survey.rs has the reaches of a region, and the ground at many points; bins.rs finds those around
//! one of them. blocks.rs keeps surveys, and what matters where. grid.rs computes the ground on
//! grids; bounds.rs proves bounds.

mod bins;
pub(super) mod blocks;
pub(super) mod bounds;
pub(super) mod channel;
pub(super) mod grid;
pub(super) mod reach;
pub(super) mod survey;
pub(super) mod valley;
