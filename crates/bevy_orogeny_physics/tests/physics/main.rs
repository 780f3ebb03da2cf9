//! Colliders in the real engines, on a headless server without cameras, windows and chunks: in
//! Avian, and with the feature `rapier` in Rapier, too.

mod bodies;
mod change;
mod contacts;
mod far;
mod ground;
mod holes;
mod order;
#[cfg(feature = "rapier")]
mod rapier;
mod solids;
mod spawn;
mod support;
mod triangles;
mod walking;
