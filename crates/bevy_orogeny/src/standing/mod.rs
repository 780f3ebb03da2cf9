//! Entities on the ground: put there when they are spawned, and walking on it.

pub(crate) mod placing;
pub(crate) mod spawn_on_ground;
pub(crate) mod walk;
