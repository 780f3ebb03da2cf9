//! Drawing water: the `sea`, `rivers` and lakes, and all that is seen from `below` their surfaces
//! by viewers that are `submerged`.
//!
//! Streaming builds the surfaces of rivers, lakes and floods with the chunks that they are in. The
//! `material` is what all water shares: how it absorbs and scatters light, and how it is blended
//! over what is drawn before it, which it knows by the images of `scene`. `rings` spread on it from
//! what swims. The ground's shader only wets the shore.

mod below;
pub(crate) mod material;
pub(crate) mod rings;
pub(crate) mod rivers;
mod scene;
pub(crate) mod sea;
pub(crate) mod submerged;

use bevy_app::App;
use bevy_shader::load_shader_library;

use crate::render::DrawnParts;

pub(crate) fn build(app: &mut App) {
    load_shader_library!(app, "waves.wgsl");
    load_shader_library!(app, "surface.wgsl");
    app.world_mut().resource_mut::<DrawnParts>().water = true;
    scene::build(app);
    rings::build(app);
    sea::build(app);
    rivers::build(app);
    below::build(app);
}
