//! Standing on terrain without a physics engine: several terrains, changes that are pending,
//! servers, walkers, and apps that lack a plugin.

mod pending;
mod server;
mod several;
mod support;
mod walkers;
