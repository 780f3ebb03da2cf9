//! Drawing water: the `sea`, and the `currents` of rivers and lakes.
//!
//! Streaming builds the surfaces of rivers, lakes and floods with the chunks that they are in. The
//! ground's shader draws what is seen through the sea.

pub(crate) mod currents;
pub(crate) mod sea;

use bevy_app::App;
use bevy_material::AlphaMode;
use bevy_pbr::StandardMaterial;
use bevy_shader::load_shader_library;

use crate::render::drawn_parts::DrawnParts;

/// What the materials of all water have in common.
fn surface() -> StandardMaterial {
    StandardMaterial {
        alpha_mode: AlphaMode::Premultiplied,
        // That of water: 0.02 at normal incidence.
        reflectance: 0.354,
        double_sided: true,
        cull_mode: None,
        ..Default::default()
    }
}

pub(crate) fn build(app: &mut App) {
    load_shader_library!(app, "reflection.wgsl");
    app.world_mut().resource_mut::<DrawnParts>().water = true;
    sea::build(app);
    currents::build(app);
}
