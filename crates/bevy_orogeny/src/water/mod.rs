//! Drawing water: the `sea`, the `currents` of rivers and lakes, and all that is seen from `below`
//! their surfaces by viewers that are `submerged`.
//!
//! Streaming builds the surfaces of rivers, lakes and floods with the chunks that they are in.
//! `optics` is what all water shares: how it absorbs and scatters light, and how it is blended over
//! what is drawn before it, which its materials know by the images of `scene`. `copy_scene` fills
//! them for each view. The ground's shader only wets the shore.

pub(crate) mod below;
mod copy_scene;
pub(crate) mod currents;
mod noise_volume;
pub(crate) mod optics;
mod scene;
pub(crate) mod sea;
pub(crate) mod submerged;

use bevy_app::App;
use bevy_shader::load_shader_library;

use crate::render::drawn_parts::DrawnParts;

pub(crate) fn build(app: &mut App) {
    load_shader_library!(app, "reflection.wgsl");
    load_shader_library!(app, "surface.wgsl");
    app.world_mut().resource_mut::<DrawnParts>().water = true;
    scene::build(app);
    copy_scene::build(app);
    sea::build(app);
    currents::build(app);
    below::build(app);
}
