//! Standing on terrain without a physics engine: several terrains, changes that are pending, ground
//! that is not shown yet, frame rates, platforms, steep slopes, servers, walkers, and apps that
//! lack a plugin.

mod pending;
mod platforms;
mod rates;
mod server;
mod several;
mod shown;
mod slopes;
mod support;
mod walkers;
