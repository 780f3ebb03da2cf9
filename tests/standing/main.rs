//! Standing on terrain without a physics engine: several terrains, servers, and apps that lack a
//! plugin.

mod server;
mod several;
mod support;
