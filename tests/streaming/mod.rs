//! Streaming in an app without rendering: the view is covered exactly once in every frame, and no
//! entities are left over.

mod ambiguity;
mod big_space;
mod budget;
mod cameras;
mod coverage;
mod editor;
mod edits;
mod events;
mod inherit;
mod order;
mod origin;
mod query;
mod raster;
mod removal;
mod situations;
mod support;
mod water;
