//! Preset files: those of the project are valid and differ from each other, and changes on disk
//! reach the terrain.

mod loading;
mod project;
mod reload;
mod scene;
mod support;
