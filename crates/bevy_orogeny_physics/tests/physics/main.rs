//! Colliders in the real engines, on a headless server without cameras, windows and chunks.

mod bodies;
mod change;
mod far;
mod ground;
mod holes;
mod order;
mod rays;
mod rest;
mod sliding;
mod solids;
mod spawn;
mod support;
mod triangles;
mod walking;
