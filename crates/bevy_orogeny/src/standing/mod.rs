//! Entities on the ground without a physics engine: placing them when they are spawned, and
//! walking.
//!
//! Start with the components, `spawn_on_ground` and `walk`. Their systems are in `put_on_ground`
//! and `walk`; `stride` and `obstacle` are their pure parts, with the tests. This module gets the
//! ground from `query`, the one that is shown; of streaming it reads the origin and places, and it
//! writes positions, problems and events.

pub(crate) mod obstacle;
pub(crate) mod put_on_ground;
pub(crate) mod spawn_on_ground;
mod stride;
pub(crate) mod walk;
