//! What all else stands on: the origin of the world and what follows it, the order of the systems,
//! budgets, problems, events, assets that change, and marks on what a terrain makes.

pub(crate) mod anchor;
// Presets need only a part of it.
#[cfg_attr(not(feature = "render"), allow(dead_code))]
pub(crate) mod assets;
pub(crate) mod budget;
pub(crate) mod current_transforms;
pub(crate) mod derived;
pub(crate) mod drawn_for;
pub(crate) mod events;
pub(crate) mod origin;
pub(crate) mod places;
pub(crate) mod problems;
pub(crate) mod query_error;
pub(crate) mod rebase;
pub(crate) mod schedule;
#[cfg(target_family = "wasm")]
pub(crate) mod task_time;
pub(crate) mod world_position;
