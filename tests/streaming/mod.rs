//! Streaming in an app without rendering: the view is covered exactly once in every frame, and no
//! entities are left over.

mod ambiguity;
mod big_space;
mod budget;
mod cameras;
mod children;
mod coverage;
mod editor;
mod edits;
mod events;
mod origin;
mod query;
mod situations;
mod support;
mod water;
