//! Drawing water: the `sea`, and the `currents` of rivers and lakes.
//!
//! Streaming builds the surfaces of rivers, lakes and floods with the chunks that they are in. The
//! ground's shader draws what is seen through the sea.

pub(crate) mod currents;
pub(crate) mod sea;

use bevy_app::App;
use bevy_shader::load_shader_library;

pub(crate) fn build(app: &mut App) {
    load_shader_library!(app, "reflection.wgsl");
    sea::build(app);
    currents::build(app);
}
