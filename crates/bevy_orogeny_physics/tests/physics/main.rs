//! Colliders in the real engines, on a headless server without cameras, windows and chunks: in
//! Avian, and with the feature `rapier` in Rapier, too.

mod bodies;
mod change;
mod far;
mod ground;
mod holes;
mod order;
#[cfg(feature = "rapier")]
mod rapier;
mod rays;
mod rest;
mod sliding;
mod solids;
mod spawn;
mod support;
mod triangles;
mod walking;
