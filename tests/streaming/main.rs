//! Streaming in an app without rendering: in every frame the view is covered exactly once, whatever
//! happens, and nothing is left behind.

mod budget;
mod cameras;
mod coverage;
mod events;
mod inherit;
mod order;
mod origin;
mod query;
mod removal;
mod situations;
mod support;
