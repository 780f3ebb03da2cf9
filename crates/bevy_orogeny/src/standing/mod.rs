//! Entities on the ground without a physics engine: placing them when they are spawned, and
//! walking.
//!
//! Start with the components, `spawn_on_ground` and `walk`. Their systems are in `put_on_ground`,
//! `walk` and `new_ground`; `search`, `stride`, `surroundings`, `ride` and `obstacle` are their
//! pure parts, with the tests. This module gets the ground from `query`, the one that is shown; of
//! streaming it reads the origin and places, and it writes positions, problems and events.

pub(crate) mod new_ground;
pub(crate) mod obstacle;
pub(crate) mod put_on_ground;
pub(crate) mod ride;
mod search;
pub(crate) mod spawn_on_ground;
mod stride;
mod surroundings;
pub(crate) mod walk;
