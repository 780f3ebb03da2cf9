//! Entities on the ground without a physics engine: putting them there when they are spawned, and
//! walking.
//!
//! Start with the components, `spawn_on_ground` and `walk`. The systems that serve them are in
//! `put_on_ground` and `walk`; `search` and `stride` are their pure parts, with the tests. This
//! room asks `query` for the ground; of streaming it reads the origin and writes problems and
//! events.

pub(crate) mod put_on_ground;
mod search;
pub(crate) mod spawn_on_ground;
mod stride;
pub(crate) mod walk;
