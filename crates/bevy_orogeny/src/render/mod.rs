//! What all that is drawn shares: materials of terrains, shader libraries, shadows, the wind.
//!
//! `material_plugin` gives each terrain's chunks the terrain's material, of any type, once
//! `compiled` says that the renderer can draw with it: it has drawn an `unseen_chunk`. `geomorph`
//! lets materials morph their vertices. `cascade_casters` keeps shadow maps cheap, by
//! `shaded_part`, and leaves its planes in `cascade_planes` for plants. `void` draws the inside of
//! holes. `device` recovers from a lost graphics device. `frame_cost` measures the renderer and the
//! GPU. `drawn_parts` tells the ground what is drawn beside it. The default material is in
//! `ground`; water and plants have modules of their own. This module reads the state that streaming
//! displays; it does not decide which chunks exist.

mod cascade_casters;
pub(crate) mod cascade_planes;
mod compiled;
pub(crate) mod device;
pub(crate) mod drawn_parts;
mod frame_cost;
pub mod geomorph;
pub(crate) mod material_plugin;
mod shaded_part;
mod unknown_material;
pub(crate) mod unseen_chunk;
pub(crate) mod void;
#[cfg(any(feature = "plants", feature = "water"))]
pub(crate) mod wind;

use bevy_app::App;
use bevy_shader::load_shader_library;

pub(crate) fn build(app: &mut App) {
    load_shader_library!(app, "noise.wgsl");
    app.init_resource::<cascade_planes::CascadePlanes>().init_resource::<drawn_parts::DrawnParts>();
    #[cfg(any(feature = "plants", feature = "water"))]
    app.register_type::<wind::TerrainWind>().init_resource::<wind::TerrainWind>();
    compiled::build(app);
    geomorph::build(app);
    device::build(app);
    frame_cost::build(app);
    void::build(app);
    cascade_casters::build(app);
    material_plugin::build(app);
}
