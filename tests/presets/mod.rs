//! Preset files: those of the project are valid and differ from each other, all that should grow
//! there does, and changes on disk reach the terrain.

mod as_text;
mod editors;
mod loading;
mod project;
mod reload;
mod saved_world;
mod scatter;
mod scene;
mod support;
